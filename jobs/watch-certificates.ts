import type { Task } from 'graphile-worker';
import { warnOfExpiry } from '../src/certificates/expiry.ts';
import type { Services } from '../src/services.ts';

/** Warns of client certificates that run out soon. */
export function watchCertificatesTask(services: Pick<Services, 'certificates' | 'log'>): Task {
  return async () => {
    await warnOfExpiry(services.certificates, services.log);
  };
}
