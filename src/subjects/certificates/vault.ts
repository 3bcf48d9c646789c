import { decrypt, type Encrypted, type EncryptionKeys, encrypt } from '../../ground/lib/encryption.ts';
import type { Identity } from './read-certificate.ts';

/** The row that the secret belongs to: a secret that was moved to another row cannot be decrypted there. */
export type RowReference = {
  readonly id: string;
  readonly companyId: string | null;
  readonly fingerprint: string;
};

/** A certificate with its key as it is stored. */
export type Sealed = Encrypted;

/**
 * Encrypts and decrypts certificates with their keys: the current one of the configured keys encrypts, all of them
 * decrypt.
 */
export class Vault {
  readonly #keys: EncryptionKeys;

  constructor(keys: EncryptionKeys) {
    this.#keys = keys;
  }

  /** The name of the key that encrypts. */
  get keyName(): string {
    return this.#keys.current.name;
  }

  seal(identity: Identity, reference: RowReference): Sealed {
    return encrypt(this.#keys, JSON.stringify(identity), bindingOf(reference));
  }

  /** The certificate with its key, or why it cannot be decrypted, as a text for an operator. */
  open(sealed: Sealed, reference: RowReference): Identity | string {
    const opened = decrypt(this.#keys, sealed, bindingOf(reference));
    if (typeof opened === 'object') return JSON.parse(opened.text) as Identity;
    return opened === 'key missing'
      ? `CERTIFICATE_KEYS holds no key named ${sealed.keyName}`
      : `the key named ${sealed.keyName} in CERTIFICATE_KEYS is not the one that locked it, or the row was tampered with`;
  }
}

function bindingOf({ id, companyId, fingerprint }: RowReference): readonly unknown[] {
  return ['client_certificate', id, companyId, fingerprint];
}
