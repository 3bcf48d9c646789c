import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { CertificateKey } from '../../ground/config/config.ts';
import type { Identity } from './read-certificate.ts';

const CIPHER = 'aes-256-gcm';
/** The length for which GCM is made (NIST SP 800-38D section 5.2.1.1); random ones do not meet at our few rows. */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Which row the secret belongs to: a secret that was moved to another row cannot be opened there. */
export type Place = {
  readonly id: string;
  readonly companyId: string | null;
  readonly fingerprint: string;
};

/** A secret as it is stored, and the name of the key that opens it. */
export type Sealed = { readonly keyName: string; readonly sealed: Buffer };

/** Certificates with their keys under lock: the first of the configured keys locks, all of them open. */
export class Vault {
  readonly #keys: readonly CertificateKey[];

  /** Throws when there is no key at all. */
  constructor(keys: readonly CertificateKey[]) {
    if (keys.length === 0) throw new Error('there is no key to lock certificates with');
    this.#keys = keys;
  }

  /** The name of the key that locks now. */
  get keyName(): string {
    return this.#keys[0]!.name;
  }

  seal(identity: Identity, place: Place): Sealed {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#keys[0]!.key, iv).setAAD(bindingOf(place));
    const text = Buffer.concat([cipher.update(JSON.stringify(identity), 'utf8'), cipher.final()]);
    return { keyName: this.keyName, sealed: Buffer.concat([iv, cipher.getAuthTag(), text]) };
  }

  /** The certificate with its key, or why it cannot be opened, in words for an operator. */
  open({ keyName, sealed }: Sealed, place: Place): Identity | string {
    const named = this.#keys.find(({ name }) => name === keyName);
    if (named === undefined) return `CERTIFICATE_KEYS holds no key named ${keyName}`;
    const iv = sealed.subarray(0, IV_BYTES);
    const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
    try {
      const decipher = createDecipheriv(CIPHER, named.key, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(bindingOf(place)).setAuthTag(tag);
      const text = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      return JSON.parse(text.toString('utf8')) as Identity;
    } catch {
      return `the key named ${keyName} in CERTIFICATE_KEYS is not the one that locked it, or the row was tampered with`;
    }
  }
}

function bindingOf({ id, companyId, fingerprint }: Place): Buffer {
  return Buffer.from(JSON.stringify(['client_certificate', id, companyId, fingerprint]));
}
