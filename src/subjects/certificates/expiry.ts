import { Gauge } from 'prom-client';
import type { Logger } from '../../ground/lib/logger.ts';
import type { CertificatesInUse } from './in-use.ts';

/** To have a certificate issued takes an identification in person and some days; a month leaves room for a holiday. */
export const ALARM_DAYS = 30;

/**
 * Warns of each certificate in use that runs out within a month, or has run out; and where the agency is the real one
 * (`needed`) also of there being none.
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
    if (daysLeft < 0) log.error(facts, 'a client certificate has run out: nothing can be registered with it');
    else if (daysLeft < ALARM_DAYS) {
      log.warn(facts, 'a client certificate runs out soon: upload its successor');
    }
  }
}

const measured = new Set<CertificatesInUse>();

const expiry = new Gauge({
  name: 'lacre_certificate_expiry_timestamp_seconds',
  help: 'When a client certificate in use runs out, in Unix time. One series a certificate: the platform’s and companies’ own.',
  labelNames: ['certificate', 'owner'],
  async collect() {
    this.reset();
    for (const certificates of measured) {
      // Without the database this figure is missing; the others are not its affair.
      const expiries = await certificates.expiries().catch(() => []);
      for (const { certificate, owner, validTo } of expiries) {
        this.labels(certificate, owner).set(validTo.getTime() / 1_000);
      }
    }
  },
});

/** Has the metric `lacre_certificate_expiry_timestamp_seconds` show these certificates, until what it returns is called. */
export function measureExpiry(certificates: CertificatesInUse): () => void {
  measured.add(certificates);
  return () => {
    measured.delete(certificates);
    expiry.reset();
  };
}
