import type { Db } from '../../ground/db/client.ts';
import { isWorkerAway } from '../../ground/db/distribution/workers.ts';
import type { Cause } from '../../ground/lib/causes.ts';
import { isCertificateAlert } from '../../ground/lib/refused-certificate.ts';
import { type FailedSending, failedSendings, hasProcessDied } from './store/read-causes.ts';
import { liveWorkers } from './store/read-jobs.ts';
import { chainFigures } from './store/read-views.ts';

/** What is looked at: the database, and when the certificates in use expire. */
export type CauseSources = {
  readonly db: Pick<Db, 'pool'> & { readonly writes: Pick<Db['writes'], 'refused'> };
  readonly certificates: {
    expiries(): Promise<readonly { readonly validTo: Date; readonly daysLeft: number }[]>;
  };
};

/**
 * What now needs an operator, of all that can be seen in a database that answers (`database_away` is seen by the process itself).
 * Throws if it does not answer. While one of several servers is away (`server_away`), what is counted on all of them is not known.
 */
export async function standingCauses({ db, certificates }: CauseSources): Promise<Cause[]> {
  const { pool, writes } = db;
  const causes: Cause[] = [];
  if (writes.refused !== null) causes.push(writes.refused);
  if ((await liveWorkers(pool)) === 0) causes.push('no_worker');
  if (await hasProcessDied(pool)) causes.push('process_died');
  const isExpired = (await certificates.expiries()).some(({ daysLeft }) => daysLeft < 0);
  if (isExpired) causes.push('certificate_expired');
  // What follows is counted on all servers.
  if (await isWorkerAway(pool)) return [...causes, 'server_away'];
  const failures = await failedSendings(pool);
  const refused = failures.filter(refusesCertificate);
  if (refused.length > 0 && !isExpired) causes.push('certificate_refused');
  if (failures.length > refused.length) causes.push('agency_silent');
  const { stopped, restored, forked } = await chainFigures(pool);
  if (stopped > 0) causes.push('chains_stopped');
  if (restored + forked > 0) causes.push('chains_held');
  return causes;
}

/** `message` is what the connection failed with, or begins with the status of an answer that could not be read (registration/conclude.ts). */
function refusesCertificate({ message }: FailedSending): boolean {
  return message !== null && (isCertificateAlert(message) || /^HTTP 40[13],/.test(message));
}
