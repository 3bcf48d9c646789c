import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Keyring, markOf, type SharedSecrets } from './keyring.ts';

const CIPHER = 'aes-256-gcm';
/**
 * The nonce length for which GCM is designed (NIST SP 800-38D section 5.2.1.1); with so few rows, random nonces do not
 * collide.
 */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A named key of 256 bits. */
export type EncryptionKey = { readonly name: string; readonly key: Buffer };

/** An encrypted secret as it is stored, with the name of its key. */
export type Encrypted = { readonly keyName: string; readonly sealed: Buffer };

/** Keys of which the current one encrypts, and all decrypt. */
export type EncryptionKeys = Keyring<EncryptionKey>;

/** The keys of `CERTIFICATE_KEYS`; `shared`: what the live processes have announced. */
export function encryptionKeys(keys: readonly EncryptionKey[], shared?: SharedSecrets): EncryptionKeys {
  return new Keyring(keys, ({ name, key }) => markOf(`key ${name}`, key), shared);
}

/** Encrypts a text with the current key. `binding` identifies its row: in another row it cannot be decrypted. */
export function encrypt({ current }: EncryptionKeys, text: string, binding: readonly unknown[]): Encrypted {
  const { name, key } = current;
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(JSON.stringify(binding)));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return { keyName: name, sealed: Buffer.concat([iv, cipher.getAuthTag(), encrypted]) };
}

/** The text, or the reason why it cannot be decrypted. */
export function decrypt(
  { all }: EncryptionKeys,
  { keyName, sealed }: Encrypted,
  binding: readonly unknown[],
): { readonly text: string } | 'key missing' | 'key wrong' {
  const key = all.find(({ name }) => name === keyName);
  if (key === undefined) return 'key missing';
  const iv = sealed.subarray(0, IV_BYTES);
  const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, key.key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(JSON.stringify(binding))).setAuthTag(tag);
    const text = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return { text: text.toString('utf8') };
  } catch {
    return 'key wrong';
  }
}
