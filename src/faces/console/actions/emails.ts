import { isRefusal } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { stored } from '../ask.ts';
import { companyScopeOf, environmentNamed } from '../company.ts';
import { briefInvoice } from '../invoice.ts';
import type { Action } from '../page.ts';
import { facts } from '../parts.ts';

const RECIPIENT = stored('query ConsoleRecipientEmail($id: ID!) { invoice(id: $id) { email } }');

const SEND = stored(`mutation ConsoleSend($input: SendInvoiceInput!, $reason: String) {
  sendInvoice(input: $input, reason: $reason) { id }
}`);

/** Sends an invoice by e-mail. */
export const sendInvoice: Action = {
  async prepare(visit) {
    const found = await briefInvoice(visit, visit.param('id'));
    if (isRefusal(found)) return found;
    const asked = await RECIPIENT(visit, { id: visit.param('id') });
    if (isRefusal(asked)) return asked;
    const { invoice, companyScope } = found;
    return {
      title: `Send ${invoice.number}`,
      companyScope,
      lead: 'A message with the PDF is written down and handed to the mail server. It cannot be called back.',
      subject: html`<div class="card">${facts([
        ['Invoice', bdi(invoice.number)],
        ['Recipient', invoice.recipientName && bdi(invoice.recipientName)],
      ])}</div>`,
      fields: [
        {
          ...{ name: 'to', label: 'To', value: asked.invoice?.email ?? '', max: 2_600 },
          hint: 'One address, or up to ten with blanks between them.',
        },
        { name: 'message', label: 'Message', kind: 'text', max: 2_000, optional: true },
      ],
      submit: 'Send it',
      back: `/invoices/${invoice.id}`,
    };
  },
  async perform(visit, entries) {
    const to = entries('to')
      .split(/[\s,;]+/)
      .filter(Boolean);
    const input = {
      invoiceId: visit.param('id'),
      to: to.length === 0 ? null : to,
      message: entries('message') || null,
    };
    const done = await SEND(visit, { input, reason: entries('reason') });
    return isRefusal(done) ? done : { flash: 'The message is written down and will be handed over at once.' };
  },
};

const SETTINGS = stored(`query ConsoleEmailSettings($companyId: ID!, $environment: Environment!) {
  emailSettings(companyId: $companyId, environment: $environment) { senderName replyTo }
}`);

const SET = stored(`mutation ConsoleSetEmailSettings($input: SetEmailSettingsInput!, $companyId: ID!,
    $environment: Environment!, $reason: String) {
  setEmailSettings(input: $input, companyId: $companyId, environment: $environment, reason: $reason) { senderName }
}`);

/** As whom an environment sends. */
export const changeEmailSettings: Action = {
  async prepare(visit) {
    const companyScope = await companyScopeOf(visit);
    if (isRefusal(companyScope)) return companyScope;
    const environment = environmentNamed(visit);
    const found = await SETTINGS(visit, { companyId: companyScope.companyId, environment });
    if (isRefusal(found)) return found;
    return {
      title: 'Change as whom e-mail is sent',
      companyScope: { ...companyScope, environment },
      lead: 'It counts for messages that are handed over from now on.',
      fields: [
        {
          ...{
            name: 'senderName',
            label: 'Name of the sender',
            value: found.emailSettings?.senderName ?? '',
          },
          ...{ max: 100, optional: true, hint: 'Empty, it is the company’s legal name.' },
        },
        {
          ...{ name: 'replyTo', label: 'Where answers go', value: found.emailSettings?.replyTo ?? '' },
          ...{ max: 254, optional: true, hint: 'Empty, messages say that nobody reads answers.' },
        },
      ],
      submit: 'Change it',
      back: `/companies/${companyScope.companyId}/invoices?environment=${environment}`,
    };
  },
  async perform(visit, entries) {
    const input = { senderName: entries('senderName') || null, replyTo: entries('replyTo') || null };
    const environment = environmentNamed(visit);
    const meant = { companyId: visit.param('companyId'), environment, reason: entries('reason') };
    const done = await SET(visit, { input, ...meant });
    return isRefusal(done) ? done : { flash: 'Messages come so from now on.' };
  },
};
