import { Gauge } from 'prom-client';
import type { Db } from '../../ground/db/client.ts';
import type { Lineage } from '../../ground/db/lineage.ts';
import { append } from '../../ground/journal/append.ts';
import { canonicalJson } from '../../ground/journal/canonical.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import type { CertificatesInUse } from './in-use.ts';
import { unreportedExpiring } from './store.ts';

/**
 * Obtaining a certificate requires identification in person and takes some days; a month leaves room for a holiday.
 */
export const ALARM_DAYS = 30;

/**
 * Warns of each certificate in use that expires within a month or has expired, and, with the real agency
 * (`needed`), when there is none.
 */
export async function warnOfExpiry(
  certificates: CertificatesInUse,
  { log, needed }: { readonly log: Logger; readonly needed: boolean },
): Promise<void> {
  const expiries = await certificates.expiries();
  if (needed && expiries.length === 0) {
    log.error('there is no client certificate: nothing can be registered before one is uploaded');
  }
  for (const { certificate, owner, validTo, daysLeft } of expiries) {
    const facts = { certificate, owner, validTo, daysLeft };
    if (daysLeft < 0) log.error(facts, 'a client certificate has expired: nothing can be registered with it');
    else if (daysLeft < ALARM_DAYS) {
      log.warn(facts, 'a client certificate expires soon: upload its successor');
    }
  }
}

/**
 * Appends an event to the journal of the live environment of each company whose own certificate expires within a
 * month or has expired, once for each certificate.
 */
export async function recordExpiring({ pool }: Pick<Db, 'pool'>): Promise<void> {
  const now = clock.now();
  const alarm = new Date(now.getTime() + ALARM_DAYS * 86_400_000);
  for (const { environmentId, certificate } of await unreportedExpiring(pool, alarm)) {
    const { id, kind, holderNif, holderName, validFrom, validTo, fingerprint } = certificate;
    const content = canonicalJson({
      ...{ id, kind, holder_nif: holderNif, holder_name: holderName, fingerprint },
      ...{ valid_from: validFrom, valid_to: validTo },
    });
    await append(pool, [{ environmentId, type: 'certificate.expiring', subjectId: id, at: now, content }]);
  }
}

const measured = new Map<CertificatesInUse, Pick<Lineage, 'away'>>();

const expiry = new Gauge({
  name: 'lacre_certificate_expiry_timestamp_seconds',
  help: 'Expiry of a client certificate in use, in Unix time. One series per certificate: the platform’s and companies’ own.',
  labelNames: ['certificate', 'owner'],
  async collect() {
    this.reset();
    for (const [certificates, { away }] of measured) {
      // Without the database only this metric is missing; the others must still be served, and at once.
      if (away !== null) continue;
      const expiries = await certificates.expiries().catch(() => []);
      for (const { certificate, owner, validTo } of expiries) {
        this.labels(certificate, owner).set(validTo.getTime() / 1_000);
      }
    }
  },
});

/**
 * Makes the metric `lacre_certificate_expiry_timestamp_seconds` show these certificates until the returned function
 * is called.
 */
export function measureExpiry(certificates: CertificatesInUse, { lineage }: Pick<Db, 'lineage'>): () => void {
  measured.set(certificates, lineage);
  return () => {
    measured.delete(certificates);
    expiry.reset();
  };
}
