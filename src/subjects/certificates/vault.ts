import { decrypt, type Encrypted, type EncryptionKey, encrypt } from '../../ground/lib/encryption.ts';
import type { Identity } from './read-certificate.ts';

/** Which row the secret belongs to: a secret that was moved to another row cannot be opened there. */
export type Place = {
  readonly id: string;
  readonly companyId: string | null;
  readonly fingerprint: string;
};

/** A certificate with its key as it is stored. */
export type Sealed = Encrypted;

/** Certificates with their keys under lock: the first of the configured keys locks, all of them open. */
export class Vault {
  readonly #keys: readonly EncryptionKey[];

  /** Throws when there is no key at all. */
  constructor(keys: readonly EncryptionKey[]) {
    if (keys.length === 0) throw new Error('there is no key to lock certificates with');
    this.#keys = keys;
  }

  /** The name of the key that locks now. */
  get keyName(): string {
    return this.#keys[0]!.name;
  }

  seal(identity: Identity, place: Place): Sealed {
    return encrypt(this.#keys, JSON.stringify(identity), bindingOf(place));
  }

  /** The certificate with its key, or why it cannot be opened, in words for an operator. */
  open(sealed: Sealed, place: Place): Identity | string {
    const opened = decrypt(this.#keys, sealed, bindingOf(place));
    if (typeof opened === 'object') return JSON.parse(opened.text) as Identity;
    return opened === 'key missing'
      ? `CERTIFICATE_KEYS holds no key named ${sealed.keyName}`
      : `the key named ${sealed.keyName} in CERTIFICATE_KEYS is not the one that locked it, or the row was tampered with`;
  }
}

function bindingOf({ id, companyId, fingerprint }: Place): readonly unknown[] {
  return ['client_certificate', id, companyId, fingerprint];
}
