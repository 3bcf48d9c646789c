import { type Day, dayIn, plusDays, type TimeZone } from '../../ground/lib/calendar.ts';
import { environmentToday } from '../accounts/entry/environment-time.ts';
import { type PaymentFacts, paymentFactsOf } from '../invoices/payment-status.ts';
import type { InvoiceView } from '../invoices/view.ts';
import type { BUSINESS_STATUSES } from './types.ts';
import { RECIPIENT_DAYS, workingDaysAfter } from './working-days.ts';

export type BusinessStatus = {
  readonly status: (typeof BUSINESS_STATUSES)[number];
  /** Since when; null for the effect of a correction, which has no payment day. */
  readonly on: Day | null;
  /** Of `settled`: the day by which the recipient has to report the payment; null when `on` is. */
  readonly recipientTellsBy: Day | null;
};

/** The account of an invoice after a payment or its removal. */
export type Movement = {
  readonly at: Date;
  /** The day of the payment; null for a removal. */
  readonly paidOn: Day | null;
  readonly payable: number;
  readonly paid: number;
};

/** Whether the Order has statuses for an invoice: a complete one, whose recipient has a Spanish tax id. */
export function isBetweenBusinesses({ invoice }: InvoiceView): boolean {
  return invoice.type === 'complete' && invoice.recipient_tax_id_type === 'es_nif';
}

/**
 * The statuses of an invoice as of today in its environment; empty for an invoice that the Order does not apply to.
 */
export function businessStatusesOf(view: InvoiceView, movements: readonly Movement[]): BusinessStatus[] {
  const facts = isBetweenBusinesses(view) ? paymentFactsOf(view) : null;
  return facts === null
    ? []
    : businessStatuses(movements, facts, environmentToday(view.owner), view.owner.timeZone);
}

/**
 * The statuses in chronological order, as of a day where the issuer is. They are computed from the payments: not paid from
 * the day after the due day, settled by the payment that left nothing due, and cancelled by what undoes either.
 * Empty for an invoice with nothing to pay.
 */
export function businessStatuses(
  movements: readonly Movement[],
  now: Omit<PaymentFacts, 'owed'>,
  today: Day,
  zone: TimeZone = 'Europe/Madrid',
): BusinessStatus[] {
  const { dueOn } = now;
  if (now.payable <= 0 && movements.length === 0) return [];
  const timeline = new StatusTimeline();
  for (const { at, paidOn, payable, paid } of movements) {
    const noted = dayIn(zone, at);
    if (dueOn !== null && dueOn < noted) timeline.notPaid(plusDays(dueOn, 1));
    if (paid >= payable) timeline.settled(paidOn, noted);
    else timeline.unsettled(noted);
  }
  // A later correction is no movement of the account: it only changes the payable amount.
  if (now.paid >= now.payable) timeline.settled(null, null);
  else {
    timeline.unsettled(null);
    if (dueOn !== null && dueOn < today) timeline.notPaid(plusDays(dueOn, 1));
  }
  return timeline.all;
}

class StatusTimeline {
  readonly all: BusinessStatus[] = [];
  #isSettled = false;
  #isNotPaid = false;

  notPaid(on: Day): void {
    if (this.#isSettled || this.#isNotPaid) return;
    this.#isNotPaid = true;
    const [last] = this.all.slice(-1);
    const since = last?.on != null && last.on > on ? last.on : on;
    this.all.push({ status: 'not_paid', on: since, recipientTellsBy: null });
  }

  settled(on: Day | null, noted: Day | null): void {
    if (this.#isSettled) return;
    if (this.#isNotPaid) this.all.push({ status: 'not_paid_cancelled', on: noted, recipientTellsBy: null });
    this.#isNotPaid = false;
    this.#isSettled = true;
    const recipientTellsBy = on === null ? null : workingDaysAfter(on, RECIPIENT_DAYS);
    this.all.push({ status: 'settled', on, recipientTellsBy });
  }

  unsettled(on: Day | null): void {
    if (!this.#isSettled) return;
    this.#isSettled = false;
    this.all.push({ status: 'settlement_cancelled', on, recipientTellsBy: null });
  }
}
