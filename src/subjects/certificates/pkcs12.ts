import {
  bytesOf,
  childrenOf,
  derOf,
  integerOf,
  isSequence,
  type Node,
  oidOf,
  parseDer,
  tagged,
} from './der.ts';
import { checkMac, countMacRounds, countRounds, decrypt, type Password } from './password.ts';
import type { Problem } from './problem.ts';
import { WorkBudget } from './work-budget.ts';

/** The certificates and keys of a container, in DER: X.509 and PKCS#8. */
export type Contents = { readonly certificates: readonly Buffer[]; readonly keys: readonly Buffer[] };

const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const KEY_BAG = '1.2.840.113549.1.12.10.1.1';
const SHROUDED_KEY_BAG = '1.2.840.113549.1.12.10.1.2';
const CERTIFICATE_BAG = '1.2.840.113549.1.12.10.1.3';
const NESTED_BAG = '1.2.840.113549.1.12.10.1.6';
const X509 = '1.2.840.113549.1.9.22.1';

const MALFORMED: Problem = { kind: 'malformed' };

/**
 * Reads a PKCS#12 (.p12, .pfx; RFC 7292): modern ones with AES, and those with RC2 or triple DES that Node itself
 * rejects. `malformed` when it is not a PKCS#12.
 */
export function readPkcs12(file: Buffer, password: string): Contents | Problem {
  const problem = checkEffort(file);
  if (problem !== null) return problem;
  let read: Contents | Problem = { kind: 'wrong_password' };
  for (const encoding of encodingsOf(password)) {
    read = open(file, encoding);
    if (!('kind' in read) || read.kind !== 'wrong_password') return read;
  }
  return read;
}

/**
 * The same password in the encodings that programs have used: an empty one as none, accents composed or decomposed,
 * and by OpenSSL before 1.1 one byte per character.
 */
function encodingsOf(password: string): Set<Password> {
  if (password === '') return new Set(['', null]);
  const bytewise = Buffer.from(password, 'utf8').toString('latin1');
  return new Set([password, password.normalize('NFC'), password.normalize('NFD'), bytewise]);
}

/**
 * Adds up the work that the unencrypted part of the file requires, before any key is derived. Encrypted parts are
 * counted once they are opened.
 */
function checkEffort(file: Buffer): Problem | null {
  const [, authSafe, macData] = childrenOf(parseDer(file) ?? undefined);
  const work = new WorkBudget();
  const problems = [macData === undefined ? null : countMacRounds(macData, work)];
  for (const part of childrenOf(parseDer(bytesOf(contentOf(authSafe))) ?? undefined)) {
    const inner = contentOf(part);
    if (oidOf(childrenOf(part)[0]) === DATA) problems.push(surveyBags(parseDer(bytesOf(inner)), work));
    else problems.push(countRounds(childrenOf(childrenOf(inner)[1])[1], work));
  }
  // Other errors are found, and named, in reading.
  return problems.find((problem) => problem?.kind === 'excessive' || problem?.kind === 'unsupported') ?? null;
}

function surveyBags(bags: Node | null, work: WorkBudget): Problem | null {
  for (const bag of childrenOf(bags ?? undefined)) {
    const type = oidOf(childrenOf(bag)[0]);
    const value = contentOf(bag);
    let problem = type === NESTED_BAG ? surveyBags(value ?? null, work) : work.bag();
    if (type === SHROUDED_KEY_BAG) problem ??= countRounds(childrenOf(value)[0], work);
    if (problem !== null) return problem;
  }
  return null;
}

/** The content after an object identifier, in `[0]`. */
function contentOf(typed: Node | undefined): Node | undefined {
  return childrenOf(childrenOf(typed)[1])[0];
}

function open(file: Buffer, password: Password): Contents | Problem {
  const work = new WorkBudget();
  const [version, authSafe, macData] = childrenOf(parseDer(file) ?? undefined);
  const [type, content] = childrenOf(authSafe);
  if (integerOf(version) !== 3 || !isSequence(authSafe)) return MALFORMED;
  if (oidOf(type) !== DATA) return { kind: 'unsupported', what: 'a seal by public key' };
  const safe = bytesOf(childrenOf(content)[0]);
  if (macData !== undefined) {
    const problem = checkMac(macData, safe, password, work);
    if (problem !== null) return problem;
  }
  const contents: Mutable = { certificates: [], keys: [] };
  const root = parseDer(safe);
  if (root === null) return MALFORMED;
  for (const part of childrenOf(root)) {
    const bags = openPart(part, password, work);
    const problem = Buffer.isBuffer(bags) ? readBags(bags, { password, work }, contents) : bags;
    if (problem !== null) return problem;
  }
  return contents;
}

type Mutable = { readonly certificates: Buffer[]; readonly keys: Buffer[] };

/** The SafeContents of one part, decrypted if necessary. */
function openPart(part: Node, password: Password, work: WorkBudget): Buffer | Problem {
  const [type, content] = childrenOf(part);
  const [inner] = childrenOf(content);
  switch (oidOf(type)) {
    case DATA:
      return bytesOf(inner);
    case ENCRYPTED_DATA: {
      const [, encryptedContent] = childrenOf(inner);
      const [, algorithm] = childrenOf(encryptedContent);
      return decrypt(algorithm, bytesOf(tagged(encryptedContent, 0)), password, work);
    }
    default:
      return { kind: 'unsupported', what: `part ${oidOf(type)}` };
  }
}

/** The password for encrypted bags. */
type Opening = { readonly password: Password; readonly work: WorkBudget };

function readBags(safeContents: Buffer, opening: Opening, contents: Mutable): Problem | null {
  const root = parseDer(safeContents);
  // Data decrypted with a wrong password can end in bytes that look like padding.
  return root === null ? { kind: 'wrong_password' } : collect(root, opening, contents);
}

function collect(bags: Node, opening: Opening, contents: Mutable): Problem | null {
  for (const bag of childrenOf(bags)) {
    const [type, holder] = childrenOf(bag);
    const [value] = childrenOf(holder);
    if (value === undefined) return MALFORMED;
    const problem = readBag(oidOf(type), value, opening, contents);
    if (problem !== null) return problem;
  }
  return null;
}

function readBag(type: string, value: Node, opening: Opening, contents: Mutable): Problem | null {
  const tooMany = type === NESTED_BAG ? null : opening.work.bag();
  if (tooMany !== null) return tooMany;
  switch (type) {
    case CERTIFICATE_BAG: {
      const [kind, certificate] = childrenOf(value);
      if (oidOf(kind) === X509) contents.certificates.push(bytesOf(childrenOf(certificate)[0]));
      return null;
    }
    case KEY_BAG:
      contents.keys.push(derOf(value));
      return null;
    case SHROUDED_KEY_BAG: {
      const key = decryptKey(value, opening);
      if (!Buffer.isBuffer(key)) return key;
      contents.keys.push(key);
      return null;
    }
    case NESTED_BAG:
      return collect(value, opening, contents);
    default:
      // Revocation lists and secrets are ignored.
      return null;
  }
}

/** The PKCS#8 in an EncryptedPrivateKeyInfo (RFC 5958). */
export function decryptKey(info: Node, { password, work }: Opening): Buffer | Problem {
  const [algorithm, encrypted] = childrenOf(info);
  const key = decrypt(algorithm, bytesOf(encrypted), password, work);
  if (!Buffer.isBuffer(key)) return key;
  return isSequence(parseDer(key) ?? undefined) ? key : { kind: 'wrong_password' };
}
