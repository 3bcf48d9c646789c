import type { InvoiceSchedule } from '@lacre/client';
import type { Command } from 'commander';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { snakeKeys } from '../../ground/lib/case.ts';
import { readScope } from '../../subjects/accounts/store/read-callers.ts';
import { nextDays } from '../../subjects/drafts/periods.ts';
import { endSchedule, findSchedule, pauseSchedule, resumeSchedule } from '../../subjects/drafts/schedules.ts';
import type { Schedule } from '../../subjects/drafts/shapes.ts';
import { listSchedules } from '../../subjects/drafts/store/read-schedules.ts';
import type { ScheduleStatus } from '../../subjects/drafts/types.ts';
import { type CliRuntime, commandGroup } from './command.ts';
import { localOrRemote } from './local-or-remote.ts';
import { contractCommands } from './remote/contract.ts';
import type { Locals } from './remote/place.ts';

/** The number of next days that are shown, as in GraphQL and REST. */
const SHOWN_DAYS = 5;

type OfSchedule = { readonly id: string };

const LOCAL: Locals = {
  reads: {
    async listInvoiceSchedules({ db }, environmentId, given: { status?: ScheduleStatus; limit: number }) {
      const { status, limit: size } = given;
      const { rows, hasMore } = await listSchedules(db, environmentId, { status, size });
      return { rows: rows.map(asOverRest), hasMore };
    },
    retrieveInvoiceSchedule: async ({ db }, environmentId, { id }: OfSchedule) =>
      shown(await findSchedule(db, environmentId, id)),
  },
  changes: {
    pauseInvoiceSchedule: async ({ db }, environmentId, { id }: OfSchedule, by) =>
      shown(await pauseSchedule(db, environmentId, id, by)),
    resumeInvoiceSchedule: async ({ db }, environmentId, { id }: OfSchedule, by) =>
      shown(await resumeSchedule(db, await readScope(db.pool, environmentId), id, by)),
    endInvoiceSchedule: async ({ db }, environmentId, { id }: OfSchedule, by) =>
      shown(await endSchedule(db, environmentId, id, by)),
  },
};

export function schedules(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'schedules', 'repeating invoices');
  contractCommands(group, runtime, localOrRemote(LOCAL));
}

function shown(schedule: Outcome<Schedule>): Outcome<InvoiceSchedule> {
  return isRefusal(schedule) ? schedule : asOverRest(schedule);
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
