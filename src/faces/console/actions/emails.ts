import { isRefusal } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { facts } from '../components.ts';
import { briefInvoice } from '../invoice.ts';
import type { Action } from '../page.ts';
import { stored } from '../query.ts';
import { said } from '../words.ts';

const RECIPIENT = stored('query ConsoleRecipientEmail($id: ID!) { invoice(id: $id) { email } }');

const SEND = stored(`mutation ConsoleSend($input: SendInvoiceInput!, $reason: String) {
  sendInvoice(input: $input, reason: $reason) { id }
}`);

/** Sends an invoice by e-mail. */
export const sendInvoice: Action = {
  async prepare(context) {
    const found = await briefInvoice(context, context.param('id'));
    if (isRefusal(found)) return found;
    const recipient = await RECIPIENT(context, { id: context.param('id') });
    if (isRefusal(recipient)) return recipient;
    const { invoice, companyScope } = found;
    return {
      title: said('Send {number}', { number: invoice.number }),
      companyScope,
      lead: 'A message with the PDF is queued and handed to the mail server. It cannot be recalled.',
      subject: html`<div class="card">${facts([
        ['Invoice', bdi(invoice.number)],
        ['Recipient', invoice.recipientName && bdi(invoice.recipientName)],
      ])}</div>`,
      fields: [
        {
          ...({ name: 'to', label: 'To', value: recipient.invoice?.email ?? '', max: 2_600 } as const),
          hint: 'One address, or up to ten separated by spaces.',
        },
        { name: 'message', label: 'Message', kind: 'text', max: 2_000, optional: true },
      ],
      submit: 'Send it',
      back: `/invoices/${invoice.id}`,
    };
  },
  async perform(context, entries) {
    const to = entries('to')
      .split(/[\s,;]+/)
      .filter(Boolean);
    const input = {
      invoiceId: context.param('id'),
      to: to.length === 0 ? null : to,
      message: entries('message') || null,
    };
    const done = await SEND(context, { input, reason: entries('reason') });
    return isRefusal(done) ? done : { flash: 'The e-mail is queued and will be sent at once.' };
  },
};
