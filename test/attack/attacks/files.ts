import { createCipheriv, pbkdf2Sync } from 'node:crypto';
import { aSimplifiedInvoice } from '../../support/invoices/invoices.ts';
import type { Attack } from '../attack.ts';
import { graphql } from './queries.ts';

/** Files and answers of others that are small and cost much. */

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 0x80
      ? Buffer.from([content.length])
      : Buffer.from([0x82, content.length >> 8, content.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, content]);
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const octets = (bytes: Buffer) => der(0x04, bytes);
const explicit = (...parts: readonly Buffer[]) => der(0xa0, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));

const DATA = oid('2a864886f70d010701');
const SHROUDED_KEY_BAG = oid('2a864886f70d010c0a0102');
const PBES2 = oid('2a864886f70d01050d');
const PBKDF2 = oid('2a864886f70d01050c');
const AES_256_CBC = oid('60864801650304012a');

const PASSWORD = 'attack';

/** A PKCS#12 with so many keys, each under its own derivation: the password fits, so all of them are opened. */
function heavyPkcs12({ bags, rounds }: { bags: number; rounds: number }): Buffer {
  const [salt, iv] = [Buffer.alloc(8, 1), Buffer.alloc(16, 2)];
  const cipher = createCipheriv('aes-256-cbc', pbkdf2Sync(PASSWORD, salt, rounds, 32, 'sha1'), iv);
  const key = Buffer.concat([cipher.update(sequence()), cipher.final()]);
  const count = der(0x02, Buffer.from([0, rounds >> 16, (rounds >> 8) & 0xff, rounds & 0xff]));
  const derivation = sequence(PBKDF2, sequence(octets(salt), count));
  const algorithm = sequence(PBES2, sequence(derivation, sequence(AES_256_CBC, octets(iv))));
  const bag = sequence(SHROUDED_KEY_BAG, explicit(sequence(algorithm, octets(key))));
  const contents = sequence(...Array.from({ length: bags }, () => bag));
  const safe = sequence(sequence(DATA, explicit(octets(contents))));
  return sequence(der(0x02, Buffer.from([3])), sequence(DATA, explicit(octets(safe))));
}

const UPLOAD = `mutation ($input: UploadCertificateInput!) { uploadCertificate(input: $input) { id } }`;

export const fileAttacks: readonly Attack[] = [
  {
    name: 'heavy-pkcs12',
    what: 'an operator uploads 4 PKCS#12 of 20 keys with 1,000,000 rounds each',
    never: ['200'],
    round: ({ flood, target }) => {
      const pkcs12Base64 = heavyPkcs12({ bags: 20, rounds: 1_000_000 }).toString('base64');
      const input = { pkcs12Base64, password: PASSWORD, reason: 'attack' };
      return flood(4, 4, () => graphql(UPLOAD, target.operatorKey, { input }));
    },
  },
  {
    name: 'nested-answer',
    what: 'the agency answers eight envelopes with 2,600,000 nested tags each',
    agency: 'nested answers',
    round: ({ flood, target }) =>
      flood(target.furtherKeys.length, 2, (index) => ({
        ...{ method: 'POST', path: '/v1/invoices', body: JSON.stringify(aSimplifiedInvoice()) },
        headers: { authorization: `Bearer ${target.furtherKeys[index % target.furtherKeys.length]}` },
      })),
  },
];
