import type { CertificateKind } from '../../../generated/prisma/enums.ts';
import type { Db } from '../../ground/db/client.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Identity } from './read-certificate.ts';
import { activeCertificates, certificateOfEnvironment, type StoredCertificate } from './store.ts';
import type { Vault } from './vault.ts';

/** A certificate with which an environment may present itself now. */
export type CertificateInUse = {
  readonly kind: CertificateKind;
  /** Tells certificates apart, also of the same holder. */
  readonly fingerprint: string;
  /** Who holds it; null when it names nobody with a Spanish NIF. */
  readonly holderNif: string | null;
  readonly validTo: Date;
  /** The certificate with its key, or why it cannot be opened. */
  readonly open: () => Identity | string;
};

/** How long a certificate still lasts. */
export type Expiry = {
  /** Its id, or `AGENCY_CERTIFICATE_FILE`. */
  readonly certificate: string;
  /** `platform`, `configuration`, or the id of the company. */
  readonly owner: string;
  readonly validTo: Date;
  /** Whole days, negative when it has run out. */
  readonly daysLeft: number;
};

/** Which certificate is whose. */
export type CertificatesInUse = {
  /**
   * The active certificate of the environment's company, else the platform's, else the configured one; null when there
   * is none. One that has run out counts for nothing. Asked before each envelope, so that a new one is used by the next.
   */
  of(environmentId: number): Promise<CertificateInUse | null>;
  /** How long each of those in use still lasts, the run out ones too. */
  expiries(): Promise<Expiry[]>;
};

/** `configured`: the one that the process was started with. */
export function certificatesInUse(
  keeping: { readonly db: Pick<Db, 'pool'>; readonly vault: Vault },
  configured: CertificateInUse | null,
): CertificatesInUse {
  const { pool } = keeping.db;
  return {
    async of(environmentId) {
      const now = clock.now();
      const row = await certificateOfEnvironment(pool, environmentId, now);
      if (row === null) return configured !== null && configured.validTo > now ? configured : null;
      const { kind, fingerprint, holderNif, validTo } = row;
      return { kind, fingerprint, holderNif, validTo, open: () => keeping.vault.open(row, row) };
    },
    async expiries() {
      const stored = (await activeCertificates(pool)).map(({ id, companyId, validTo }) =>
        expiryOf(id, companyId ?? 'platform', validTo),
      );
      if (configured === null) return stored;
      return [expiryOf('AGENCY_CERTIFICATE_FILE', 'configuration', configured.validTo), ...stored];
    },
  };
}

/** A certificate that would be used, and what it opens to, or why it cannot be opened. */
export type Opened = { readonly certificate: StoredCertificate; readonly identity: Identity | string };

/** Opens all of those, the run out ones too; the soonest to end first. */
export async function openActive({
  db,
  vault,
}: {
  readonly db: Pick<Db, 'pool'>;
  readonly vault: Vault;
}): Promise<Opened[]> {
  const rows = await activeCertificates(db.pool);
  return rows.map((certificate) => ({ certificate, identity: vault.open(certificate, certificate) }));
}

function expiryOf(certificate: string, owner: string, validTo: Date): Expiry {
  return { certificate, owner, validTo, daysLeft: daysUntil(validTo) };
}

const DAY_MS = 86_400_000;

/** Whole days from now on, negative for what is past. */
export function daysUntil(instant: Date): number {
  return Math.floor((instant.getTime() - clock.now().getTime()) / DAY_MS);
}
