import { createCipheriv, createDecipheriv, pbkdf2Sync } from 'node:crypto';
import forge from 'node-forge';
import { expect, test } from 'vitest';
import { parseDer } from '../../src/subjects/certificates/der.ts';
import { decrypt } from '../../src/subjects/certificates/password.ts';
import { WorkBudget } from '../../src/subjects/certificates/work-budget.ts';

const { asn1 } = forge;
const { Class, Type } = asn1;
const element = (type: forge.asn1.Type, value: string | forge.asn1.Asn1[]) =>
  asn1.create(Class.UNIVERSAL, type, Array.isArray(value), value);
const sequence = (...parts: forge.asn1.Asn1[]) => element(Type.SEQUENCE, parts);
const oid = (text: string) => element(Type.OID, asn1.oidToDer(text).getBytes());
const octets = (bytes: Buffer) => element(Type.OCTETSTRING, bytes.toString('latin1'));

const keyOf = (bytes: Buffer, salt: Buffer) => pbkdf2Sync(bytes, salt, 1, 32, 'sha1');

/** PBES2 with PBKDF2 of one round and AES-256. */
function algorithmOf(salt: Buffer, iv: Buffer) {
  const derivation = sequence(
    oid('1.2.840.113549.1.5.12'),
    sequence(octets(salt), element(Type.INTEGER, '\u0001')),
  );
  const encryption = sequence(oid('2.16.840.1.101.3.4.1.42'), octets(iv));
  const algorithm = sequence(oid('1.2.840.113549.1.5.13'), sequence(derivation, encryption));
  return parseDer(Buffer.from(asn1.toDer(algorithm).getBytes(), 'latin1')) ?? undefined;
}

const PLAIN = Buffer.from(asn1.toDer(sequence(oid('2.5.4.3'))).getBytes(), 'latin1');

/** A text encrypted under the Latin-1 bytes of a password, which its UTF-8 bytes seem to open too. */
function ambiguous(password: string) {
  const iv = Buffer.alloc(16, 7);
  for (let n = 0; n < 10_000; n += 1) {
    const salt = Buffer.from(`salt ${n}`);
    const cipher = createCipheriv('aes-256-cbc', keyOf(Buffer.from(password, 'latin1'), salt), iv);
    const encrypted = Buffer.concat([cipher.update(PLAIN), cipher.final()]);
    const wrong = createDecipheriv('aes-256-cbc', keyOf(Buffer.from(password), salt), iv);
    try {
      Buffer.concat([wrong.update(encrypted), wrong.final()]);
      return { algorithm: algorithmOf(salt, iv), encrypted };
    } catch {}
  }
  throw new Error('no wrong key ends in padding');
}

test('a wrong password whose padding happens to be valid does not hide the right one', () => {
  const { algorithm, encrypted } = ambiguous('ñandú');
  expect(decrypt(algorithm, encrypted, 'ñandú', new WorkBudget())).toEqual(PLAIN);
});
