import type { Command } from 'commander';
import type { Db } from '../../ground/db/client.ts';
import { firstOf } from '../../ground/db/listed.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import type { ActorAndReason } from '../../ground/journal/audit-log.ts';
import { tasks } from '../../ground/queue/tasks.ts';
import { park, pause, resume, retry, unpark } from '../../subjects/operations/controls.ts';
import { checkAfterRestore, openNewInstallation } from '../../subjects/operations/installation.ts';
import { RETRIED_AT_ONCE, retryFailedJobs, retryJob } from '../../subjects/operations/jobs.ts';
import { findJob, type JobFilter, listJobs } from '../../subjects/operations/store/read-jobs.ts';
import { firstRows, listChains, listParkedRecords } from '../../subjects/operations/store/read-lists.ts';
import { locateEnvironment } from '../../subjects/operations/store/read-location.ts';
import { type CliRuntime, type CommandContext, commandGroup } from './command.ts';
import { changeCommand, queryCommand } from './database-command.ts';
import { DRY_RUN, manyChanges, REPEAT, retryManyChains, unparkManyRecords } from './many-at-once.ts';
import {
  choiceOption,
  flagOption,
  integerOption,
  numberOperand,
  operand,
  optionalOption,
  type Values,
} from './options.ts';
import {
  chainChange,
  ENVIRONMENT_MEANING,
  environmentChange,
  liveChange,
  nonLiveChange,
  resolveEnvironment,
  resourceChange,
} from './targets.ts';

/** Chains, their records and the jobs that send them, as far as operators may put their hand to them. */

const CHAIN = numberOperand('the number of the chain');
const RECORD = operand('the id of the record');
const LIMIT = integerOption('the maximum number', { max: 5_000, standard: 200 });

type ChainOperation<Subject> = (db: Db, subject: Subject, by: ActorAndReason) => Promise<Outcome<unknown>>;

export function chains(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(
    program,
    'chains',
    'the hash chains of live environments and their submission status',
  );
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists live chains with pending records, longest waiting first',
    parameters: { troubled: flagOption('only those that need attention'), limit: LIMIT },
    examples: [['Chains that need attention', 'chains list --troubled --json']],
    run: ({ db }, { troubled, limit }) => firstRows(listChains(db.pool, { troubled }), limit),
  });
  onOneChain(group, runtime, {
    ...{ name: 'retry', operation: retry, does: 'let it send again' },
    description: 'lets a chain that failed or stopped retry as soon as the agency’s waiting time allows',
    example: ['After the agency was unavailable', 'chains retry $CHAIN --reason "agency is back" --live'],
  });
  retryManyChains(group, runtime);
  changeCommand(group, runtime, {
    name: 'check-after-restore',
    description: 'puts every live chain on hold until it has been compared with the agency',
    details:
      'Puts every live chain on hold until it has been compared with the agency’s records: for a restore that the service could not detect. Issuing live answers 503 until then.',
    parameters: {},
    examples: [
      [
        'A whole machine was restored, with its data directory',
        'chains check-after-restore --reason "restored from last night’s backup" --live',
      ],
    ],
    preview: () => liveChange('hold all live issuing until the chains have been compared with the agency'),
    async run({ db }, _values, by) {
      const held = await checkAfterRestore(db, by);
      return isRefusal(held) ? held : { held };
    },
  });
  changeCommand(group, runtime, {
    name: 'open-installation',
    description: 'closes the chain of an environment and opens another',
    details:
      'Closes the chain of an environment and opens another under a new installation number: the decision required for a forked chain.',
    parameters: { environment: numberOperand('the number of the environment') },
    examples: [['A forked chain', 'chains open-installation $ENVIRONMENT --reason "records were lost"']],
    preview: (context, { environment }) =>
      environmentChange(
        context,
        { environment: String(environment), company: undefined },
        'open a new chain',
      ),
    run: (context, { environment }, by) => openNewInstallation(context, environment, by),
  });
  // Where scripts may still look for them.
  controls(group, runtime, { hidden: true });
}

/** The options that say which jobs are meant. */
const JOBS = {
  task: choiceOption(Object.keys(tasks), 'only those of this kind'),
  state: choiceOption(['due', 'scheduled', 'given_up'], 'only those in this state'),
  error: optionalOption('text', 'only those whose last error contains this'),
  environment: optionalOption('number|test|live', `only those of an environment: ${ENVIRONMENT_MEANING}`),
  company: optionalOption('co_…', 'only those of a company'),
};

async function jobFilter(context: CommandContext, named: Values<typeof JOBS>): Promise<Outcome<JobFilter>> {
  const { task = null, state = null, error = null, environment, company } = named;
  const filter = { task, state, error, environmentId: null, companyId: company ?? null };
  if (environment === undefined) return filter;
  const environmentId = await resolveEnvironment(context, { environment, company });
  return isRefusal(environmentId) ? environmentId : { ...filter, environmentId };
}

export function jobs(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'jobs', 'pending work, and what delays it');
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists jobs that are waiting, running or have failed, in the order in which they run',
    parameters: {
      failing: flagOption('only those that have failed'),
      ...JOBS,
      limit: LIMIT,
    },
    examples: [['Failing jobs, with their errors', 'jobs list --failing --json']],
    async run(context, { failing, limit, ...named }) {
      const filter = await jobFilter(context, named);
      if (isRefusal(filter)) return filter;
      const page = await listJobs(context.db.pool, { ...filter, failing }).page(firstOf(limit, null));
      return isRefusal(page) ? page : [...page.rows];
    },
  });
  changeCommand(group, runtime, {
    name: 'retry',
    description: 'runs a job now, with its attempts counted from the beginning',
    parameters: { job: operand('the id of the job') },
    examples: [['A failed job', 'jobs retry $JOB --reason "the cause is fixed" --live']],
    async preview(context, { job }) {
      const found = await findJob(context.db.pool, job);
      if (found === null) return invalidField('id', 'not_found', 'there is no such job');
      const { environmentId, task } = found;
      const would = `run ${task} (${job}) now`;
      // Of the whole service, or of what is gone: there is no environment to be live.
      const location =
        environmentId === null ? null : await locateEnvironment(context.db.pool, environmentId);
      if (location === null) return nonLiveChange(would);
      return environmentChange(context, { environment: String(environmentId), company: undefined }, would);
    },
    run: ({ db }, { job }, by) => retryJob(db, by, job),
  });
  changeCommand(group, runtime, {
    name: 'retry-failed',
    description:
      'runs all jobs now that have failed and match, with their attempts counted from the beginning',
    details: `Runs all jobs now that have failed and match, with their attempts counted from the beginning: at most ${RETRIED_AT_ONCE.toLocaleString('en')}, those that waited longest. ${REPEAT}`,
    parameters: { ...JOBS, ...DRY_RUN },
    examples: [
      ['How many it would be', 'jobs retry-failed --dry-run --reason "the cause is fixed"'],
      [
        'The mail server is back',
        'jobs retry-failed --task send_email --reason "mail server is back" --live',
      ],
      ['All that were given up', 'jobs retry-failed --state given_up --reason "the cause is fixed" --live'],
    ],
    async preview(context, { dryRun, ...named }) {
      const filter = await jobFilter(context, named);
      if (isRefusal(filter)) return filter;
      const by = { actor: 'preview', reason: 'preview' };
      const counted = await retryFailedJobs(context.db, by, { filter, dryRun: true });
      const { environmentId } = filter;
      const place = environmentId === null ? null : await locateEnvironment(context.db.pool, environmentId);
      const live = place?.kind !== 'test';
      return manyChanges(counted, { dryRun, live, does: 'run all matching failed jobs now' });
    },
    async run(context, { dryRun, ...named }, by) {
      const filter = await jobFilter(context, named);
      return isRefusal(filter) ? filter : retryFailedJobs(context.db, by, { filter, dryRun });
    },
  });
  unparkManyRecords(group, runtime);
  controls(group, runtime, { hidden: false });
}

/** What holds up the sending and lets it go on. */
function controls(group: Command, runtime: CliRuntime, shown: { readonly hidden: boolean }): void {
  queryCommand(group, runtime, {
    name: 'parked',
    ...shown,
    description: 'lists the records that were set aside',
    parameters: { limit: LIMIT },
    examples: [['Parked records', 'jobs parked']],
    run: ({ db }, { limit }) => firstRows(listParkedRecords(db.pool), limit),
  });
  onOneChain(group, runtime, {
    ...{ ...shown, name: 'pause', operation: pause, does: 'stop sending' },
    description: 'stops sending records of a chain until it is resumed',
    example: ['While an adviser investigates', 'jobs pause $CHAIN --reason "adviser asked" --live'],
  });
  onOneChain(group, runtime, {
    ...{ ...shown, name: 'resume', operation: resume, does: 'send again' },
    description: 'resumes sending records of a paused chain',
    example: ['The adviser agreed', 'jobs resume $PAUSED --reason "adviser agreed" --live'],
  });
  const onOneRecord = (
    name: string,
    operation: ChainOperation<string>,
    description: string,
    example: readonly [string, string],
  ) =>
    changeCommand(group, runtime, {
      ...{ ...shown, name, description, parameters: { record: RECORD }, examples: [example] },
      preview: (context, { record }) => resourceChange(context, record, `${name} the record ${record}`),
      run: ({ db }, { record }, by) => operation(db, record, by),
    });
  onOneRecord('park', park, 'sets a pending record aside, so that the others are sent', [
    'A record that blocks the others',
    'jobs park $RECORD --reason "asked the agency about it" --live',
  ]);
  onOneRecord('unpark', unpark, 'returns a parked record to those that are sent', [
    'The agency has answered',
    'jobs unpark $PARKED --reason "agency answered" --live',
  ]);
}

type OnChain = {
  readonly hidden?: boolean;
  readonly name: string;
  readonly operation: ChainOperation<number>;
  readonly description: string;
  /** After "This would", of a chain. */
  readonly does: string;
  readonly example: readonly [string, string];
};

function onOneChain(
  group: Command,
  runtime: CliRuntime,
  { name, operation, description, does, example, hidden = false }: OnChain,
): void {
  changeCommand(group, runtime, {
    ...{ name, description, hidden, parameters: { chain: CHAIN }, examples: [example] },
    preview: (context, { chain }) => chainChange(context, chain, `let chain ${chain} ${does},`),
    run: ({ db }, { chain }, by) => operation(db, chain, by),
  });
}
