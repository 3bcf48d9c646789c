import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';
import { beforeAll, describe, expect, test } from 'vitest';
import { isRefusal, type Outcome } from '../../src/ground/errors/refusal.ts';
import { CERTIFICATE_LIMITS } from '../../src/subjects/certificates/limits.ts';
import { readCertificate } from '../../src/subjects/certificates/read-certificate.ts';
import { readCertificateInWorker } from '../../src/subjects/certificates/read-in-worker.ts';
import { WorkBudget } from '../../src/subjects/certificates/work-budget.ts';
import { type Issued, newAuthority, representative } from '../support/agency/certificates.ts';
import { gapsDuring } from '../support/processes/event-loop.ts';

const { asn1 } = forge;
const { Class, Type } = asn1;
type Node = forge.asn1.Asn1;

const node = (type: forge.asn1.Type, value: string | Node[]): Node =>
  asn1.create(Class.UNIVERSAL, type, Array.isArray(value), value);
const sequence = (...parts: Node[]): Node => node(Type.SEQUENCE, parts);
const oid = (text: string): Node => node(Type.OID, asn1.oidToDer(text).getBytes());
const octets = (bytes: string): Node => node(Type.OCTETSTRING, bytes);
const integer = (hex: string): Node => node(Type.INTEGER, forge.util.hexToBytes(hex));
const whole = (value: number): Node => node(Type.INTEGER, asn1.integerToDer(value).getBytes());
const der = (part: Node): string => asn1.toDer(part).getBytes();
const tagged = (...parts: Node[]): Node =>
  asn1.create(Class.CONTEXT_SPECIFIC, 0 as forge.asn1.Type, true, parts);

const DATA = '1.2.840.113549.1.7.1';
const SHROUDED = '1.2.840.113549.1.12.10.1.2';
const SAFE_CONTENTS = '1.2.840.113549.1.12.10.1.6';
const CRL = '1.2.840.113549.1.12.10.1.4';

/** PBES2 of PBKDF2 with SHA-1 and AES-256. */
function pbes2(rounds: number, salt: string, iv: string): Node {
  const derivation = sequence(oid('1.2.840.113549.1.5.12'), sequence(octets(salt), whole(rounds)));
  const cipher = sequence(oid('2.16.840.1.101.3.4.1.42'), octets(iv));
  return sequence(oid('1.2.840.113549.1.5.13'), sequence(derivation, cipher));
}

const bag = (type: string, value: Node): Node => sequence(oid(type), tagged(value));
/** A key that requests so many rounds. */
const slowKey = (rounds: number): Node =>
  bag(SHROUDED, sequence(pbes2(rounds, 'saltsalt', 'i'.repeat(16)), octets('k'.repeat(32))));
const plainPart = (...bags: Node[]): Node => sequence(oid(DATA), tagged(octets(der(sequence(...bags)))));

function encryptedPart(password: string, ...bags: Node[]): Node {
  const [salt, iv] = [randomBytes(8), randomBytes(16)];
  const cipher = createCipheriv('aes-256-cbc', pbkdf2Sync(password, salt, 1, 32, 'sha1'), iv);
  const encrypted = Buffer.concat([cipher.update(der(sequence(...bags)), 'latin1'), cipher.final()]);
  const algorithm = pbes2(1, salt.toString('latin1'), iv.toString('latin1'));
  const content = asn1.create(
    ...([Class.CONTEXT_SPECIFIC, 0 as forge.asn1.Type, false, encrypted.toString('latin1')] as const),
  );
  const encryptedData = sequence(whole(0), sequence(oid(DATA), algorithm, content));
  return sequence(oid('1.2.840.113549.1.7.6'), tagged(encryptedData));
}

/** A PKCS#12 without a seal. */
function pkcs12(...parts: Node[]): Buffer {
  const safe = sequence(oid(DATA), tagged(octets(der(sequence(...parts)))));
  return Buffer.from(der(sequence(whole(3), safe)), 'latin1');
}

function detailOf(outcome: Outcome<unknown>): string {
  if (!isRefusal(outcome)) return 'read';
  return outcome.errors.map(({ field, code }) => `${field} ${code}`).join() || outcome.code;
}

const read = (content: Buffer | string, password = 'p') =>
  detailOf(readCertificate({ field: 'file', content: Buffer.from(content), password }));

let issued: Issued;
beforeAll(() => {
  issued = newAuthority().issue({ subject: representative('B72877814') });
});

/** What this thread has computed since, in milliseconds. */
function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1_000;
}

describe('the rounds of a file are counted in all', () => {
  const attack = () => pkcs12(plainPart(...Array.from({ length: 20 }, () => slowKey(1_000_000))));

  test('20 keys of 1,000,000 rounds each are refused before the first is computed', () => {
    expect(attack().length).toBeLessThan(4_000);
    const started = process.threadCpuUsage();
    expect(read(attack())).toBe('file too_costly');
    expect(processorMs(started)).toBeLessThan(1_000);
  });

  test('also across parts, and within bags in bags', () => {
    const parts = Array.from({ length: 4 }, () => plainPart(slowKey(1_000_000)));
    expect(read(pkcs12(...parts))).toBe('file too_costly');
    const inner = sequence(...Array.from({ length: 4 }, () => slowKey(1_000_000)));
    expect(read(pkcs12(plainPart(bag(SAFE_CONTENTS, inner))))).toBe('file too_costly');
  });

  test('scrypt, whose memory a file could choose, is not worked on', () => {
    const expensiveDerivation = sequence(
      oid('1.3.6.1.4.1.11591.4.11'),
      sequence(octets('salt'), whole(2 ** 30), whole(8), whole(64)),
    );
    const cipher = sequence(oid('2.16.840.1.101.3.4.1.42'), octets('i'.repeat(16)));
    const algorithm = sequence(oid('1.2.840.113549.1.5.13'), sequence(expensiveDerivation, cipher));
    const key = bag(SHROUDED, sequence(algorithm, octets('k'.repeat(32))));
    expect(read(pkcs12(plainPart(key)))).toBe('file unsupported_algorithm');
  });

  test('also those in an encrypted part', () => {
    const keys = [...Array.from({ length: 3 }, () => slowKey(1)), slowKey(1_000_001)];
    // Each key before it has a wrong password: reading would end there, so the costly one comes first.
    expect(read(pkcs12(encryptedPart('p', ...keys.reverse())))).toBe('file unsupported_algorithm');
  });

  test('the bound is exact', () => {
    const work = new WorkBudget();
    const full = CERTIFICATE_LIMITS.certificateRounds.value / CERTIFICATE_LIMITS.certificateDerivation.value;
    for (let count = 0; count < full; count += 1) {
      expect(work.derive(CERTIFICATE_LIMITS.certificateDerivation.value)).toBeNull();
    }
    expect(work.derive(1)).toMatchObject({ kind: 'excessive' });
    expect(new WorkBudget().derive(CERTIFICATE_LIMITS.certificateDerivation.value + 1)).toMatchObject({
      kind: 'unsupported',
    });
    expect(new WorkBudget().derive(0)).toEqual({ kind: 'malformed' });
  });
});

describe('the contents of a file are counted', () => {
  const { value: most } = CERTIFICATE_LIMITS.certificateBags;
  const other = bag(CRL, sequence());

  test('bags of a PKCS#12', () => {
    const bags = (count: number) => Array.from({ length: count }, () => other);
    expect(read(pkcs12(plainPart(...bags(most))))).toBe('file no_certificate');
    expect(read(pkcs12(plainPart(...bags(most + 1))))).toBe('file too_costly');
    expect(read(pkcs12(encryptedPart('p', ...bags(most))))).toBe('file no_certificate');
    expect(read(pkcs12(encryptedPart('p', ...bags(most + 1))))).toBe('file too_costly');
  });

  test('blocks of a PEM', () => {
    const { cert, key } = issued;
    expect(read(cert.repeat(most - 1) + key)).toBe('read');
    expect(read(cert.repeat(most) + key)).toBe('file too_costly');
  });

  test('levels of ASN.1', () => {
    /** Within the list of bags, the bag and its value's tag, which are three levels. */
    const levels = (count: number): Node => (count === 1 ? sequence() : sequence(levels(count - 1)));
    const within = CERTIFICATE_LIMITS.certificateDepth.value - 3;
    expect(read(pkcs12(plainPart(bag(CRL, levels(within)))))).toBe('file no_certificate');
    expect(read(pkcs12(plainPart(bag(CRL, levels(within + 1)))))).toBe('password wrong_password');
    expect(read(Buffer.from('3080'.repeat(60_000), 'hex'))).toBe('file not_pkcs12');
  });

  test('bytes', () => {
    const { value } = CERTIFICATE_LIMITS.certificateSize;
    expect(read(Buffer.alloc(value))).toBe('file not_pkcs12');
    expect(read(Buffer.alloc(value + 1))).toBe('file too_big');
  });
});

describe('opening a key costs no more than those of real certificates', () => {
  const pem = (label: string, part: Node) =>
    `-----BEGIN ${label}-----\n${Buffer.from(der(part), 'latin1').toString('base64')}\n-----END ${label}-----\n`;
  const pkcs8 = (algorithm: Node, key: Node) =>
    pem('PRIVATE KEY', sequence(whole(0), algorithm, octets(der(key))));
  const number = (bits: number) => integer(`00${'f'.repeat(bits / 4)}`);
  const rsa = (bits: number, exponent: Node) =>
    pkcs8(
      sequence(oid('1.2.840.113549.1.1.1'), node(Type.NULL, '')),
      sequence(whole(0), number(bits), exponent, ...Array.from({ length: 6 }, () => integer('0b'))),
    );

  test('RSA, by its length and its exponent', () => {
    const usual = whole(65_537);
    expect(read(issued.cert + rsa(CERTIFICATE_LIMITS.certificateKeyBits.value, usual))).toBe(
      'file key_mismatch',
    );
    expect(read(issued.cert + rsa(CERTIFICATE_LIMITS.certificateKeyBits.value + 8, usual))).toBe(
      'file unsupported_algorithm',
    );
    expect(read(issued.cert + rsa(2_048, number(2_040)))).toBe('file unsupported_algorithm');
  });

  test('keys of other kinds are refused before OpenSSL computes missing parameters', () => {
    const group = sequence(number(160_000), number(160), integer('02'));
    const started = process.threadCpuUsage();
    for (const kind of ['1.2.840.10040.4.1', '1.2.840.113549.1.3.1', '1.2.840.10046.2.1']) {
      expect(read(issued.cert + pkcs8(sequence(oid(kind), group), number(160_000)))).toBe(
        'file unsupported_algorithm',
      );
    }
    expect(read(issued.cert + pem('DSA PRIVATE KEY', group))).toBe('file unsupported_algorithm');
    expect(processorMs(started)).toBeLessThan(2_000);
  });

  test('nested blocks are not searched', () => {
    const inner = issued.key.replaceAll('PRIVATE KEY', 'ENCRYPTED PRIVATE KEY');
    const outer = `-----BEGIN RSA PRIVATE KEY-----\n${inner}\n-----END RSA PRIVATE KEY-----\n`;
    expect(read(outer)).toBe('file not_pem');
  });
});

test('a slow file is read while other callers are served', async () => {
  const slow = pkcs12(plainPart(slowKey(600_000)));
  const file = { field: 'file', content: slow, password: 'p' };
  const { answer, longestGap } = await gapsDuring(() => readCertificateInWorker(file));
  expect(detailOf(answer)).toBe('password wrong_password');
  expect(longestGap).toBeLessThan(200);
  // As would be seen if it were read here.
  expect((await gapsDuring(async () => readCertificate(file))).longestGap).toBeGreaterThan(longestGap);
});

test('a read in the thread gives the same result, and the queue is bounded', async () => {
  const content = readFileSync(join(import.meta.dirname, '../golden/certificates/rc2-40.p12'));
  const file = { field: 'file', content, password: 'contraseña €' };
  const here = readCertificate(file);
  const together = CERTIFICATE_LIMITS.certificatesWaiting.value + 2;
  const all = await Promise.all(Array.from({ length: together }, () => readCertificateInWorker(file)));
  const last = all.pop()!;
  expect(isRefusal(last) && last.code).toBe('rate_limited');
  for (const one of all) expect(one).toEqual(here);
});
