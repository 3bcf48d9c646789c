import type { InvoiceSchedule, InvoiceScheduleRequest } from '@lacre/client';
import type { Command } from 'commander';
import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import type { ActorAndReason } from '../../../ground/journal/audit-log.ts';
import { SCHEDULE_STATUSES, type ScheduleStatus } from '../../../subjects/drafts/types.ts';
import { type CliRuntime, type CommandContext, commandGroup, standaloneCommand } from '../command.ts';
import { CommandFailure } from '../exit-status.ts';
import { choiceOption, flagOption, integerOption, operand } from '../options.ts';
import { collectUpTo } from './lists.ts';
import { PROFILE } from './login.ts';
import type { Place } from './place.ts';
import { remoteOf } from './profiles.ts';
import { FILE, liveConfirmationMissing, readRequestFile } from './request-file.ts';

type Changing = (
  context: CommandContext,
  environmentId: number,
  schedule: string,
  by: ActorAndReason,
) => Promise<Outcome<InvoiceSchedule>>;

/** The same on the database, as REST answers it. */
export type LocalSchedules = Readonly<Record<'pause' | 'resume' | 'end', Changing>> & {
  list(
    context: CommandContext,
    environmentId: number,
    range: { readonly status: ScheduleStatus | undefined; readonly size: number },
  ): Promise<{ readonly rows: readonly InvoiceSchedule[]; readonly hasMore: boolean }>;
  find(context: CommandContext, environmentId: number, schedule: string): Promise<Outcome<InvoiceSchedule>>;
};

const SCHEDULE = operand('the id of the schedule');

export function scheduleCommands(program: Command, runtime: CliRuntime, place: Place<LocalSchedules>): void {
  const group = commandGroup(program, 'schedules', 'repeating invoices');
  creating(group, runtime);
  reading(group, runtime, place);
  statusCommand(group, runtime, place, {
    ...{ name: 'pause', verb: 'pause' },
    description: 'pauses a schedule until it is resumed',
    example: 'schedules pause $SCHEDULE',
  });
  statusCommand(group, runtime, place, {
    ...{ name: 'resume', verb: 'resume' },
    description: 'resumes a paused schedule from today; days that have passed meanwhile are skipped',
    example: 'schedules resume $SCHEDULE',
  });
  statusCommand(group, runtime, place, {
    ...{ name: 'end', verb: 'end' },
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
};

function statusCommand(
  group: Command,
  runtime: CliRuntime,
  place: Place<LocalSchedules>,
  { name, verb, description, example }: ScheduleOperation,
): void {
  standaloneCommand(group, runtime, {
    ...{ name, description, examples: place.examples([['One', example]]) },
    details: `${description.slice(0, 1).toUpperCase()}${description.slice(1)}.${place.changingMeaning}`,
    parameters: { schedule: SCHEDULE, ...place.changing },
    run: (standalone, { schedule, ...values }) =>
      place.change(standalone, values, `${verb} the schedule ${schedule}`, {
        remote: async ({ invoiceSchedules }) => summary(await invoiceSchedules[name](schedule)),
        async local(local, context, environmentId, by) {
          const changed = await local[name](context, environmentId, schedule, by);
          return isRefusal(changed) ? changed : summary(changed);
        },
      }),
  });
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

function reading(group: Command, runtime: CliRuntime, place: Place<LocalSchedules>): void {
  standaloneCommand(group, runtime, {
    name: 'list',
    description: 'lists the schedules of an environment, newest first',
    details: `Lists schedules with their next day, newest first.${place.readingMeaning}`,
    parameters: {
      ...place.reading,
      status: choiceOption(SCHEDULE_STATUSES, 'only schedules with this status'),
      limit: integerOption('the maximum number', { max: 1_000, standard: 50 }),
    },
    examples: place.examples([
      ['Active schedules', 'schedules list --status active'],
      ['From the database', 'schedules list --environment $ENVIRONMENT --json'],
    ]),
    run: (standalone, { status, limit, ...values }) =>
      place.read(standalone, values, {
        async remote({ invoiceSchedules }) {
          const filter = { ...(status && { status }), limit: Math.min(100, limit) };
          const { rows, hasMore } = await collectUpTo(limit, invoiceSchedules.list(filter));
          return { schedules: rows.map(summary), hasMore };
        },
        async local(local, context, environmentId) {
          const page = await local.list(context, environmentId, { status, size: limit });
          return { schedules: page.rows.map(summary), hasMore: page.hasMore };
        },
      }),
  });
  standaloneCommand(group, runtime, {
    name: 'get',
    description: 'reads a schedule with its next days',
    details: `Reads a schedule with its next days.${place.readingMeaning}`,
    parameters: { schedule: SCHEDULE, ...place.reading },
    examples: [['As JSON', 'schedules get $SCHEDULE --json']],
    run: (standalone, { schedule, ...values }) =>
      place.read(standalone, values, {
        remote: ({ invoiceSchedules }) => invoiceSchedules.retrieve(schedule),
        local: (local, context, environmentId) => local.find(context, environmentId, schedule),
      }),
  });
}

function summary(schedule: InvoiceSchedule): object {
  const { id, status, frequency, made, count, next_dates: dates, created_at: createdAt } = schedule;
  const { starts_on: startsOn, ends_on: endsOn } = schedule;
  return { id, status, frequency, next: dates[0] ?? null, made, count, startsOn, endsOn, createdAt };
}
