import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { environmentOf } from '../../ground/db/rows.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { append } from '../../ground/journal/append.ts';
import { type Actor, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { FairSemaphore } from '../../ground/lib/fair-semaphore.ts';
import { newId } from '../../ground/lib/ids.ts';
import { readEnvironmentNow } from '../accounts/entry/environment-time.ts';
import { once, requestDigest, saveAnswer } from '../idempotency/keys.ts';
import { isInvoiceId } from '../invoices/list.ts';
import { paidEntries, recordedEntry, removedEntry } from './journal-entries.ts';
import { PAYMENT_LIMITS } from './limits.ts';
import { isPaymentId, type PaymentRequest } from './request.ts';
import type { Payment, PaymentRow } from './shapes.ts';
import { type Account, exchangesOf, lockAccounts, refreshAccounts, rootOf } from './store/accounts.ts';
import { readPayment } from './store/read-payments.ts';
import { type PaymentState, paymentStateOf, storePayment, storeRemoval } from './store.ts';

/**
 * Who records, the environment that they are limited to (`within`, null for any), and why: operators must give a
 * reason, which is stored.
 */
export type Recorder = {
  readonly actor: Actor;
  readonly within: number | null;
  readonly reason: string | null;
};

/** The dependencies of recording. */
type Recording = Pick<Db, 'pool' | 'lineage'>;

const accountTurns = new FairSemaphore({
  ...{ capacity: Number.POSITIVE_INFINITY, maxWaiting: Number.POSITIVE_INFINITY },
  ofOne: 1,
});

/**
 * Runs a transaction that locks the account of an invoice, in this process one at a time: others of the same invoice would
 * only hold a connection until it ends.
 */
export async function inAccountTransaction<T>(
  pool: Db['pool'],
  invoiceId: string,
  work: (client: Queryable) => Promise<T>,
): Promise<T> {
  const release = await accountTurns.acquire(invoiceId);
  try {
    return await inTransaction(pool, work);
  } finally {
    release?.();
  }
}

/**
 * Records a payment of an invoice, or for one with a negative total a refund; `amount` is positive in both cases.
 * Once for an idempotency key. Refuses, in this order, with `invoice_not_found`, `invoice_already_voided`,
 * `invoice_has_live_canje`, `invoice_already_replaced`, `too_many_payments`, and `payment_exceeds_payable`. Concurrent requests are serialized.
 */
export async function recordPayment(
  db: Recording,
  by: Recorder,
  invoiceId: string,
  request: PaymentRequest,
  { key, sent }: { readonly key: string | null; readonly sent: unknown },
): Promise<{ readonly outcome: Outcome<Payment>; readonly replayed: boolean }> {
  const environmentId = isInvoiceId(invoiceId)
    ? await environmentOf(db.pool, 'invoice', invoiceId, by.within)
    : null;
  if (environmentId === null) return { outcome: noInvoice(), replayed: false };
  const digest = () => requestDigest({ invoiceId, sent });
  return once<Payment>(
    db,
    { environmentId, key, operation: 'record_payment', digest },
    (claim) =>
      inAccountTransaction<Outcome<Payment>>(db.pool, invoiceId, async (client) => {
        const recorded = await record(client, by, { environmentId, invoiceId }, request);
        if (!isRefusal(recorded) && claim !== null) await saveAnswer(client, claim, recorded);
        return recorded;
      }),
    (answer) => {
      const { recordedAt, ...payment } = answer as Payment;
      return { ...payment, recordedAt: new Date(recordedAt) };
    },
  );
}

type Named = { readonly environmentId: number; readonly invoiceId: string };

async function record(
  client: Queryable,
  by: Recorder,
  { environmentId, invoiceId }: Named,
  request: PaymentRequest,
): Promise<Outcome<Payment>> {
  const { amount, paidOn } = request;
  const [means, reference] = [request.means ?? null, request.reference ?? null];
  const before = await lockedAccount(client, environmentId, invoiceId);
  const invoice = await paymentStateOf(client, environmentId, invoiceId);
  const refusal = stateRefusal(invoice) ?? requestRefusal(invoice, before, { amount });
  if (refusal !== null) return refusal;
  const now = await readEnvironmentNow(client, environmentId);
  const id = newId('pay');
  const row: PaymentRow = {
    ...{
      environment_id: environmentId,
      id,
      invoice_id: invoiceId,
      amount,
      paid_on: paidOn,
      means,
      reference,
    },
    ...{ recorded_by: by.actor, recorded_at: now.toISOString(), account_payable: before.payable },
    account_paid: before.paid + (invoice.payable < 0 ? -amount : amount),
  };
  await storePayment(client, row);
  const after = await refreshed(client, environmentId, before.rootId);
  await append(client, [recordedEntry(row), ...paidEntries(environmentId, [after], now)]);
  await recordAudit(client, by, 'record_payment', { environmentId, invoiceId }, id);
  return {
    ...{ environmentId, id, invoiceId, amount, paidOn, means, reference, recordedAt: now },
    removedAt: null,
  };
}

/**
 * Removes a payment that was recorded by mistake: a row that states it is added, and none is deleted. Removing it
 * again has no effect. Refuses with `invoice_not_found` and `payment_not_found`.
 */
export async function removePayment(
  { pool }: Pick<Db, 'pool'>,
  by: Recorder,
  invoiceId: string,
  paymentId: string,
): Promise<Outcome<Payment>> {
  const environmentId = isInvoiceId(invoiceId)
    ? await environmentOf(pool, 'invoice', invoiceId, by.within)
    : null;
  if (environmentId === null) return noInvoice();
  return inAccountTransaction<Outcome<Payment>>(pool, invoiceId, async (client) => {
    const before = await lockedAccount(client, environmentId, invoiceId);
    const payment = isPaymentId(paymentId) ? await readPayment(client, environmentId, paymentId) : null;
    if (payment === null || payment.invoiceId !== invoiceId) return noPayment();
    if (payment.removedAt !== null) return payment;
    const { payable } = await paymentStateOf(client, environmentId, invoiceId);
    const now = await readEnvironmentNow(client, environmentId);
    const row = {
      ...{ environment_id: environmentId, payment_id: paymentId, invoice_id: invoiceId },
      ...{ removed_by: by.actor, removed_at: now.toISOString(), account_payable: before.payable },
      account_paid: before.paid + (payable < 0 ? payment.amount : -payment.amount),
    };
    await storeRemoval(client, row);
    // Issued after it, so their accounts are locked in the order of their ids.
    const exchanges = await exchangesOf(client, environmentId, before.rootId);
    await lockAccounts(client, environmentId, exchanges);
    await refreshAccounts(client, environmentId, exchanges);
    const after = await refreshed(client, environmentId, before.rootId);
    await append(client, [removedEntry(row), ...paidEntries(environmentId, [after], now)]);
    await recordAudit(client, by, 'remove_payment', { environmentId, invoiceId }, paymentId);
    return { ...payment, removedAt: now };
  });
}

/**
 * The account of an invoice, locked until the caller's transaction ends, and computed from what is sealed by now.
 */
export async function lockedAccount(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<Account> {
  const root = await rootOf(client, environmentId, invoiceId);
  if (root === null) throw new Error('an invoice has no beginning of its family');
  await lockAccounts(client, environmentId, [root]);
  return refreshed(client, environmentId, root);
}

async function refreshed(client: Queryable, environmentId: number, root: string): Promise<Account> {
  const [account] = await refreshAccounts(client, environmentId, [root]);
  if (account === undefined) throw new Error('an account that is locked is gone');
  return account;
}

/** Why nothing more can be recorded for an invoice; null when it can. */
export function stateRefusal({
  number,
  voided,
  exchanged,
  settledElsewhere,
  ofSeveral,
  inForce,
}: PaymentState): Refusal | null {
  if (voided) return new Refusal('invoice_already_voided', `Invoice ${number} is voided.`);
  if (exchanged) {
    return new Refusal('invoice_has_live_canje', `Invoice ${number} was exchanged for a complete one.`);
  }
  if (settledElsewhere) {
    const detail = `What is paid of invoice ${number} is recorded for the exchange invoice in force of the sale.`;
    return new Refusal('invoice_already_replaced', detail);
  }
  if (ofSeveral) {
    const detail = `Invoice ${number} corrects several invoices: what is refunded is recorded for the corrected ones.`;
    return new Refusal('payment_exceeds_payable', detail);
  }
  return inForce
    ? null
    : new Refusal('invoice_already_replaced', `Invoice ${number} was replaced by a substitution.`);
}

function requestRefusal(
  { number, payable, recorded }: PaymentState,
  account: Account,
  { amount }: Pick<PaymentRequest, 'amount'>,
): Refusal | null {
  const max = PAYMENT_LIMITS.paymentsOfInvoice.value;
  if (recorded >= max) {
    return new Refusal('too_many_payments', `Of invoice ${number} ${max} payments were recorded.`);
  }
  const due = payable < 0 ? account.paid - account.payable : account.payable - account.paid;
  if (amount <= due) return null;
  const remaining = Math.max(0, due);
  const verb = payable < 0 ? 'to be refunded' : 'to be paid';
  const detail = `${remaining} cents of invoice ${number} are left ${verb}.`;
  return new Refusal('payment_exceeds_payable', detail);
}

async function recordAudit(
  client: Queryable,
  { actor, reason }: Recorder,
  action: 'record_payment' | 'remove_payment',
  { environmentId, invoiceId }: Named,
  paymentId: string,
): Promise<void> {
  if (reason === null) return;
  const entry = { actor, action, subject: invoiceId, environmentId, reason };
  await addAuditEntry(client, { ...entry, details: { paymentId } });
}

/** 404 `invoice_not_found`. */
export function noInvoice(): Refusal {
  return new Refusal('invoice_not_found', 'No invoice of this id exists in the environment.');
}

function noPayment(): Refusal {
  return new Refusal('payment_not_found', 'No payment of this id was recorded of the invoice.');
}
