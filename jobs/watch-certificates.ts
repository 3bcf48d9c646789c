import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { warnOfExpiry } from '../src/subjects/certificates/expiry.ts';

/** Warns of client certificates that run out soon. */
export function watchCertificatesTask(services: Pick<Services, 'certificates' | 'log' | 'config'>): Task {
  const { certificates, log, config } = services;
  return () => warnOfExpiry(certificates, { log, needed: config.agency.endpoint !== 'simulator' });
}
