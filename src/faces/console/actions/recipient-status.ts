import { isRefusal } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { facts } from '../components.ts';
import { briefInvoice, invoiceBadges } from '../invoice.ts';
import type { Action } from '../page.ts';
import { stored } from '../query.ts';
import { said } from '../words.ts';

const RECORD =
  stored(`mutation ConsoleRecordRecipientStatus($input: RecordRecipientStatusInput!, $reason: String!) {
  recordRecipientStatus(input: $input, reason: $reason) { recipientStatus { status } }
}`);

const STATUSES = [
  ['paid', 'Reports the invoice as paid'],
  ['rejected', 'Rejects the invoice'],
  ['withdrawn', 'Withdraws its previous answer'],
] as const;

/** Records what the recipient of an invoice has stated. */
export const recordRecipientStatus: Action = {
  async prepare(context) {
    const found = await briefInvoice(context, context.param('id'));
    if (isRefusal(found)) return found;
    const { invoice, companyScope } = found;
    return {
      title: said('Record a recipient’s status of {number}', { number: invoice.number }),
      companyScope,
      lead: 'A status reported by the recipient of the invoice. It is added to the journal; payments do not change, and nothing is sent.',
      subject: html`<div class="card">${facts([
        ['Invoice', bdi(invoice.number)],
        ['State', invoiceBadges(invoice)],
        ['Recipient', invoice.recipientName && bdi(invoice.recipientName)],
      ])}</div>`,
      fields: [
        { name: 'status', label: 'Status', choices: STATUSES, width: 'half' },
        {
          name: 'on',
          label: 'On',
          hint: 'YYYY-MM-DD: the day of the payment, rejection or withdrawal.',
          max: 10,
          width: 'half',
        },
        {
          ...({
            name: 'toldOn',
            label: 'Told on',
            hint: 'Default: today.',
            max: 10,
            optional: true,
          } as const),
          width: 'half',
        },
        {
          name: 'statusReason',
          label: 'The recipient’s reason',
          hint: 'Required except for a payment.',
          max: 500,
          optional: true,
        },
      ],
      submit: 'Record it',
      back: `/invoices/${invoice.id}`,
    };
  },
  async perform(context, entries) {
    const status = STATUSES.find(([name]) => name === entries('status'))?.[0] ?? 'paid';
    const input = {
      ...{ invoiceId: context.param('id'), status, on: entries('on') },
      ...{ toldOn: entries('toldOn') || null, statusReason: entries('statusReason') || null },
    };
    const done = await RECORD(context, { input, reason: entries('reason') });
    return isRefusal(done) ? done : { flash: 'The status is recorded.' };
  },
};
