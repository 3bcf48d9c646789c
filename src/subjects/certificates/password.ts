import { createDecipheriv, createHash, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import forge from 'node-forge';
import { bytesOf, childrenOf, integerOf, isSequence, type Node, oidOf, parseDer } from './der.ts';
import type { Problem } from './problem.ts';
import type { WorkBudget } from './work-budget.ts';

/** Null means no password, which some programs write for an empty one. */
export type Password = string | null;

const WRONG_PASSWORD: Problem = { kind: 'wrong_password' };

/** Password-based encryption of PKCS#12 (RFC 7292 appendix C), in the two kinds that certificates use. */
const PKCS12_SCHEMES: Record<string, { cipher: 'des-ede3-cbc' | 'des-ede-cbc' | 'rc2'; keyBytes: number }> = {
  '1.2.840.113549.1.12.1.3': { cipher: 'des-ede3-cbc', keyBytes: 24 },
  '1.2.840.113549.1.12.1.4': { cipher: 'des-ede-cbc', keyBytes: 16 },
  '1.2.840.113549.1.12.1.5': { cipher: 'rc2', keyBytes: 16 },
  '1.2.840.113549.1.12.1.6': { cipher: 'rc2', keyBytes: 5 },
};

/** PBES2 with PBKDF2 (RFC 8018): used by programs since about 2015. */
const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';
const PBKDF2_DIGESTS: Record<string, string> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};
const PBES2_CIPHERS: Record<string, { cipher: string; keyBytes: number }> = {
  '2.16.840.1.101.3.4.1.2': { cipher: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { cipher: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { cipher: 'aes-256-cbc', keyBytes: 32 },
  '1.2.840.113549.3.7': { cipher: 'des-ede3-cbc', keyBytes: 24 },
};

const MAC_DIGESTS: Record<string, string> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** The block size of a hash in bytes. */
const BLOCK_BYTES: Record<string, number> = { sha1: 64, sha256: 64, sha384: 128, sha512: 128 };

/** Decrypts a SEQUENCE whose AlgorithmIdentifier names a password-based encryption. */
export function decrypt(
  algorithm: Node | undefined,
  encrypted: Buffer,
  password: Password,
  work: WorkBudget,
): Buffer | Problem {
  const [id, parameters] = childrenOf(algorithm);
  const oid = oidOf(id);
  if (oid === PBES2) return decryptPbes2(parameters, encrypted, password, work);
  const scheme = PKCS12_SCHEMES[oid];
  if (scheme === undefined) return { kind: 'unsupported', what: `encryption ${oid}` };
  const [saltNode, countNode] = childrenOf(parameters);
  const iterations = integerOf(countNode);
  const refusal = work.derive(iterations);
  if (refusal !== null) return refusal;
  const derive = (purpose: 1 | 2, length: number) =>
    deriveKey({ digest: 'sha1', password, salt: bytesOf(saltNode), iterations, purpose, length });
  const key = derive(1, scheme.keyBytes);
  const iv = derive(2, 8);
  if (scheme.cipher === 'rc2') return decryptRc2(key, iv, encrypted);
  // Node supports triple DES only with three keys; with two, the first is also the third.
  const three = scheme.keyBytes === 24 ? key : Buffer.concat([key, key.subarray(0, 8)]);
  return decipher('des-ede3-cbc', three, iv, encrypted);
}

function decryptPbes2(
  parameters: Node | undefined,
  encrypted: Buffer,
  password: Password,
  work: WorkBudget,
): Buffer | Problem {
  const [derivation, encryption] = childrenOf(parameters);
  const [derivationId, derivationParameters] = childrenOf(derivation);
  const [cipherId, ivNode] = childrenOf(encryption);
  if (oidOf(derivationId) !== PBKDF2)
    return { kind: 'unsupported', what: `key derivation ${oidOf(derivationId)}` };
  const scheme = PBES2_CIPHERS[oidOf(cipherId)];
  if (scheme === undefined) return { kind: 'unsupported', what: `encryption ${oidOf(cipherId)}` };
  const [saltNode, countNode, ...more] = childrenOf(derivationParameters);
  const iterations = integerOf(countNode);
  const refusal = work.derive(iterations);
  if (refusal !== null) return refusal;
  const prf = more.map((node) => oidOf(childrenOf(node)[0])).find((oid) => oid !== '');
  const digest = prf === undefined ? 'sha1' : PBKDF2_DIGESTS[prf];
  if (digest === undefined) return { kind: 'unsupported', what: `hash ${prf}` };
  let decrypted: Buffer | Problem = WRONG_PASSWORD;
  for (const bytes of bytesOfPassword(password ?? '')) {
    const key = pbkdf2Sync(bytes, bytesOf(saltNode), iterations, scheme.keyBytes, digest);
    decrypted = decipher(scheme.cipher, key, bytesOf(ivNode), encrypted);
    // About one wrong key in 250 produces bytes that look like padding; this must not prevent the next spelling of
    // the password from being tried.
    if (Buffer.isBuffer(decrypted) && isSequence(parseDer(decrypted) ?? undefined)) return decrypted;
  }
  return decrypted;
}

/**
 * RFC 8018 does not define the encoding of a password: most programs use UTF-8, some Latin-1. For ASCII both are
 * the same.
 */
function bytesOfPassword(password: string): Buffer[] {
  const [utf8, latin1] = [Buffer.from(password, 'utf8'), Buffer.from(password, 'latin1')];
  return latin1.equals(utf8) ? [utf8] : [utf8, latin1];
}

function decipher(cipher: string, key: Buffer, iv: Buffer, encrypted: Buffer): Buffer | Problem {
  try {
    const decryption = createDecipheriv(cipher, key, iv);
    return Buffer.concat([decryption.update(encrypted), decryption.final()]);
  } catch {
    // Almost every wrong key is detected by the padding.
    return WRONG_PASSWORD;
  }
}

/** Node's OpenSSL 3 no longer has RC2; FNMT's files still use it. */
function decryptRc2(key: Buffer, iv: Buffer, encrypted: Buffer): Buffer | Problem {
  const cipher = forge.rc2.createDecryptionCipher(key.toString('latin1'), key.length * 8);
  cipher.start(iv.toString('latin1'));
  cipher.update(forge.util.createBuffer(encrypted.toString('latin1')));
  return cipher.finish() ? Buffer.from(cipher.output.getBytes(), 'latin1') : WRONG_PASSWORD;
}

/** Counts the rounds of an encryption. An unknown encryption counts nothing, because it is not executed. */
export function countRounds(algorithm: Node | undefined, work: WorkBudget): Problem | null {
  const [id, parameters] = childrenOf(algorithm);
  const oid = oidOf(id);
  if (oid !== PBES2 && PKCS12_SCHEMES[oid] === undefined) return null;
  const derivation = oid === PBES2 ? childrenOf(childrenOf(parameters)[0])[1] : parameters;
  return work.derive(integerOf(childrenOf(derivation)[1]));
}

/** Counts the rounds of a MAC. */
export function countMacRounds(macData: Node, work: WorkBudget): Problem | null {
  return work.derive(macRounds(macData));
}

function macRounds(macData: Node): number {
  const [, , count] = childrenOf(macData);
  return count === undefined ? 1 : integerOf(count);
}

/** Whether the password is the one that the MAC of a PKCS#12 was computed with (RFC 7292 section 4, MacData). */
export function checkMac(
  macData: Node,
  content: Buffer,
  password: Password,
  work: WorkBudget,
): Problem | null {
  const [digestInfo, saltNode] = childrenOf(macData);
  const [algorithm, expectedNode] = childrenOf(digestInfo);
  const oid = oidOf(childrenOf(algorithm)[0]);
  const digest = MAC_DIGESTS[oid];
  if (digest === undefined) return { kind: 'unsupported', what: `seal ${oid}` };
  const expected = bytesOf(expectedNode);
  const refusal = countMacRounds(macData, work);
  if (refusal !== null) return refusal;
  const salt = bytesOf(saltNode);
  const iterations = macRounds(macData);
  const key = deriveKey({ digest, password, salt, iterations, purpose: 3, length: hashBytes(digest) });
  const actual = createHmac(digest, key).update(content).digest();
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? null : WRONG_PASSWORD;
}

const hashBytes = (digest: string): number => createHash(digest).digest().length;

type Derivation = {
  readonly digest: string;
  readonly password: Password;
  readonly salt: Buffer;
  readonly iterations: number;
  /** 1: a key, 2: an initialization vector, 3: a key for the MAC. */
  readonly purpose: 1 | 2 | 3;
  readonly length: number;
};

/** The key derivation of PKCS#12 (RFC 7292 appendix B.2). */
function deriveKey({ digest, password, salt, iterations, purpose, length }: Derivation): Buffer {
  const block = BLOCK_BYTES[digest]!;
  const diversifier = Buffer.alloc(block, purpose);
  const input = Buffer.concat([filled(salt, block), filled(bmpOf(password), block)]);
  const parts: Buffer[] = [];
  for (let produced = 0; produced < length; ) {
    let hash = createHash(digest).update(diversifier).update(input).digest();
    for (let round = 1; round < iterations; round += 1) hash = createHash(digest).update(hash).digest();
    parts.push(hash);
    produced += hash.length;
    const addend = filled(hash, block).subarray(0, block);
    for (let start = 0; start < input.length; start += block) {
      addPlusOne(input.subarray(start, start + block), addend);
    }
  }
  return Buffer.concat(parts).subarray(0, length);
}

/** Repeats the bytes until whole blocks are full. */
function filled(bytes: Buffer, block: number): Buffer {
  return bytes.length === 0 ? Buffer.alloc(0) : Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes);
}

/** `target = target + addend + 1`; both are big-endian numbers of the same length. */
function addPlusOne(target: Buffer, addend: Buffer): void {
  let carry = 1;
  for (let index = target.length - 1; index >= 0; index -= 1) {
    const sum = target[index]! + addend[index]! + carry;
    target[index] = sum & 0xff;
    carry = sum >> 8;
  }
}

/** Two bytes per character, big-endian, and two zero bytes at the end (RFC 7292 appendix B.1). */
function bmpOf(password: Password): Buffer {
  if (password === null) return Buffer.alloc(0);
  return Buffer.from(`${password}\u0000`, 'utf16le').swap16();
}
