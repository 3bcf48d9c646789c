import type { CertificateKind } from '../../generated/prisma/enums.ts';
import type { Db } from '../db/client.ts';
import { clock } from '../lib/clock.ts';
import type { Identity } from './read-certificate.ts';
import { certificateOfEnvironment } from './store.ts';
import type { Vault } from './vault.ts';

/** A certificate with which an environment may present itself now. */
export type CertificateInUse = {
  readonly kind: CertificateKind;
  /** Tells certificates apart, also of the same holder. */
  readonly fingerprint: string;
  /** The certificate with its key, or why it cannot be opened. */
  readonly open: () => Identity | string;
};

/** Which certificate is whose. Asked before each envelope, so that a new one is used by the next. */
export type CertificatesInUse = {
  /**
   * The active certificate of the environment's company, else the platform's, else the configured one; null when there
   * is none. One that has run out counts for nothing.
   */
  of(environmentId: number): Promise<CertificateInUse | null>;
};

/** `configured`: the one that the process was started with. */
export function certificatesInUse(
  keeping: { readonly db: Db; readonly vault: Vault },
  configured: CertificateInUse | null,
): CertificatesInUse {
  return {
    async of(environmentId) {
      const row = await certificateOfEnvironment(keeping.db.pool, environmentId, clock.now());
      if (row === null) return configured;
      return { kind: row.kind, fingerprint: row.fingerprint, open: () => keeping.vault.open(row, row) };
    },
  };
}
