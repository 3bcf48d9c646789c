import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { environmentOf } from '../../ground/db/rows.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { append } from '../../ground/journal/append.ts';
import { addAuditEntry } from '../../ground/journal/audit-log.ts';
import { canonicalJson } from '../../ground/journal/canonical.ts';
import { dayIn } from '../../ground/lib/calendar.ts';
import { environmentNow, readEnvironmentTime } from '../accounts/entry/environment-time.ts';
import { once, requestDigest, saveAnswer } from '../idempotency/keys.ts';
import { isInvoiceId } from '../invoices/list.ts';
import { PAYMENT_LIMITS } from './limits.ts';
import { inAccountTransaction, lockedAccount, noInvoice, type Recorder, stateRefusal } from './payments.ts';
import type { RecipientStatusRequest } from './recipient-status-request.ts';
import { type RecipientStatus, readRecipientStatusesOf } from './store/read-recipient-statuses.ts';
import { type PaymentState, paymentStateOf } from './store.ts';
import { STATUS_EVENTS } from './types.ts';
import { RECIPIENT_DAYS, workingDaysAfter } from './working-days.ts';

/** A recorded status and its invoice. */
export type RecordedStatus = {
  readonly environmentId: number;
  readonly invoiceId: string;
  readonly recorded: RecipientStatus;
};

type Recording = Pick<Db, 'pool' | 'lineage'>;

/**
 * Records a status reported by the recipient of an invoice: it has paid, it rejects the invoice, or it withdraws an
 * earlier status. It is stored in the journal, whose entries never change, and announced by an event; the issuer's
 * payments do not change. Once for an idempotency key. Refuses, in this order, with `invoice_not_found`,
 * `invoice_already_voided`, `invoice_already_replaced`, `recipient_status_not_applicable` unless the invoice is a
 * complete one for a Spanish tax id, `invalid_request` for a day before that of the operation, and
 * `recipient_status_conflict` when it cannot follow the current status. Concurrent requests are serialized.
 */
export async function recordRecipientStatus(
  db: Recording,
  by: Recorder,
  invoiceId: string,
  request: RecipientStatusRequest,
  { key, sent }: { readonly key: string | null; readonly sent: unknown },
): Promise<{ readonly outcome: Outcome<RecordedStatus>; readonly replayed: boolean }> {
  const environmentId = isInvoiceId(invoiceId)
    ? await environmentOf(db.pool, 'invoice', invoiceId, by.within)
    : null;
  if (environmentId === null) return { outcome: noInvoice(), replayed: false };
  const digest = () => requestDigest({ invoiceId, sent });
  return once<RecordedStatus>(
    db,
    { environmentId, key, operation: 'record_recipient_status', digest },
    (claim) =>
      inAccountTransaction<Outcome<RecordedStatus>>(db.pool, invoiceId, async (client) => {
        const recorded = await addRecipientStatus(client, environmentId, invoiceId, request);
        if (isRefusal(recorded)) return recorded;
        if (by.reason !== null) {
          const entry = { actor: by.actor, action: 'record_recipient_status', subject: invoiceId };
          const details = { status: request.status };
          await addAuditEntry(client, { ...entry, environmentId, reason: by.reason, details });
        }
        const answer = { environmentId, invoiceId, recorded };
        if (claim !== null) await saveAnswer(client, claim, answer);
        return answer;
      }),
    (answer) => {
      const { recorded, ...of } = answer as RecordedStatus;
      return { ...of, recorded: { ...recorded, createdAt: new Date(recorded.createdAt) } };
    },
  );
}

/**
 * The same in the caller's transaction, which must not have appended to a journal yet. Locks the invoice's account.
 */
async function addRecipientStatus(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
  { status, on, toldOn: requestedToldOn, statusReason: requestedReason }: RecipientStatusRequest,
): Promise<Outcome<RecipientStatus>> {
  await lockedAccount(client, environmentId, invoiceId);
  const invoice = await paymentStateOf(client, environmentId, invoiceId);
  const key = { key: invoiceId, within: String(environmentId), id: invoiceId };
  const before = (await readRecipientStatusesOf(client, [key])).get(invoiceId) ?? [];
  const refusal =
    stateRefusal(invoice) ?? requestRefusal(invoice, on) ?? orderRefusal(invoice, before, status);
  if (refusal !== null) return refusal;
  const time = await readEnvironmentTime(client, environmentId);
  const createdAt = environmentNow(time);
  const toldOn = requestedToldOn ?? dayIn(time.timeZone, createdAt);
  const toldBy = status === 'withdrawn' ? null : workingDaysAfter(on, RECIPIENT_DAYS);
  const content = canonicalJson({
    ...{ on, told_on: toldOn },
    ...{ told_by: toldBy ?? undefined, reason: requestedReason },
  });
  const statusReason = requestedReason ?? null;
  const type = STATUS_EVENTS[status];
  await append(client, [{ environmentId, type, subjectId: invoiceId, at: createdAt, content }]);
  return { status, on, toldOn, toldBy, statusReason, createdAt };
}

/** The current status: the last one, unless it was withdrawn. */
export function currentStatus(statuses: readonly RecipientStatus[]): RecipientStatus | null {
  const last = statuses.at(-1);
  return last === undefined || last.status === 'withdrawn' ? null : last;
}

/** Whether it was reported after the last day that the Order allows. */
export const isLate = ({ toldOn, toldBy }: Pick<RecipientStatus, 'toldOn' | 'toldBy'>): boolean =>
  toldBy !== null && toldOn > toldBy;

function requestRefusal(
  { number, operationOn, isBetweenBusinesses }: PaymentState,
  on: string,
): Refusal | null {
  if (!isBetweenBusinesses) {
    const detail = `Invoice ${number} is no complete invoice for a recipient with a Spanish tax id.`;
    return new Refusal('recipient_status_not_applicable', detail);
  }
  if (on >= operationOn) return null;
  return invalidField('on', 'too_small', `must not be before ${operationOn}, the day of the operation`);
}

/**
 * The allowed order of statuses: a rejected invoice may still be paid; a paid one cannot be rejected unless the
 * payment is withdrawn first.
 */
const FOLLOWS = {
  none: ['paid', 'rejected'],
  rejected: ['paid', 'withdrawn'],
  paid: ['withdrawn'],
} as const;

function orderRefusal(
  { number }: PaymentState,
  before: readonly RecipientStatus[],
  status: RecipientStatus['status'],
): Refusal | null {
  const max = PAYMENT_LIMITS.recipientStatuses.value;
  if (before.length >= max) {
    const detail = `Of invoice ${number} ${max} statuses of its recipient were recorded.`;
    return new Refusal('recipient_status_conflict', detail);
  }
  const current = currentStatus(before)?.status ?? 'none';
  const allowed: readonly string[] = FOLLOWS[current as keyof typeof FOLLOWS];
  if (allowed.includes(status)) return null;
  const detail =
    current === 'none'
      ? `Of invoice ${number} no status of its recipient counts that could be withdrawn.`
      : `Of invoice ${number} the status ${current} of its recipient counts, which ${status} cannot follow.`;
  return new Refusal('recipient_status_conflict', detail);
}
