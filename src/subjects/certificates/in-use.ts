import type { CertificateKind } from '../../../generated/prisma/enums.ts';
import type { Db } from '../../ground/db/client.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Identity } from './read-certificate.ts';
import { activeCertificates, certificateOfEnvironment, type StoredCertificate } from './store.ts';
import type { Vault } from './vault.ts';

/** A certificate that an environment may use now. */
export type CertificateInUse = {
  readonly kind: CertificateKind;
  /** Distinguishes certificates, also those of one holder. */
  readonly fingerprint: string;
  /** The holder's NIF; null when the certificate contains no Spanish NIF. */
  readonly holderNif: string | null;
  readonly validTo: Date;
  /** The certificate with its key, or why it cannot be opened. */
  readonly open: () => Identity | string;
};

/** The remaining validity of a certificate. */
export type Expiry = {
  /** Its id, or `AGENCY_CERTIFICATE_FILE`. */
  readonly certificate: string;
  /** `platform`, `configuration`, or the id of the company. */
  readonly owner: string;
  readonly validTo: Date;
  /** Whole days, negative after expiry. */
  readonly daysLeft: number;
};

/** The selection of certificates. */
export type CertificatesInUse = {
  /**
   * The active certificate of the environment's company, else the platform's, else the configured one; null when
   * there is none. Expired certificates are ignored. Called before each envelope, so that a new certificate is used
   * for the next one.
   */
  of(environmentId: number): Promise<CertificateInUse | null>;
  /** The remaining validity of each certificate in use, including expired ones. */
  expiries(): Promise<Expiry[]>;
};

/** `configured`: the certificate that the process was started with. */
export function certificatesInUse(
  services: { readonly db: Pick<Db, 'pool'>; readonly vault: Vault },
  configured: CertificateInUse | null,
): CertificatesInUse {
  const { pool } = services.db;
  return {
    async of(environmentId) {
      const now = clock.now();
      const row = await certificateOfEnvironment(pool, environmentId, now);
      if (row === null) return configured !== null && configured.validTo > now ? configured : null;
      const { kind, fingerprint, holderNif, validTo } = row;
      return { kind, fingerprint, holderNif, validTo, open: () => services.vault.open(row, row) };
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

/** A certificate with its opened content, or the reason why it cannot be opened. */
export type Opened = { readonly certificate: StoredCertificate; readonly identity: Identity | string };

/** Opens all certificates in use, including expired ones, the earliest expiry first. */
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

/** Whole days from now on, negative for the past. */
export function daysUntil(instant: Date): number {
  return Math.floor((instant.getTime() - clock.now().getTime()) / DAY_MS);
}
