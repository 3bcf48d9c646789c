import type { Db } from '../../ground/db/client.ts';
import { readFromStandby } from '../../ground/db/standby/read-from.ts';
import type { Standby } from '../../ground/db/standby/standby.ts';
import { INSTALLATION } from '../../ground/journal/entry.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import { type Verification, type VerifyOptions, verifyEnvironment } from '../chain/verify.ts';
import type { JournalFinding } from '../journal/finding.ts';
import {
  type CheckpointPlaces,
  checkpointInFolder,
  checkpointsOf,
  missingJournals,
  takeCheckpoints,
} from '../journal/keep-checkpoints.ts';
import { verifyJournalOnly, withoutEnvironment } from '../journal/verify.ts';
import { environmentsDue, saveVerification } from './store/verification.ts';

/** A verification is valid for a day; slightly less, so that its duration does not postpone the next night's. */
const DUE_AFTER_HOURS = 20;

type VerificationServices = {
  readonly db: Pick<Db, 'pool'>;
  readonly standby: Standby | null;
  readonly log: Logger;
  readonly checkpoints: CheckpointPlaces;
};

/** Checkpoints that a command cannot see are null: nothing is compared with them. */
type CommandServices = Omit<VerificationServices, 'checkpoints'> & {
  readonly checkpoints: CheckpointPlaces | null;
};

/**
 * Verifies an environment, also against the stored checkpoints of its journals, and stores the result unless it was
 * aborted. Null when there is none.
 */
export async function verifyAndStore(
  { db, standby, log, checkpoints }: CommandServices,
  environmentId: number,
  options: Omit<VerifyOptions, 'checkpoint' | 'auditCheckpoint'> = {},
): Promise<Verification | null> {
  // Read before the standby's position is requested: what a checkpoint covers must be present there to be compared.
  const stored = checkpoints === null ? {} : await checkpointsOf(db, checkpoints, environmentId);
  const found = await readFromStandby({ db, standby }, null, ({ pool }) =>
    verifyEnvironment(pool, environmentId, { ...options, ...stored }),
  );
  if (found === null) return null;
  const { records, findingCount, findings, complete, milliseconds } = found;
  // The first finding names the place; its values may be a customer's and are not logged.
  const first = findings[0] && { what: findings[0].what, position: findings[0].position };
  const facts = { environmentId, records, findingCount, complete, milliseconds, first };
  if (findingCount > 0) log.error(facts, 'A CHAIN IS NOT SOUND: what is stored contradicts itself');
  else log.info(facts, 'chains verified');
  // An aborted verification without findings proves nothing.
  if (complete || findingCount > 0) await saveVerification(db.pool, found, clock.now());
  return found;
}

/**
 * Verifies every environment whose last verification is older than a day, one after the other, those that have
 * waited longest first; and the journal of the installation. Then takes a checkpoint of every journal that has
 * grown. After an interruption the next call continues. Returns how many had findings.
 */
export async function verifyDue(services: VerificationServices, signal?: AbortSignal): Promise<number> {
  const due = await environmentsDue(services.db.pool, clock.now(), DUE_AFTER_HOURS);
  let unsound = 0;
  for (const id of due) {
    const found = await verifyAndStore(services, id, { signal });
    if (signal?.aborted) throw new Error('the verification was broken off');
    if (found !== null && found.findingCount > 0) unsound += 1;
  }
  if ((await verifyInstallation(services)).findingCount > 0) unsound += 1;
  await takeCheckpoints(services, 1, signal);
  return unsound;
}

/** The result of verifying the installation's journal. */
export type InstallationVerification = {
  readonly entries: number;
  readonly findingCount: number;
  readonly findings: readonly JournalFinding[];
};

/**
 * Verifies the journal of operators' actions, as of one instant, and that every journal with a stored checkpoint and the
 * environment of every journal exist. Findings are logged as errors.
 */
export async function verifyInstallation({
  db,
  log,
  checkpoints,
}: Omit<CommandServices, 'standby'>): Promise<InstallationVerification> {
  const stored = checkpoints && (await checkpointInFolder(db, checkpoints, INSTALLATION));
  const lost = checkpoints === null ? [] : await missingJournals(db, checkpoints);
  const missing = [...lost, ...(await withoutEnvironment(db.pool))];
  const own = await verifyJournalOnly(db.pool, INSTALLATION, stored);
  const { entries } = own;
  const findings = [...own.findings, ...missing];
  const findingCount = own.findingCount + missing.length;
  const facts = { entries, findingCount, first: findings[0]?.what };
  if (findingCount > 0) log.error(facts, 'THE JOURNAL OF THE INSTALLATION IS NOT SOUND');
  else log.debug(facts, 'journal of the installation verified');
  return { entries, findingCount, findings };
}
