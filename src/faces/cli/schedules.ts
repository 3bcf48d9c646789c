import type { InvoiceSchedule, InvoiceScheduleRequest } from '@lacre/client';
import type { Command } from 'commander';
import type { Db } from '../../ground/db/client.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import type { ActorAndReason } from '../../ground/journal/audit-log.ts';
import { snakeKeys } from '../../ground/lib/case.ts';
import { readScope } from '../../subjects/accounts/store/read-callers.ts';
import { nextDays } from '../../subjects/drafts/periods.ts';
import { endSchedule, findSchedule, pauseSchedule, resumeSchedule } from '../../subjects/drafts/schedules.ts';
import type { Schedule } from '../../subjects/drafts/shapes.ts';
import { listSchedules } from '../../subjects/drafts/store/read-schedules.ts';
import { SCHEDULE_STATUSES } from '../../subjects/drafts/types.ts';
import { type CliRuntime, commandGroup, standaloneCommand } from './command.ts';
import { CommandFailure } from './exit-status.ts';
import {
  changeLocalOrRemote,
  LOCAL_OR_REMOTE,
  LOCAL_OR_REMOTE_CHANGE,
  LOCAL_OR_REMOTE_CHANGE_MEANING,
  LOCAL_OR_REMOTE_MEANING,
  readLocalOrRemote,
} from './local-or-remote.ts';
import { choiceOption, flagOption, integerOption, operand } from './options.ts';
import { collectUpTo } from './remote/lists.ts';
import { PROFILE } from './remote/login.ts';
import { remoteOf } from './remote/profiles.ts';
import { FILE, liveConfirmationMissing, readRequestFile } from './remote/request-file.ts';

const SCHEDULE = operand('the id of the schedule');

/** The number of next days that are shown, as in GraphQL and REST. */
const SHOWN_DAYS = 5;

export function schedules(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'schedules', 'repeating invoices');
  creating(group, runtime);
  reading(group, runtime);
  statusCommand(group, runtime, {
    ...{ name: 'pause', verb: 'pause', operation: pauseSchedule },
    description: 'pauses a schedule until it is resumed',
    example: 'schedules pause $SCHEDULE',
  });
  statusCommand(group, runtime, {
    ...{ name: 'resume', verb: 'resume' },
    description: 'resumes a paused schedule from today; days that have passed meanwhile are skipped',
    example: 'schedules resume $SCHEDULE',
    operation: async (db, environmentId, id, by) =>
      resumeSchedule(db, await readScope(db.pool, environmentId), id, by),
  });
  statusCommand(group, runtime, {
    ...{ name: 'end', verb: 'end', operation: endSchedule },
    description: 'ends a schedule permanently; invoices already created remain',
    example: 'schedules end $OPENSCHEDULE --environment $ENVIRONMENT --reason "the contract was cancelled"',
  });
}

type ScheduleOperation = {
  readonly name: 'pause' | 'resume' | 'end';
  /** Follows "This would". */
  readonly verb: string;
  readonly description: string;
  readonly example: string;
  readonly operation: (
    db: Db,
    environmentId: number,
    id: string,
    by: ActorAndReason,
  ) => Promise<Outcome<Schedule>>;
};

function statusCommand(
  group: Command,
  runtime: CliRuntime,
  { name, verb, description, example, operation }: ScheduleOperation,
): void {
  standaloneCommand(group, runtime, {
    ...{ name, description, examples: [['One', example]] },
    details: `${description.slice(0, 1).toUpperCase()}${description.slice(1)}. ${LOCAL_OR_REMOTE_CHANGE_MEANING}`,
    parameters: { schedule: SCHEDULE, ...LOCAL_OR_REMOTE_CHANGE },
    run: (standalone, { schedule, ...values }) =>
      changeLocalOrRemote(standalone, values, `${verb} the schedule ${schedule}`, {
        remote: async ({ invoiceSchedules }) => summary(await invoiceSchedules[name](schedule)),
        local: async ({ db }, environmentId, by) =>
          summaryOf(await operation(db, environmentId, schedule, by)),
      }),
  });
}

function summaryOf(outcome: Outcome<Schedule>): Outcome<object> {
  return isRefusal(outcome) ? outcome : summary(asOverRest(outcome));
}

function creating(group: Command, runtime: CliRuntime): void {
  standaloneCommand(group, runtime, {
    name: 'create',
    description: 'creates a schedule that issues an invoice repeatedly, over REST',
    details:
      'Creates a schedule that issues an invoice repeatedly, as POST /v1/invoice_schedules does, from a file with {"invoice": {…}, "frequency": "monthly", "starts_on": "…"} and the key of a login ("lacre login"). With the key of a live environment --live is required.',
    parameters: { ...PROFILE, file: FILE, live: flagOption('confirms a change of live data') },
    examples: [['Every month', 'schedules create -f schedule.json']],
    async run(context, { profile, file, live }) {
      const remote = remoteOf(context.profiles, profile);
      if (file === undefined) return new CommandFailure('usage', '--file is required');
      const body = await readRequestFile<InvoiceScheduleRequest>(context, file);
      if (isRefusal(body)) return body;
      if (!live && remote.profile.environment === 'live')
        return liveConfirmationMissing(remote, 'create a schedule');
      return remote.client.invoiceSchedules.create(body);
    },
  });
}

function reading(group: Command, runtime: CliRuntime): void {
  standaloneCommand(group, runtime, {
    name: 'list',
    description: 'lists the schedules of an environment, newest first',
    details: `Lists schedules with their next day, newest first. ${LOCAL_OR_REMOTE_MEANING}`,
    parameters: {
      ...LOCAL_OR_REMOTE,
      status: choiceOption(SCHEDULE_STATUSES, 'only schedules with this status'),
      limit: integerOption('the maximum number', { max: 1_000, standard: 50 }),
    },
    examples: [
      ['Active schedules', 'schedules list --status active'],
      ['From the database', 'schedules list --environment $ENVIRONMENT --json'],
    ],
    run: (standalone, { status, limit, ...values }) =>
      readLocalOrRemote(standalone, values, {
        async remote({ invoiceSchedules }) {
          const filter = { ...(status && { status }), limit: Math.min(100, limit) };
          const { rows, hasMore } = await collectUpTo(limit, invoiceSchedules.list(filter));
          return { schedules: rows.map(summary), hasMore };
        },
        async local({ db }, environmentId) {
          const page = await listSchedules(db, environmentId, { status, size: limit });
          return { schedules: page.rows.map(asOverRest).map(summary), hasMore: page.hasMore };
        },
      }),
  });
  standaloneCommand(group, runtime, {
    name: 'get',
    description: 'reads a schedule with its next days',
    details: `Reads a schedule with its next days. ${LOCAL_OR_REMOTE_MEANING}`,
    parameters: { schedule: SCHEDULE, ...LOCAL_OR_REMOTE },
    examples: [['As JSON', 'schedules get $SCHEDULE --json']],
    run: (standalone, { schedule, ...values }) =>
      readLocalOrRemote(standalone, values, {
        remote: ({ invoiceSchedules }) => invoiceSchedules.retrieve(schedule),
        async local({ db }, environmentId) {
          const found = await findSchedule(db, environmentId, schedule);
          return isRefusal(found) ? found : asOverRest(found);
        },
      }),
  });
}

/** A schedule of the database as REST returns it. */
function asOverRest(schedule: Schedule): InvoiceSchedule {
  const { id, status, frequency, count, made, content, createdAt, updatedAt } = schedule;
  return {
    ...{ id, status, invoice: snakeKeys(content) as InvoiceSchedule['invoice'], frequency },
    ...{ starts_on: schedule.startsOn, ends_on: schedule.endsOn, count, due_in_days: schedule.dueInDays },
    ...{ made, next_dates: nextDays(schedule, SHOWN_DAYS) },
    ...{ created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() },
  };
}

function summary(schedule: InvoiceSchedule): object {
  const { id, status, frequency, made, count, next_dates: dates, created_at: createdAt } = schedule;
  const { starts_on: startsOn, ends_on: endsOn } = schedule;
  return { id, status, frequency, next: dates[0] ?? null, made, count, startsOn, endsOn, createdAt };
}
