import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, type Html, html } from '../../web/html.ts';
import { facts } from '../components.ts';
import { dayOf, money } from '../format.ts';
import { briefInvoice, type InvoiceBrief, invoiceBadges, invoiceName } from '../invoice.ts';
import type { Action, ActionField, CompanyScope, Entries, OperatorContext } from '../page.ts';
import { stored } from '../query.ts';
import { said } from '../words.ts';

/** Corrections of invoices that only operators make. */

const VOID = stored(
  'mutation ConsoleVoid($id: ID!, $reason: String!) { voidInvoice(invoiceId: $id, reason: $reason) { id } }',
);

/** The invoice that an action is about. */
export function subjectOf(invoice: InvoiceBrief): Html {
  return html`<div class="card">${facts([
    ['Invoice', html`${bdi(invoice.number)} <span class="soft">${invoiceName(invoice)}</span>`],
    ['State', invoiceBadges(invoice)],
    ['Issued|day', dayOf(invoice.issuedOn)],
    ['Recipient', invoice.recipientName && bdi(invoice.recipientName)],
    ['Tax id', invoice.recipientTaxId && bdi(invoice.recipientTaxId)],
    ['Total', money(invoice.total)],
  ])}</div>`;
}

type Named = { readonly invoice: InvoiceBrief; readonly companyScope: CompanyScope };

function named(context: OperatorContext): Promise<Outcome<Named>> {
  return briefInvoice(context, context.param('id'));
}

export const voidInvoice: Action = {
  async prepare(context) {
    const found = await named(context);
    if (isRefusal(found)) return found;
    return {
      title: said('Void {number}', { number: found.invoice.number }),
      companyScope: found.companyScope,
      lead: 'Only for an invoice that should never have been issued: nothing was supplied, or it was issued twice. A cancellation record is sealed and sent to the agency. Its number remains used, and this cannot be undone. An invoice for an actual supply is corrected by a rectificativa.',
      subject: subjectOf(found.invoice),
      submit: 'Void the invoice',
      irreversible: true,
      back: `/invoices/${found.invoice.id}`,
    };
  },
  async perform(context, entries) {
    const done = await VOID(context, { id: context.param('id'), reason: entries('reason') });
    return isRefusal(done) ? done : { flash: 'The invoice is voided; its cancellation is on its way.' };
  },
};

const AMEND = stored(
  'mutation ConsoleAmend($input: AmendRecordInput!) { amendRecord(input: $input) { id } }',
);

const TAX_ID_TYPES = [
  ['', 'By itself'],
  ['es_nif', 'Spanish NIF'],
  ['eu_vat', 'EU VAT number'],
  ['passport', 'Passport'],
  ['official_document', 'Official document'],
  ['residence_certificate', 'Residence certificate'],
  ['other', 'Other'],
  ['not_registered', 'Not registered'],
] as const;

const UNCHANGED = 'Left empty, it stays as declared.';
const SPELLING =
  'Another spelling of the printed name, as the census has it. Left empty, it stays as declared.';

const IDENTITY: readonly ActionField[] = [
  { name: 'name', label: 'Recipient’s fiscal name', hint: SPELLING, optional: true, max: 200 },
  { name: 'taxId', label: 'Tax id', hint: UNCHANGED, optional: true, max: 50, width: 'half' },
  { name: 'taxIdType', label: 'Type of the id', choices: TAX_ID_TYPES, optional: true, width: 'half' },
  {
    ...({ name: 'taxIdCountry', label: 'Country of the id', optional: true, max: 2, width: 'half' } as const),
    hint: 'Two letters, such as FR.',
  },
];

const CONTENT: readonly ActionField[] = [
  {
    ...({ name: 'description', label: 'Description of the operation', optional: true, max: 500 } as const),
    hint: 'As declared to the agency; the invoice’s own lines stay unchanged. If empty, it stays as declared.',
  },
  {
    ...({
      name: 'reclassify',
      label: 'Declare the taxes according to the current catalog',
      kind: 'tick',
    } as const),
    hint: 'The amounts stay unchanged. For errors of the classification, after the catalog has been corrected.',
  },
];

/** Subsanación: sends again what is declared of an invoice, corrected. */
export const amendRecord: Action = {
  async prepare(context) {
    const found = await named(context);
    if (isRefusal(found)) return found;
    const { invoice, companyScope } = found;
    return {
      title: said('Amend the record of {number}', { number: invoice.number }),
      companyScope: companyScope,
      lead: 'Another record (subsanación) is sealed with the corrections made here, and sent. The invoice and its amounts stay as they were issued. Without corrections, what was rejected or flagged is sent again as it is; of what was accepted something must change. Data printed on the invoice is corrected by a rectificativa; an invoice whose record was rejected is voided and issued again.',
      subject: subjectOf(invoice),
      fields: invoice.type === 'complete' ? [...IDENTITY, ...CONTENT] : CONTENT,
      submit: 'Seal and send the amendment',
      back: `/invoices/${invoice.id}`,
    };
  },
  async perform(context, entries) {
    const recipient = identityOf(entries);
    const input = {
      ...{ invoiceId: context.param('id'), reason: entries('reason') },
      ...(Object.keys(recipient).length === 0 ? {} : { recipient }),
      description: entries('description') || null,
      reclassify: entries('reclassify') === 'yes',
    };
    const done = await AMEND(context, { input });
    return isRefusal(done) ? done : { flash: 'The amendment is sealed and on its way.' };
  },
};

/** The identity that was given; what was left empty is absent. */
function identityOf(entries: Entries): Record<string, string> {
  const statements = [
    ['name', entries('name')],
    ['taxId', entries('taxId')],
    ['taxIdType', entries('taxIdType')],
    ['taxIdCountry', entries('taxIdCountry').toUpperCase()],
  ] as const;
  return Object.fromEntries(statements.filter(([, value]) => value !== ''));
}

const EXCHANGE = stored(
  'mutation ConsoleExchange($input: ExchangeInvoicesInput!) { exchangeInvoices(input: $input) { id number } }',
);

/** Who a complete invoice is made out to. */
export const RECIPIENT: readonly ActionField[] = [
  { name: 'name', label: 'Fiscal name', max: 200, hint: 'Exactly as the census has it.' },
  { name: 'taxId', label: 'Tax id', max: 50, width: 'half' },
  { name: 'taxIdType', label: 'Type of the id', choices: TAX_ID_TYPES, optional: true, width: 'half' },
  {
    ...({ name: 'taxIdCountry', label: 'Country of the id', optional: true, max: 2, width: 'half' } as const),
    hint: 'Two letters; only for ids that do not determine it.',
  },
  { name: 'line1', label: 'Street and number', max: 200 },
  { name: 'line2', label: 'Floor, door', max: 200, optional: true },
  { name: 'postalCode', label: 'Postal code', max: 20, width: 'short' },
  { name: 'city', label: 'Town', max: 100, width: 'long' },
  { name: 'country', label: 'Country', max: 2, value: 'ES', hint: 'Two letters.', width: 'short' },
  { name: 'email', label: 'Email', max: 254, optional: true },
];

const TICKETS: readonly ActionField[] = [
  {
    ...({ name: 'others', label: 'Further tickets', optional: true, kind: 'text', max: 5_000 } as const),
    hint: 'Ids of other simplified invoices of the same company to be included, one per line.',
  },
];

/** The recipient that was written into the fields. */
export function recipientOf(entries: Entries) {
  const entryOrNull = (name: string) => entries(name) || null;
  const [line1, line2, postalCode, city] = ['line1', 'line2', 'postalCode', 'city'].map(entryOrNull);
  const country = entryOrNull('country')?.toUpperCase() ?? null;
  return {
    ...identityOf(entries),
    email: entryOrNull('email'),
    address: {
      ...{ line1: line1 ?? null, line2: line2 ?? null, postalCode: postalCode ?? null },
      ...{ city: city ?? null, country },
    },
  };
}

/** A complete invoice in exchange for simplified ones (F3). */
export const exchangeInvoice: Action = {
  async prepare(context) {
    const found = await named(context);
    if (isRefusal(found)) return found;
    const { invoice, companyScope } = found;
    return {
      title: said('Exchange {number} for a complete invoice', { number: invoice.number }),
      companyScope: companyScope,
      lead: 'One complete invoice (F3) is issued for the ticket, with its lines and amounts, to the recipient named here. The ticket remains valid, but can no longer be corrected. The recipient is checked against its register.',
      subject: subjectOf(invoice),
      fields: [...RECIPIENT, ...TICKETS],
      submit: 'Issue the complete invoice',
      back: `/invoices/${invoice.id}`,
    };
  },
  async perform(context, entries) {
    const input = {
      ticketIds: [context.param('id'), ...entries('others').split(/\s+/).filter(Boolean)],
      recipient: recipientOf(entries),
      reason: entries('reason'),
    };
    const done = await EXCHANGE(context, { input });
    if (isRefusal(done)) return done;
    const { id, number } = done.exchangeInvoices;
    return { flash: said('{number} was issued in exchange.', { number }), to: `/invoices/${id}` };
  },
};
