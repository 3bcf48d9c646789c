import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { recordExpiring, warnOfExpiry } from '../src/subjects/certificates/expiry.ts';

/** Warns of client certificates that expire soon: operators by the log, and merchants by an event. */
export function watchCertificatesTask(
  services: Pick<Services, 'certificates' | 'log' | 'config' | 'db'>,
): Task {
  const { certificates, log, config, db } = services;
  return async () => {
    await warnOfExpiry(certificates, { log, needed: config.agency.endpoint !== 'simulator' });
    await recordExpiring(db);
  };
}
