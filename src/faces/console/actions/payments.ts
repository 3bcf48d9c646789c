import { isRefusal } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { facts } from '../components.ts';
import { money } from '../format.ts';
import { briefInvoice, invoiceBadges } from '../invoice.ts';
import type { Action, ActionField } from '../page.ts';
import { stored } from '../query.ts';
import { said } from '../words.ts';

/** What operators record of payments. */

const RECORD = stored(`mutation ConsoleRecordPayment($input: RecordPaymentInput!, $reason: String!) {
  recordPayment(input: $input, reason: $reason) { payment { id } }
}`);

const REMOVE = stored(`mutation ConsoleRemovePayment($invoiceId: ID!, $paymentId: ID!, $reason: String!) {
  removePayment(invoiceId: $invoiceId, paymentId: $paymentId, reason: $reason) { payment { id } }
}`);

const MEANS = [
  ['transfer', 'Transfer'],
  ['direct_debit', 'Direct debit'],
  ['card', 'Card'],
  ['cash', 'Cash'],
  ['other', 'Other'],
] as const;

const CHOICES = [['', 'Not stated'], ...MEANS] as const;

const FIELDS: readonly ActionField[] = [
  { name: 'amount', label: 'Amount in EUR', hint: 'Such as 120.50.', max: 20, width: 'half' },
  { name: 'paidOn', label: 'Paid on', hint: 'YYYY-MM-DD.', max: 10, width: 'half' },
  { name: 'means', label: 'How', choices: CHOICES, optional: true, width: 'half' },
  { name: 'reference', label: 'Reference', max: 140, optional: true },
];

/** Euros as people write them, in cents; 0, which is refused at its field, for what is no amount. */
export function centsOf(euros: string): number {
  const [, whole, cents = ''] = /^(\d{1,12})(?:[.,](\d{1,2}))?$/.exec(euros.trim()) ?? [];
  return whole === undefined ? 0 : Number(whole) * 100 + Number(cents.padEnd(2, '0'));
}

export const recordPayment: Action = {
  async prepare(context) {
    const found = await briefInvoice(context, context.param('id'));
    if (isRefusal(found)) return found;
    const { invoice, companyScope } = found;
    return {
      title: said('Record a payment of {number}', { number: invoice.number }),
      companyScope,
      lead: 'A payment of the invoice, or a refund if its total is negative. The invoice itself does not change.',
      subject: html`<div class="card">${facts([
        ['Invoice', bdi(invoice.number)],
        ['State', invoiceBadges(invoice)],
        ['Total', money(invoice.total)],
      ])}</div>`,
      fields: FIELDS,
      submit: 'Record the payment',
      back: `/invoices/${invoice.id}`,
    };
  },
  async perform(context, entries) {
    const input = {
      ...{ invoiceId: context.param('id'), amount: centsOf(entries('amount')), paidOn: entries('paidOn') },
      ...{
        means: MEANS.find(([name]) => name === entries('means'))?.[0] ?? null,
        reference: entries('reference') || null,
      },
    };
    const done = await RECORD(context, { input, reason: entries('reason') });
    return isRefusal(done) ? done : { flash: 'The payment is recorded.' };
  },
};

export const removePayment: Action = {
  async prepare(context) {
    const found = await briefInvoice(context, context.param('id'));
    if (isRefusal(found)) return found;
    const { invoice, companyScope } = found;
    return {
      title: said('Remove a payment of {number}', { number: invoice.number }),
      companyScope,
      lead: 'For a payment recorded by mistake. It no longer counts; the journal keeps both facts.',
      subject: html`<div class="card">${facts([
        ['Invoice', bdi(invoice.number)],
        ['Payment', html`<code>${context.param('payment')}</code>`],
      ])}</div>`,
      submit: 'Remove the payment',
      back: `/invoices/${invoice.id}`,
    };
  },
  async perform(context, entries) {
    const ids = { invoiceId: context.param('id'), paymentId: context.param('payment') };
    const done = await REMOVE(context, { ...ids, reason: entries('reason') });
    return isRefusal(done) ? done : { flash: 'The payment is removed.' };
  },
};
