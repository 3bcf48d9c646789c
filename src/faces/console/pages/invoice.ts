import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, type Content, type Html, html } from '../../web/html.ts';
import { EXTENSION_FIELDS, extensionFacts, type ShownExtensions } from '../../web/invoice-extensions.ts';
import { LINE_TERMS_FIELDS, priceOf, quantityOf, type ShownTerms } from '../../web/line-terms.ts';
import { companyScopeOf } from '../company.ts';
import {
  agencyMessage,
  badge,
  facts,
  kindNames,
  remediationSteps,
  section,
  table,
  timesSent,
} from '../components.ts';
import { EMAIL_FIELDS, emailList, type ShownEmail } from '../emails.ts';
import { stepAddress } from '../failures.ts';
import { dayOf, moment, money, number } from '../format.ts';
import { type FormatOffer, formatList } from '../formats.ts';
import { briefInvoice, invoiceBadges, invoiceName } from '../invoice.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { PAYMENT_FIELDS, paymentList, type ShownPayments } from '../payments.ts';
import { stored } from '../query.ts';
import { parkedRemediation, recordRemediation, splitReason } from '../remediation.ts';
import { given, say, sayWith, spokenLanguage } from '../words.ts';

type Link = { readonly id: string };

type InvoiceRecord = {
  readonly id: string;
  readonly kind: 'registration' | 'cancellation';
  readonly chainId: number;
  readonly position: number;
  readonly generatedAt: string;
  readonly status: string;
  readonly attempts: number;
  readonly parkedReason: string | null;
  readonly receipt: string | null;
  readonly error: { readonly code: string | null; readonly message: string | null } | null;
};

type Full = {
  readonly id: string;
  readonly number: string;
  readonly type: 'complete' | 'simplified';
  readonly kind: string;
  readonly status: 'issued' | 'voided';
  readonly subtotal: number;
  readonly tax: number;
  readonly total: number;
  readonly invoiceDate: string;
  readonly operationDate: string;
  readonly language: string | null;
  readonly environment: 'test' | 'live';
  readonly companyId: string;
  readonly externalId: string | null;
  readonly orderId: string | null;
  readonly pdfUrl: string;
  readonly ticketUrl: string;
  readonly rectificationReason: string | null;
  readonly verifactu: { readonly status: string; readonly qrUrl: string } | null;
  readonly recipient: {
    readonly name: string | null;
    readonly companyName: string | null;
    readonly taxId: string | null;
    readonly taxIdType: string | null;
    readonly taxIdCountry: string | null;
    readonly email: string | null;
  } | null;
  readonly lineItems: readonly (ShownTerms & {
    readonly description: string;
    readonly subtotal: number;
    readonly taxItems: readonly { readonly name: string }[];
  })[];
  readonly rectifies: readonly {
    readonly invoiceId: string | null;
    readonly external: { readonly number: string } | null;
  }[];
  readonly rectifiedPeriod: { readonly from: string; readonly to: string } | null;
  readonly rectifiedBy: readonly Link[];
  readonly exchanges: readonly Link[];
  readonly exchangedBy: Link | null;
  readonly formats: readonly FormatOffer[];
  readonly emails: { readonly edges: readonly { readonly node: ShownEmail }[] };
  readonly records: readonly InvoiceRecord[];
} & ShownExtensions &
  ShownPayments;

const QUERY = stored(`query ConsoleInvoice($id: ID!) {
  invoice(id: $id) {
    id number type kind status subtotal tax total invoiceDate operationDate environment companyId externalId orderId
    ${EXTENSION_FIELDS}
    language pdfUrl ticketUrl: pdfUrl(paper: roll) rectificationReason verifactu { status qrUrl }
    recipient { name companyName taxId taxIdType taxIdCountry email }
    lineItems { description ${LINE_TERMS_FIELDS} subtotal taxItems { name } }
    rectifies { invoiceId external { number } } rectifiedPeriod { from to } rectifiedBy { id }
    exchanges { id } exchangedBy { id }
    formats { format label isProvisional reason warning }
    emails(first: 10) { edges { node { ${EMAIL_FIELDS} } } }
    ${PAYMENT_FIELDS}
    records {
      id kind chainId position generatedAt status attempts parkedReason receipt error { code message }
    }
  }
}`);

/** One invoice: its content, its family, its records at the agency and its document. */
export async function invoice(context: OperatorContext): Promise<Outcome<PageContent>> {
  const { root } = context;
  const found = await QUERY(context, { id: context.param('id') });
  if (isRefusal(found)) return found;
  const { invoice: full } = found;
  const companyScope = await companyScopeOf(context, full.companyId);
  if (isRefusal(companyScope)) return companyScope;
  const body = html`<header class="heading"><div><p class="soft">${invoiceName(full)}</p><h1>${bdi(full.number)}</h1>
<p class="states">${invoiceBadges(full)}</p></div><p class="grand">${money(full.total)}</p></header>
${ways(root, full)}
${section('Registration|at the agency', html`${full.records.map((record) => recordCard(root, full, record))}${full.records.length === 0 && html`<p class="card empty">${say('It was imported: it has no record here.')}</p>`}`, 'records')}
${section('Payments', paymentList(root, full), 'payments')}
${section('Data', await data(context, full), 'data')}
${section('E-mails', emailList(full.emails.edges.map(({ node }) => node)), 'emails')}
${section('Structured documents', formatList(root, full), 'formats')}
${section('Lines', lines(full), 'lines')}`;
  return {
    title: given(full.number),
    companyScope: { ...companyScope, environment: full.environment },
    body,
    live: true,
  };
}

function ways(
  root: string,
  { id, type, kind, total, status, exchangedBy, pdfUrl, ticketUrl, verifactu, records }: Full,
): Html {
  const address = `${root}/invoices/${id}`;
  const last = records.at(-1);
  // What looks possible: the operations themselves hold every rule.
  const isAtAgency = verifactu?.status === 'registered' || verifactu?.status === 'registered_with_errors';
  const canExchange = type === 'simplified' && isAtAgency && status === 'issued' && exchangedBy === null;
  const canFollow = kind === 'exchange' && total > 0 && isAtAgency && status === 'issued';
  const canVoid = records.length > 0 && (status === 'issued' || last?.status === 'rejected');
  const canAmend = status === 'issued' && records.some((record) => record.error !== null);
  return html`<p class="actions"><a class="button primary" href="${pdfUrl}">PDF</a>
<a class="button" href="${ticketUrl}">${say('PDF, 80 mm')}</a>
<a class="button" href="${address}/send">${say('Send…')}</a>
${canAmend && html`<a class="button" href="${address}/amend">${say('Amend…')}</a>`}
${canExchange && html`<a class="button" href="${address}/exchange">${say('Exchange…')}</a>`}
${canFollow && html`<a class="button" href="${address}/return">${say('Return…')}</a>`}
${canFollow && html`<a class="button" href="${address}/replacement">${say('Other recipient…')}</a>`}
${canVoid && html`<a class="button" href="${address}/void">${say('Void…')}</a>`}
${verifactu !== null && html`<a class="plain" href="${verifactu.qrUrl}" rel="noreferrer">${say('Check at the agency')}</a>`}</p>`;
}

function recordCard(root: string, { id, number: name }: Full, record: InvoiceRecord): Html {
  const { kind, chainId, position, status, error, parkedReason, attempts, receipt, generatedAt } = record;
  const step = stepAddress(root, { recordId: record.id, invoiceId: id });
  const parked = parkedReason === null ? null : splitReason(parkedReason);
  return html`<article class="card matter"><h3><a href="${root}/records/${record.id}">${say(kindNames[kind])}<span class="unseen"> ${say('of {number}, position {position}', { number: name, position })}</span></a> ${badge(status)}${parked !== null && html` ${badge('parked', 'Parked')}`}</h3>
<p class="soft">${moment(generatedAt)} · <a href="${root}/chains/${chainId}?from=${position}">${say('position {position} of chain {chain}', { position: number(position), chain: chainId })}</a>${attempts > 0 && ` · ${say('sent')} ${timesSent(attempts)}`}${receipt !== null && html` · CSV <code>${receipt}</code>`}</p>
${error !== null && html`<p>${sayWith('The agency: {message}', { message: agencyMessage(error.code, error.message) })}</p>${remediationSteps(recordRemediation(status, error.code), step)}`}
${parked !== null && html`<p>${parked.code === null ? sayWith('Parked by an operator: {reason}', { reason: bdi(parked.text) }) : agencyMessage(parked.code, parked.text)}</p>${remediationSteps(parkedRemediation(parked.code), step)}`}
${status === 'pending' && parked === null && html`<p class="ways"><a class="button small" href="${root}/records/${record.id}/park">${say('Park…')}</a> <a class="button small" href="${root}/records/${record.id}/skip">${say('Skip…')}</a></p>`}</article>`;
}

async function data(context: OperatorContext, full: Full): Promise<Html> {
  const { recipient } = full;
  const links = (references: readonly Link[]) => familyLinks(context, references);
  const corrected = full.rectifies.flatMap(({ invoiceId }) =>
    invoiceId === null ? [] : [{ id: invoiceId }],
  );
  const external = full.rectifies.flatMap((reference) => reference.external?.number ?? []);
  const [corrects, correctedBy, exchanges, exchangedBy] = await Promise.all([
    links(corrected),
    links(full.rectifiedBy),
    links(full.exchanges),
    links(full.exchangedBy === null ? [] : [full.exchangedBy]),
  ]);
  const taxId =
    recipient?.taxId == null
      ? null
      : html`${bdi(recipient.taxId)} <span class="soft">${[recipient.taxIdType, recipient.taxIdCountry].filter(Boolean).join(', ')}</span>`;
  return html`<div class="card">${facts([
    ['Id', html`<code>${full.id}</code>`],
    ['Issued|day', moment(full.invoiceDate)],
    ['Operation', dayOf(full.operationDate)],
    ...extensionFacts(full, spokenLanguage()).map(([name, value]) => [given(name), value] as const),
    ['Language of the document', full.language],
    ['Recipient', recipient && bdi(recipient.companyName ?? recipient.name ?? '—')],
    ['Tax id', taxId],
    ['Email', recipient?.email && bdi(recipient.email)],
    ['External id', full.externalId && bdi(full.externalId)],
    ['Order', full.orderId && bdi(full.orderId)],
    ['Corrects', corrects ?? (external.length > 0 && external.map(bdi))],
    ['Period corrected', full.rectifiedPeriod && `${full.rectifiedPeriod.from} – ${full.rectifiedPeriod.to}`],
    ['Reason for the correction', full.rectificationReason],
    ['Corrected by', correctedBy],
    ['In exchange for', exchanges],
    ['Exchanged by', exchangedBy],
  ])}</div>`;
}

async function familyLinks(context: OperatorContext, references: readonly Link[]): Promise<Html | null> {
  if (references.length === 0) return null;
  const found = await Promise.all(references.map(({ id }) => briefInvoice(context, id)));
  const links: Content[] = found.flatMap((one) =>
    isRefusal(one)
      ? []
      : [
          html`<a href="${context.root}/invoices/${one.invoice.id}">${bdi(one.invoice.number)}</a> ${invoiceBadges(one.invoice)}<br>`,
        ],
  );
  return html`${links}`;
}

/** What leads from the total to the amount that is to be paid. */
function payable({ withholding, disbursements, amountPayable }: Full): Content {
  if (amountPayable === null) return null;
  return [
    withholding !== null &&
      html` · ${say('IRPF withheld ({rate} %) {amount}', { rate: withholding.rate, amount: money(withholding.amount) })}`,
    (disbursements ?? []).map(
      ({ description, amount }) =>
        html` · ${sayWith('disbursement {what} {amount}', { what: bdi(description), amount: money(amount) })}`,
    ),
    html` · <strong>${say('to be paid {amount}', { amount: money(amountPayable) })}</strong>`,
  ];
}

function lines(invoice: Full): Html {
  const { lineItems, subtotal, tax, total } = invoice;
  return html`${table(
    'Lines',
    [
      { head: 'Description', cell: ({ description }) => bdi(description) },
      { head: 'Quantity', kind: 'amount', cell: (line) => quantityOf(line, spokenLanguage()) },
      { head: 'Unit', kind: 'amount', cell: (line) => priceOf(line, spokenLanguage()) },
      { head: 'Tax', kind: 'amount', cell: ({ taxItems }) => taxItems.map(({ name }) => name).join(' + ') },
      { head: 'Amount', kind: 'amount', cell: (line) => money(line.subtotal) },
    ],
    lineItems,
    'No lines.',
  )}<p class="sum">${say('Net {amount}', { amount: money(subtotal) })} · ${say('taxes {amount}', { amount: money(tax) })} · <strong>${say('total {amount}', { amount: money(total) })}</strong>${payable(invoice)}</p>`;
}
