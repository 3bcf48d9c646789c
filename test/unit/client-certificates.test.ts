import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import forge from 'node-forge';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../src/ground/errors/refusal.ts';
import { type ReadCertificate, readCertificate } from '../../src/subjects/certificates/read-certificate.ts';
import {
  directoryName,
  type Issued,
  newAuthority,
  newKeyPair,
  person,
  policies,
  qualifiedFor,
  representative,
  seal,
} from '../support/agency/certificates.ts';

/**
 * Files of OpenSSL 3.0 (`pkcs12 -export`, the old ones with `-legacy`), valid until 2056, all of one holder: what
 * programs of today cannot write any more.
 */
const golden = (name: string) => readFileSync(join(import.meta.dirname, '../golden/certificates', name));
const PASSWORD = 'contraseña €';

const NIF = 'B72877814';

function read(content: Buffer | string, password = ''): ReadCertificate {
  const outcome = readCertificate({ field: 'file', content: Buffer.from(content), password });
  if (outcome instanceof Refusal) throw new Error(outcome.detail);
  return outcome;
}

/** Field and code of the refusal. */
function refused(content: Buffer | string, password = ''): string {
  const outcome = readCertificate({ field: 'file', content: Buffer.from(content), password });
  if (!(outcome instanceof Refusal)) return 'read';
  expect(outcome.code).toBe('invalid_request');
  expect(outcome.detail).not.toContain(password === '' ? '\u0000' : password);
  return outcome.errors.map(({ field, code }) => `${field} ${code}`).join();
}

const authority = newAuthority();
const issued = authority.issue({ subject: representative(NIF) });
const pemOf = ({ cert, key }: Issued) => cert + key;

describe('different encodings are read to the same', () => {
  test.each([
    ['RC2 of 40 bits and triple DES, as FNMT has always issued them', 'rc2-40.p12', PASSWORD],
    ['RC2 of 128 bits', 'rc2-128.p12', PASSWORD],
    ['AES with PBKDF2', 'aes.p12', PASSWORD],
    ['without a seal', 'unsealed.p12', PASSWORD],
    ['an empty password', 'empty-password.p12', ''],
    ['PEM with an encrypted key before the certificate', 'encrypted-key.pem', PASSWORD],
    ['PEM with a key encrypted in the old way', 'old-encrypted-key.pem', PASSWORD],
  ])('%s', (_, name, password) => {
    const certificate = read(golden(name), password);
    expect(certificate).toMatchObject({ holderNif: NIF, holderName: 'ÑANDÚ TALLERES SL', kind: 'person' });
    expect(certificate.fingerprint).toBe(read(golden('aes.p12'), PASSWORD).fingerprint);
    expect(certificate.validTo.getUTCFullYear()).toBe(2056);
    createSecureContext(certificate.identity);
  });

  test('a password with accents, in each encoding that programs use', () => {
    expect(read(issued.p12('ñandú'), 'ñandú').holderNif).toBe(NIF);
    expect(read(issued.p12('ñandú', '3des'), 'n\u0303andu\u0301').holderNif).toBe(NIF);
    const bytewise = Buffer.from('ñandú €').toString('latin1');
    expect(read(issued.p12(bytewise, '3des'), 'ñandú €').holderNif).toBe(NIF);
  });

  test('a key on an elliptic curve', () => {
    const certificate = read(golden('elliptic.p12'), PASSWORD);
    expect(certificate.holderNif).toBe(NIF);
    createSecureContext(certificate.identity);
  });

  test.each(['aes256', '3des'] as const)('with its issuer, the key under %s', (encryption) => {
    const certificate = read(issued.p12('s', encryption), 's');
    expect(certificate.holderNif).toBe(NIF);
    // The root is the other side's: only what lies between is presented.
    expect(certificate.identity.cert.match(/BEGIN CERTIFICATE/g)).toHaveLength(1);
  });

  test('a PEM with other text around it', () => {
    expect(
      read(`Bag Attributes\n${issued.key}\r\nsubject=x\r\n${authority.ca}${issued.cert}`).holderNif,
    ).toBe(NIF);
  });
});

describe('the actual cause of a refusal is named', () => {
  test.each([
    ['rc2-40.p12', 'contrasena €', 'password wrong_password'],
    ['rc2-40.p12', '', 'password wrong_password'],
    ['aes.p12', `${PASSWORD} `, 'password wrong_password'],
    ['unsealed.p12', 'x', 'password wrong_password'],
    ['empty-password.p12', 'x', 'password wrong_password'],
    ['encrypted-key.pem', 'x', 'password wrong_password'],
    ['old-encrypted-key.pem', 'x', 'password wrong_password'],
    ['old-encrypted-key.pem', '', 'password wrong_password'],
    ['no-key.p12', PASSWORD, 'file no_private_key'],
    ['camellia.p12', PASSWORD, 'file unsupported_algorithm'],
  ])('%s with "%s": %s', (name, password, expected) => {
    expect(refused(golden(name), password)).toBe(expected);
  });

  test('what is no certificate at all', () => {
    expect(refused('no certificate')).toBe('file not_pkcs12');
    expect(refused('')).toBe('file not_pkcs12');
    expect(refused(golden('aes.p12').subarray(0, 900), PASSWORD)).toBe('file not_pkcs12');
    expect(refused('-----BEGIN CERTIFICATE-----\nhalf of')).toBe('file not_pem');
    const cut = `${issued.cert.slice(0, 400)}\n-----END CERTIFICATE-----\n`;
    expect(refused(cut + issued.key)).toBe('file no_certificate');
    expect(refused(Buffer.alloc(300_000))).toBe('file too_big');
  });

  test('a certificate without key, a key without certificate, and two that do not belong together', () => {
    expect(refused(issued.cert)).toBe('file no_private_key');
    const binary = Buffer.from(issued.cert.replaceAll(/-----.*-----|\s/g, ''), 'base64');
    expect(refused(binary)).toBe('file no_private_key');
    expect(refused(issued.key)).toBe('file no_certificate');
    expect(refused(issued.cert + newKeyPair().pem)).toBe('file key_mismatch');
  });

  test('a key that TLS no longer accepts', () => {
    const weak = newAuthority(1_024).issue({ subject: seal(NIF) });
    expect(refused(pemOf(weak))).toBe('file unsupported_algorithm');
  });

  test('a file cut at any byte is never read, nor does it throw', () => {
    const whole = golden('aes.p12');
    for (let length = 0; length < whole.length; length += 97) {
      expect(refused(whole.subarray(0, length), PASSWORD), `cut at ${length}`).toBe('file not_pkcs12');
    }
  });

  test('a file with any byte changed is refused or read as the original', () => {
    const whole = golden('rc2-40.p12');
    const { fingerprint } = read(whole, PASSWORD);
    for (let index = 0; index < whole.length; index += 29) {
      const changed = Buffer.from(whole);
      changed[index] = changed[index]! ^ 0x55;
      const outcome = readCertificate({ field: 'file', content: changed, password: PASSWORD });
      if (!(outcome instanceof Refusal)) expect(outcome.fingerprint, `byte ${index}`).toBe(fingerprint);
    }
  });

  test('a file that would cause endless work is refused', () => {
    const file = forge.asn1.fromDer(golden('aes.p12').toString('latin1'));
    const [, , macData] = file.value as forge.asn1.Asn1[];
    const [, , rounds] = macData!.value as forge.asn1.Asn1[];
    rounds!.value = '\x7f\xff\xff\xff';
    const endless = Buffer.from(forge.asn1.toDer(file).getBytes(), 'latin1');
    expect(refused(endless, PASSWORD)).toBe('file unsupported_algorithm');
  });
});

describe('the holder', () => {
  const holder = (wanted: Parameters<typeof authority.issue>[0]) => {
    const { holderNif, holderName, kind } = read(pemOf(authority.issue(wanted)));
    return { holderNif, holderName, kind };
  };

  test('is the person, for one who acts for himself', () => {
    const expected = { holderNif: '12345678Z', holderName: 'MARÍA PEÑA LÓPEZ', kind: 'person' };
    expect(holder({ subject: person('12345678Z') })).toEqual(expected);
    const plain = person('12345678Z').map(([oid, text]) => [oid, text.replace('IDCES-', '')] as const);
    expect(holder({ subject: plain })).toEqual(expected);
  });

  test('is the company, for one who acts for it', () => {
    const expected = { holderNif: NIF, holderName: 'ÑANDÚ TALLERES SL', kind: 'person' };
    expect(holder({ subject: representative(NIF) })).toEqual(expected);
    // Whatever is said of an organization: what the certificate is for is said by its statement.
    const nameless = seal(NIF);
    expect(holder({ subject: nameless, extensions: [qualifiedFor('signatures')] })).toMatchObject({
      kind: 'person',
    });
    expect(holder({ subject: nameless, extensions: [policies('0.4.0.194112.1.0')] })).toMatchObject({
      kind: 'person',
    });
  });

  test('is the company, for its seal', () => {
    const expected = { holderNif: NIF, holderName: 'ÑANDÚ TALLERES SL', kind: 'seal' };
    expect(holder({ subject: seal(NIF) })).toEqual(expected);
    expect(holder({ subject: seal(NIF), extensions: [qualifiedFor('seals')] })).toEqual(expected);
    const withPerson = representative(NIF);
    expect(holder({ subject: withPerson, extensions: [qualifiedFor('seals')] })).toEqual(expected);
    const policy = policies('1.3.6.1.4.1.5734.3.20.1', '0.4.0.194112.1.1');
    expect(holder({ subject: withPerson, extensions: [policy] })).toEqual(expected);
  });

  test('is found where FNMT repeats it', () => {
    const name = directoryName([
      ['1.3.6.1.4.1.5734.1.4', 'IDCES-12345678Z'],
      ['1.3.6.1.4.1.5734.1.6', 'ÑANDÚ TALLERES SL'],
      ['1.3.6.1.4.1.5734.1.7', `VATES-${NIF}`],
    ]);
    const subject = [['2.5.4.3', 'NOMBRE PEÑA - NIF 12345678Z']] as const;
    expect(holder({ subject, extensions: [name] })).toMatchObject({
      holderNif: NIF,
      holderName: 'ÑANDÚ TALLERES SL',
    });
    const alone = directoryName([['1.3.6.1.4.1.5734.1.4', '12345678Z']]);
    expect(holder({ subject, extensions: [alone] })).toMatchObject({
      holderNif: '12345678Z',
      kind: 'person',
    });
  });

  test('needs a valid Spanish NIF', () => {
    expect(holder({ subject: representative('B12345678', '12345678A') })).toMatchObject({ holderNif: null });
    expect(holder({ subject: [['2.5.4.3', 'localhost']] })).toMatchObject({ holderNif: null });
  });
});
