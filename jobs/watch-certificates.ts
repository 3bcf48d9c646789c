import type { Task } from 'graphile-worker';
import { warnOfExpiry } from '../src/certificates/expiry.ts';
import type { Services } from '../src/services.ts';

/** Warns of client certificates that run out soon. */
export function watchCertificatesTask(services: Pick<Services, 'certificates' | 'log' | 'config'>): Task {
  const { certificates, log, config } = services;
  return () => warnOfExpiry(certificates, { log, needed: config.agency.endpoint !== 'simulator' });
}
