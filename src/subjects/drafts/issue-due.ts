import { inTransaction } from '../../ground/db/transaction.ts';
import { isRefusal, type Refusal } from '../../ground/errors/refusal.ts';
import { append } from '../../ground/journal/append.ts';
import { canonicalJson } from '../../ground/journal/canonical.ts';
import type { Day } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { logFields, withLogFields } from '../../ground/lib/logger.ts';
import { environmentToday } from '../accounts/entry/environment-time.ts';
import { readScope } from '../accounts/store/read-callers.ts';
import type { IssuingServices } from '../issuing/issue-invoice.ts';
import { faultsOf, isTemporary } from './check-draft.ts';
import { issueDraft } from './issue-draft.ts';
import { contentOfPeriod } from './period-content.ts';
import { advanceTo } from './schedules.ts';
import type { Draft, Schedule } from './shapes.ts';
import { readDraft } from './store/read-drafts.ts';
import { readWaitingDrafts } from './store/read-schedules.ts';
import { insertPeriod, lockDueSchedule, markFailed, updateSchedule } from './store/schedules.ts';

/** Periods and drafts that one run processes; then other jobs of the queue have their turn. */
const AT_ONCE = 100;

/** Whether there is more to do at once, later because a dependency was unavailable, or nothing. */
export type DueState = 'done' | 'more' | 'later';

/**
 * Issues what the schedules of an environment have due by its own time. Each period becomes a draft once, in the
 * transaction that advances its schedule; each draft becomes an invoice once (`issueDraft`). So it can be
 * interrupted anywhere and run concurrently. A refused draft gets its refusal and an event, and waits until
 * somebody corrects and issues it.
 */
export async function issueDue(
  services: IssuingServices,
  environmentId: number,
  signal?: AbortSignal,
): Promise<DueState> {
  const scope = await readScope(services.db.pool, environmentId);
  const today = environmentToday(scope);
  let created = 0;
  while (created < AT_ONCE && !signal?.aborted && (await makePeriod(services, environmentId, today)))
    created += 1;
  const waiting = await readWaitingDrafts(services.db.pool, environmentId, AT_ONCE);
  let later = false;
  for (const id of waiting) {
    if (signal?.aborted) return 'more';
    // The link to the document is not used here.
    // With fields of its own: the job's other lines are not about this invoice.
    const issued = await withLogFields({ ...logFields() }, () =>
      issueDraft(services, scope, id, { sign: () => '', by: null }),
    );
    if (!isRefusal(issued) || SKIPPED_CODES.has(issued.code)) continue;
    if (isTemporary(issued)) later = true;
    else await noteFailure(services, environmentId, id, issued);
  }
  if (created === AT_ONCE || waiting.length === AT_ONCE) return later ? 'later' : 'more';
  return later ? 'later' : 'done';
}

/** The draft was deleted, or somebody is changing it: the next run finds its new state. */
const SKIPPED_CODES = new Set<string>(['invoice_draft_not_found', 'invoice_draft_changed']);

/** Creates the draft of one due period and advances its schedule. False when nothing is due. */
function makePeriod({ db }: IssuingServices, environmentId: number, today: Day): Promise<boolean> {
  return inTransaction(db.pool, async (client) => {
    const schedule = await lockDueSchedule(client, environmentId, today);
    if (schedule === null) return false;
    await insertPeriod(client, environmentId, draftOf(schedule));
    const moved = { ...schedule, made: schedule.made + 1, updatedAt: clock.now() };
    await updateSchedule(client, environmentId, advanceTo(moved, schedule.nextPeriod + 1));
    return true;
  });
}

function draftOf(schedule: Schedule): Draft {
  const now = clock.now();
  return {
    ...{
      id: newId('dft'),
      ...contentOfPeriod(schedule),
      status: 'open',
      version: 1,
      errors: [],
      amounts: null,
    },
    ...{ scheduleId: schedule.id, periodOn: schedule.nextOn, failure: null, invoiceId: null },
    ...{ createdAt: now, updatedAt: now },
  };
}

async function noteFailure(
  { db }: IssuingServices,
  environmentId: number,
  id: string,
  refusal: Refusal,
): Promise<void> {
  const at = clock.now();
  const { code, detail } = refusal;
  await inTransaction(db.pool, async (client) => {
    const failed = { id, errors: faultsOf(refusal), failure: { code, detail } };
    if (!(await markFailed(client, environmentId, failed, at))) return;
    const draft = await readDraft(client, environmentId, id);
    const content = canonicalJson({
      ...{ id: draft!.scheduleId, draft_id: id, period: draft!.periodOn, code, detail },
    });
    const type = 'invoice_schedule.failed';
    await append(client, [{ environmentId, type, subjectId: draft!.scheduleId!, at, content }]);
  });
}
