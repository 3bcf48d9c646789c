import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** What a checkpoint says: the journal's name, how many entries it had, and the root of the tree over them. */
export type Checkpoint = { readonly origin: string; readonly size: number; readonly root: Buffer };

/** How the formats number Ed25519 (C2SP signed-note). */
const ED25519 = Buffer.from([1]);
/** What precedes an Ed25519 seed in PKCS #8, and the key in SubjectPublicKeyInfo (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_BYTES = 12;
const KEY_ID_BYTES = 4;

/** A key that signs checkpoints under a name. */
export type Signer = { readonly name: string; readonly key: KeyObject };

/** The signer of a secret of 32 bytes. The name stands in every signature, and may hold neither spaces nor `+`. */
export function signerOf(name: string, seed: Buffer): Signer {
  return { name, key: createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' }) };
}

function publicBytes(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI_BYTES);
}

function keyId({ name, key }: Signer): Buffer {
  const digest = createHash('sha256').update(`${name}\n`).update(ED25519).update(publicBytes(key)).digest();
  return digest.subarray(0, KEY_ID_BYTES);
}

/** The key by which others verify the signer's notes, in the form of the Go checksum database: `<name>+<id>+<key>`. */
export function verifierKey(signer: Signer): string {
  const key = Buffer.concat([ED25519, publicBytes(signer.key)]).toString('base64');
  return `${signer.name}+${keyId(signer).toString('hex')}+${key}`;
}

/** A checkpoint as a signed note (C2SP tlog-checkpoint and signed-note), which any tool for transparency logs reads. */
export function signedNote({ origin, size, root }: Checkpoint, signer: Signer): string {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n`;
  const signature = Buffer.concat([keyId(signer), sign(null, Buffer.from(text), signer.key)]);
  return `${text}\n— ${signer.name} ${signature.toString('base64')}\n`;
}

const NOTE = /^([^\n]+)\n(\d{1,10})\n([A-Za-z0-9+/]{43}=)\n\n((?:— [^\n]+\n)+)/gm;

/** A note that was read: what it says, and whether the signer has signed it. */
export type ReadNote = Checkpoint & { readonly signed: boolean };

/** The notes of a text, one after the other. What is no note is passed over, so a text without one gives none. */
export function readNotes(text: string, signer: Signer): ReadNote[] {
  return [...text.matchAll(NOTE)].map(([, origin = '', size = '', root = '', signatures = '']) => {
    const said = Buffer.from(`${origin}\n${size}\n${root}\n`);
    return {
      ...{ origin, size: Number(size), root: Buffer.from(root, 'base64') },
      signed: signatures.split('\n').some((line) => isSignature(line, said, signer)),
    };
  });
}

function isSignature(line: string, said: Buffer, signer: Signer): boolean {
  const [, name, encoded = ''] = /^— (\S+) (\S+)$/.exec(line) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (name !== signer.name || !bytes.subarray(0, KEY_ID_BYTES).equals(keyId(signer))) return false;
  return verify(null, said, createPublicKey(signer.key), bytes.subarray(KEY_ID_BYTES));
}
