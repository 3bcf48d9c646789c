import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** The content of a checkpoint: the journal's name, the number of entries, and the root of the tree over them. */
export type Checkpoint = { readonly origin: string; readonly size: number; readonly root: Buffer };

/** The number of Ed25519 in the formats (C2SP signed-note). */
const ED25519 = Buffer.from([1]);
/** The prefix of an Ed25519 seed in PKCS #8, and of the key in SubjectPublicKeyInfo (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_ID_BYTES = 4;

/** A verifier of notes: a name, and the public key. */
export type Verifier = { readonly name: string; readonly id: Buffer; readonly key: KeyObject };

/** A key that signs checkpoints with a name. */
export type Signer = Verifier & { readonly secret: KeyObject };

/** The signer of a secret of 32 bytes. The name is in every signature, and must contain neither spaces nor `+`. */
export function signerOf(name: string, seed: Buffer): Signer {
  const secret = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const key = createPublicKey(secret);
  return { name, key, secret, id: keyId(name, publicBytes(key)) };
}

function publicBytes(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' }).subarray(SPKI.length);
}

function keyId(name: string, key: Buffer): Buffer {
  const digest = createHash('sha256').update(`${name}\n`).update(ED25519).update(key).digest();
  return digest.subarray(0, KEY_ID_BYTES);
}

/**
 * The public key with which others verify the signer's notes, in the format of the Go checksum database:
 * `<name>+<id>+<key>`.
 */
export function verifierKey({ name, id, key }: Verifier): string {
  return `${name}+${id.toString('hex')}+${Buffer.concat([ED25519, publicBytes(key)]).toString('base64')}`;
}

/** Parses what `verifierKey` writes; null for anything else, also when the id does not match name and key. */
export function readVerifierKey(text: string): Verifier | null {
  const [, name = '', id = '', encoded = ''] =
    /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(text.trim()) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  const [kind, raw] = [bytes.subarray(0, 1), bytes.subarray(1)];
  if (!kind.equals(ED25519) || keyId(name, raw).toString('hex') !== id) return null;
  const key = createPublicKey({ key: Buffer.concat([SPKI, raw]), format: 'der', type: 'spki' });
  return { name, id: Buffer.from(id, 'hex'), key };
}

/**
 * A checkpoint as a signed note (C2SP tlog-checkpoint and signed-note), which tools for transparency logs can read.
 */
export function signedNote({ origin, size, root }: Checkpoint, signer: Signer): string {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n`;
  const signature = Buffer.concat([signer.id, sign(null, Buffer.from(text), signer.secret)]);
  return `${text}\n— ${signer.name} ${signature.toString('base64')}\n`;
}

const NOTE = /^([^\n]+)\n(0|[1-9]\d{0,9})\n([A-Za-z0-9+/]{43}=)\n\n((?:— [^\n]+\n)+)/gm;

/** A parsed note: its content, and whether the verifier's key has signed it. */
export type ReadNote = Checkpoint & { readonly signed: boolean };

/** The notes in a text, in order. Anything else is skipped. */
export function readNotes(text: string, verifier: Verifier): ReadNote[] {
  return [...text.matchAll(NOTE)].map(([, origin = '', size = '', root = '', signatures = '']) => {
    const content = Buffer.from(`${origin}\n${size}\n${root}\n`);
    return {
      ...{ origin, size: Number(size), root: Buffer.from(root, 'base64') },
      signed: signatures.split('\n').some((line) => isSignature(line, content, verifier)),
    };
  });
}

function isSignature(line: string, content: Buffer, { name, id, key }: Verifier): boolean {
  const [, signedBy, encoded = ''] = /^— (\S+) (\S+)$/.exec(line) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  // Base64 has several texts for the same bytes, of which the format accepts one.
  if (bytes.toString('base64') !== encoded) return false;
  if (signedBy !== name || !bytes.subarray(0, KEY_ID_BYTES).equals(id)) return false;
  return verify(null, content, key, bytes.subarray(KEY_ID_BYTES));
}
