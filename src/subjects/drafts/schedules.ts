import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type Acting, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { environmentToday } from '../accounts/entry/environment-time.ts';
import type { CheckSources } from '../issuing/check-invoice.ts';
import { refusalOf } from './check-draft.ts';
import { isScheduleId } from './draft-request.ts';
import { DRAFT_LIMITS } from './limits.ts';
import { contentOfPeriod } from './period-content.ts';
import { firstPeriodFrom, nextDay } from './periods.ts';
import type { ScheduleChange, ScheduleRequest } from './schedule-request.ts';
import type { Schedule } from './shapes.ts';
import { readSchedule } from './store/read-schedules.ts';
import { insertSchedule, lockSchedule, updateSchedule } from './store/schedules.ts';

export const unknownSchedule = (): Refusal =>
  new Refusal('invoice_schedule_not_found', 'No invoice schedule of this id exists in the environment.');

const endedSchedule = (): Refusal =>
  new Refusal('invoice_schedule_ended', 'The schedule has ended; create another one.');

/** One schedule of the environment; refuses with `invoice_schedule_not_found`. */
export async function findSchedule(
  db: Pick<Db, 'prisma'>,
  environmentId: number,
  id: string,
): Promise<Outcome<Schedule>> {
  const found = isScheduleId(id) ? await readSchedule(db, environmentId, id) : null;
  return found ?? unknownSchedule();
}

/**
 * Creates a schedule that issues an invoice repeatedly from its first day on, which must not be in the past. Its
 * content must be valid today: the codes are those of `validateInvoice`, and `invoice_schedule_limit_reached`.
 */
export async function createSchedule(
  sources: CheckSources,
  scope: Scope,
  request: ScheduleRequest,
  by: Acting,
): Promise<Outcome<Schedule>> {
  const { frequency, startsOn } = request;
  if (startsOn < environmentToday(scope)) {
    return invalidField('startsOn', 'too_small', 'must not be before today');
  }
  const now = clock.now();
  const schedule: Schedule = {
    ...{ id: newId('sch'), content: { ...request.invoice }, frequency, startsOn, status: 'active' },
    ...{ endsOn: request.endsOn ?? null, count: request.count ?? null, dueInDays: request.dueInDays ?? null },
    ...{ made: 0, nextPeriod: 0, nextOn: startsOn, createdAt: now, updatedAt: now },
  };
  const refusal = await refusalOf(sources, scope, contentOfPeriod(schedule));
  if (refusal !== null) return refusal;
  const { environmentId } = scope;
  const kept = await inTransaction(sources.db.pool, async (client) => {
    const isKept = await insertSchedule(client, environmentId, schedule, DRAFT_LIMITS.schedules.value);
    const entry = { ...by, action: 'create_invoice_schedule', subject: schedule.id, environmentId };
    if (isKept) await addAuditEntry(client, entry);
    return isKept;
  });
  if (kept) return schedule;
  const detail = `An environment has at most ${DRAFT_LIMITS.schedules.value} schedules that have not ended.`;
  return new Refusal('invoice_schedule_limit_reached', detail);
}

/** Who changes a schedule, and how: recorded as the last statement of the transaction. */
type Noted = { readonly by: Acting; readonly action: string };

/** Changes a schedule that has not ended, while it is locked; `change` returns the new state. */
async function changing(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  id: string,
  change: (before: Schedule) => Schedule,
  { by, action }: Noted,
): Promise<Outcome<Schedule>> {
  if (!isScheduleId(id)) return unknownSchedule();
  return inTransaction<Outcome<Schedule>>(db.pool, async (client) => {
    const before = await lockSchedule(client, environmentId, id);
    if (before === null) return unknownSchedule();
    if (before.status === 'ended') return endedSchedule();
    const after = { ...change(before), updatedAt: clock.now() };
    await updateSchedule(client, environmentId, after);
    await addAuditEntry(client, { ...by, action, subject: id, environmentId });
    return after;
  });
}

/**
 * Changes the next invoices of a schedule; a field that is not sent stays unchanged. Existing drafts stay
 * unchanged. Codes: those of `createSchedule`, `invoice_schedule_not_found`, `invoice_schedule_ended`.
 */
export async function changeSchedule(
  sources: CheckSources & { readonly db: Pick<Db, 'prisma'> },
  scope: Scope,
  id: string,
  { invoice, ...sent }: ScheduleChange,
  by: Acting,
): Promise<Outcome<Schedule>> {
  const before = await findSchedule(sources.db, scope.environmentId, id);
  if (isRefusal(before)) return before;
  if (before.status === 'ended') return endedSchedule();
  const requested = {
    ...(invoice === undefined ? {} : { content: { ...invoice } }),
    ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
  } as Partial<Pick<Schedule, 'content' | 'endsOn' | 'count' | 'dueInDays'>>;
  if (requested.endsOn != null && requested.endsOn < before.startsOn) {
    return invalidField('endsOn', 'too_small', 'must not be before starts_on');
  }
  const refusal = await refusalOf(sources, scope, contentOfPeriod({ ...before, ...requested }));
  if (refusal !== null) return refusal;
  const change = (now: Schedule): Schedule => {
    const changed = { ...now, ...requested };
    return advanceTo(changed, changed.nextPeriod);
  };
  return changing(sources.db, scope.environmentId, id, change, { by, action: 'update_invoice_schedule' });
}

/** The schedule with its next period; ended when there is none. */
export function advanceTo(schedule: Schedule, period: number): Schedule {
  const nextOn = nextDay(schedule, period, schedule.made);
  const status = nextOn === null ? 'ended' : schedule.status;
  return { ...schedule, nextPeriod: period, nextOn, status };
}

/** Pauses a schedule until it is resumed; a paused one stays unchanged. */
export function pauseSchedule(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  id: string,
  by: Acting,
): Promise<Outcome<Schedule>> {
  const pause = (before: Schedule): Schedule => ({ ...before, status: 'paused' });
  return changing(db, environmentId, id, pause, { by, action: 'pause_invoice_schedule' });
}

/** Resumes a paused schedule from today on: the periods that have passed are skipped. */
export function resumeSchedule(
  db: Pick<Db, 'pool'>,
  scope: Scope,
  id: string,
  by: Acting,
): Promise<Outcome<Schedule>> {
  const today = environmentToday(scope);
  const resume = (before: Schedule): Schedule => {
    if (before.status !== 'paused') return before;
    const { startsOn, frequency, nextPeriod } = before;
    const period = firstPeriodFrom(startsOn, frequency, nextPeriod, today);
    return advanceTo({ ...before, status: 'active' }, period);
  };
  return changing(db, scope.environmentId, id, resume, { by, action: 'resume_invoice_schedule' });
}

/** Ends a schedule permanently; its drafts and invoices stay. */
export function endSchedule(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  id: string,
  by: Acting,
): Promise<Outcome<Schedule>> {
  const end = (before: Schedule): Schedule => ({ ...before, status: 'ended', nextOn: null });
  return changing(db, environmentId, id, end, { by, action: 'end_invoice_schedule' });
}
