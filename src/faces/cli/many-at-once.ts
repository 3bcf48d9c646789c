import type { Command } from 'commander';
import type { Db } from '../../ground/db/client.ts';
import { type BulkChange, CHANGED_AT_ONCE } from '../../ground/db/many-at-once.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import type { ActorAndReason } from '../../ground/journal/audit-log.ts';
import { retryChains, type Together, unparkRecords } from '../../subjects/operations/together.ts';
import type { CliRuntime } from './command.ts';
import { type Change, changeCommand } from './database-command.ts';
import { flagOption, optionalOption } from './options.ts';
import { liveChange, nonLiveChange } from './targets.ts';

/** The option of every command on all that match. */
export const DRY_RUN = { dryRun: flagOption('only count those that match, and change nothing') };

export const REPEAT = 'If `again` is true in the answer, others match: run the command again.';

/** What a command on all that match would do, with their number, which a dry run counts. */
export async function manyChanges(
  counted: Outcome<BulkChange>,
  { dryRun, does, live = true }: { readonly dryRun: boolean; readonly does: string; readonly live?: boolean },
): Promise<Outcome<Change>> {
  if (isRefusal(counted)) return counted;
  const effect = `${does} (${counted.matching})`;
  return dryRun || !live ? nonLiveChange(effect) : liveChange(effect);
}

type OnMany = {
  readonly name: string;
  readonly operation: (db: Db, by: ActorAndReason, together: Together) => Promise<Outcome<BulkChange>>;
  readonly description: string;
  readonly cause: string;
  /** After "This would". */
  readonly does: string;
  readonly examples: readonly (readonly [string, string])[];
};

export function retryManyChains(group: Command, runtime: CliRuntime): void {
  onMany(group, runtime, {
    ...{ name: 'retry-failed', operation: retryChains, does: 'retry all matching chains' },
    description: 'lets all chains that failed or stopped and match retry',
    cause: 'only those whose reason to be stopped contains this',
    examples: [
      ['How many it would be', 'chains retry-failed --cause 4102 --dry-run --reason "census is corrected"'],
      [
        'All that the agency refused for it',
        'chains retry-failed --cause 4102 --reason "census is corrected" --live',
      ],
    ],
  });
}

export function unparkManyRecords(group: Command, runtime: CliRuntime): void {
  onMany(group, runtime, {
    ...{ name: 'unpark-all', operation: unparkRecords, does: 'unpark all matching records' },
    description: 'returns all parked records that match to those that are sent',
    cause: 'only those whose reason to be parked contains this',
    examples: [
      ['Those of one company', 'jobs unpark-all --company $COMPANY --dry-run --reason "agency answered"'],
    ],
  });
}

function onMany(
  group: Command,
  runtime: CliRuntime,
  { name, operation, description, cause: ofCause, does, examples }: OnMany,
): void {
  changeCommand(group, runtime, {
    ...{ name, description, examples },
    details: `${description[0]!.toUpperCase()}${description.slice(1)}: at most ${CHANGED_AT_ONCE}, those that waited longest, each with its entry in the audit log. ${REPEAT}`,
    parameters: {
      cause: optionalOption('text', ofCause),
      company: optionalOption('co_…', 'only those of a company'),
      ...DRY_RUN,
    },
    async preview({ db }, { dryRun, ...named }) {
      const by = { actor: 'preview', reason: 'preview' };
      const counted = await operation(db, by, { filter: filterOf(named), dryRun: true });
      return manyChanges(counted, { dryRun, does });
    },
    run: ({ db }, { dryRun, ...named }, by) => operation(db, by, { filter: filterOf(named), dryRun }),
  });
}

const filterOf = ({ cause, company }: { cause: string | undefined; company: string | undefined }) => ({
  cause: cause ?? null,
  companyId: company ?? null,
});
