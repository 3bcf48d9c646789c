import type { Queryable } from '../../../src/ground/db/queryable.ts';
import { sha256 } from '../../../src/ground/journal/canonical.ts';
import {
  bodyText,
  documentText,
  type InvoiceBody,
  invoiceText,
  receiptHash,
  settledText,
} from '../../../src/ground/journal/content.ts';
import { INVOICE_PAYMENT, type Row, rowText } from '../../../src/ground/journal/forms.ts';
import { readBodies } from '../../../src/ground/journal/store/sealed.ts';
import { prepareRegistration, type RegistrationContent } from '../../../src/subjects/chain/record-xml.ts';
import { sealedContent } from '../../../src/subjects/chain/sealed-content.ts';

/**
 * The texts that are hashed of an invoice, as expressions of SQL: the program's own code writes each once with marks where
 * invoices differ, and the marks become columns of what is being made (`l`). So Postgres makes millions of them without a
 * second version of any form.
 */

/** What the texts say that is the same for all invoices of a company. */
export type Issuer = {
  readonly nif: string;
  readonly legalName: string;
  readonly installationNumber: string;
  readonly chainId: number;
  readonly seriesId: string;
};

/** The invoice that all are like, as it was read. */
export type Model = {
  readonly body: InvoiceBody;
  readonly issuer: Row;
  readonly content: RegistrationContent;
  readonly payable: number;
};

export const RECEIPT = 'A-1B2C3D4E5F6G7H';

/** Marks that no text holds by itself, and what stands in their place. */
const MARKS: Readonly<Record<string, string>> = {
  '\ue000id\ue001': 'l.id',
  '\ue000external\ue001': 'l.external_id',
  '\ue000customer\ue001': 'l.customer',
  '\ue000name\ue001': 'l.name',
  '\ue000email\ue001': 'l.email',
  '\ue000due\ue001': 'l.due_on::text',
  '\ue000number\ue001': 'l.number',
  '\ue000previous number\ue001': 'l.previous_number',
  '\ue000previous fingerprint\ue001': 'l.previous_fingerprint',
  '\ue000previous id\ue001': 'l.previous_id',
  '\ue000fingerprint\ue001': 'l.fingerprint',
  '\ue000record\ue001': 'l.record_id',
  '\ue000submission\ue001': 'l.submission_id',
  '\ue000payment\ue001': 'l.payment_id',
  '\ue000issued on\ue001': 'l.issued_on::text',
  '\ue000xml\ue001': "encode(sha256(convert_to(x.xml, 'UTF8')), 'hex')",
  '\ue000body\ue001': "encode(sha256(convert_to(x.body, 'UTF8')), 'hex')",
  '\ue000document\ue001': "encode(sha256(convert_to(l.id, 'UTF8')), 'hex')",
  '\ue000day\ue001': "to_char(l.issued_on, 'DD-MM-YYYY')",
  '\ue000previous day\ue001': "to_char(l.previous_on, 'DD-MM-YYYY')",
  '\ue000stamp\ue001': 'l.stamp',
  '\ue000instant\ue001': `to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  '\ue000year\ue001': 'l.year',
  '\ue000counter\ue001': 'l.counter',
  '\ue000position\ue001': 'l.position',
  ...Object.fromEntries([0, 1, 2, 3].map((n) => [`\ue000line ${n}\ue001`, lineId(String(n))])),
};

/** The id of a line, made of its invoice's: the last digit is the line's. */
export function lineId(position: string): string {
  return `('ili_' || substr(l.id, 5, 31) || ${position})`;
}

const mark = (name: string): string => {
  const text = `\ue000${name}\ue001`;
  if (!(text in MARKS)) throw new Error(`there is no mark ${name}`);
  return text;
};

/** What numbers and times are while a text is written, since a mark can be neither. */
const DAY = '1111-11-11';
const EARLIER = '1222-12-22';
const INSTANT = new Date('1999-01-01T00:00:00.000Z');
const [YEAR, COUNTER, POSITION] = [1_111, 987_654_321, 987_654_322];

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The expression that writes a text with its marks; throws when a mark that must be in it is not. */
function expression(text: string, needed: readonly string[]): string {
  for (const name of needed) if (!text.includes(mark(name))) throw new Error(`a text lacks ${name}: ${text}`);
  const parts = text.split(/(\ue000[^\ue001]*\ue001)/);
  const pieces = parts.map((part) => MARKS[part] ?? quoted(part));
  return `(${pieces.filter((piece) => piece !== "''").join(' || ')})`;
}

/** Reads the invoice by whose likeness others are made. It must be complete, and nothing may have become of it. */
export async function readModel(
  client: Queryable,
  { environmentId, invoiceId }: { readonly environmentId: number; readonly invoiceId: string },
): Promise<Model> {
  const body = (await readBodies(client, environmentId, [invoiceId])).get(invoiceId);
  const { rows } = await client.query<{ xml: string }>(
    'select xml from registration_record where environment_id = $1 and invoice_id = $2',
    [environmentId, invoiceId],
  );
  if (body === undefined || rows.length !== 1) throw new Error(`there is no invoice ${invoiceId}`);
  const { total, issuer } = body.invoice as { total: number; issuer: Row };
  return { body, issuer, content: sealedContent(rows[0]!.xml), payable: total };
}

/** The expressions of a company's invoices: the XML of a record, its parts of a fingerprint, and what entries cover. */
export function textsOf(model: Model, issuer: Issuer) {
  const { content } = model;
  const prepared = prepareRegistration({
    ...content,
    issuer: { nif: issuer.nif, name: issuer.legalName },
    reference: mark('id'),
    recipient: content.recipient && { ...content.recipient, name: mark('name') },
    software: { ...content.software, installationNumber: issuer.installationNumber },
  });
  const xmlAfter = (previous: Parameters<typeof prepared.seal>[1]['previous']) => {
    const sealed = prepared.seal(
      { number: mark('number'), issuedOn: DAY },
      { previous, generatedAt: INSTANT },
    );
    return sealed.xml
      .replaceAll(sealed.fingerprint, mark('fingerprint'))
      .replaceAll('11-11-1111', mark('day'))
      .replaceAll('22-12-1222', mark('previous day'))
      .replaceAll('1999-01-01T01:00:00+01:00', mark('stamp'));
  };
  const before = { nif: issuer.nif, number: mark('previous number'), issuedOn: EARLIER };
  const first = xmlAfter(null);
  const later = xmlAfter({ reference: before, fingerprint: mark('previous fingerprint') });
  const always = ['id', 'name', 'number', 'day', 'stamp', 'fingerprint'];
  const linked = ['previous number', 'previous day', 'previous fingerprint'];
  const either = (one: string, other: string) => `case when l.position = 1 then ${one} else ${other} end`;
  return {
    xml: either(expression(first, always), expression(later, [...always, ...linked])),
    /** As the agency prescribes it, with the amounts of the XML. */
    fingerprinted:
      `'IDEmisorFactura=${issuer.nif}&NumSerieFactura=' || number || '&FechaExpedicionFactura=' || to_char(issued_on, 'DD-MM-YYYY')` +
      ` || '&TipoFactura=${content.invoiceType}&CuotaTotal=${elementOf(first, 'CuotaTotal')}&ImporteTotal=${elementOf(first, 'ImporteTotal')}&Huella='` +
      ` || coalesce(previous_fingerprint, '') || '&FechaHoraHusoGenRegistro=' || stamp`,
    body: bodyExpression(model, issuer),
    issued: either(issuedExpression(issuer, null), issuedExpression(issuer, 'previous')),
    ...laterTexts(model),
  };
}

function elementOf(xml: string, name: string): string {
  const found = new RegExp(`<sf:${name}>([^<]*)</sf:${name}>`).exec(xml)?.[1];
  if (found === undefined) throw new Error(`the record has no ${name}`);
  return found;
}

/** The issuer of the model as the invoices of a company have it. */
export function issuerRow({ issuer }: Model, { nif, legalName }: Issuer): Row {
  return { ...issuer, nif, legalName };
}

function bodyExpression(model: Model, issuer: Issuer): string {
  const { invoice, lines, taxItems, exchanges } = model.body;
  const own = {
    ...{ id: mark('id'), series_id: issuer.seriesId, issuer: issuerRow(model, issuer) },
    ...{ external_id: mark('external'), external_customer_id: mark('customer'), request_digest: null },
    ...{ recipient_name: mark('name'), recipient_email: mark('email'), due_date: mark('due') },
  };
  const text = bodyText({
    ...{ taxItems, exchanges, invoice: { ...invoice, ...own } },
    lines: lines.map((line) => ({ ...line, id: mark(`line ${String(line['position'])}`) })),
  });
  return expression(text, ['id', 'external', 'customer', 'name', 'email', 'due', 'line 0']);
}

function issuedExpression({ chainId }: Issuer, previous: 'previous' | null): string {
  const stamp = {
    ...{ number: mark('number'), series_year: YEAR, series_number: COUNTER, issued_at: INSTANT },
    issued_on: mark('issued on'),
  };
  const record = {
    ...{ id: mark('record'), chain_id: chainId, position: POSITION, kind: 'registration' },
    ...{ invoice_id: mark('id'), fingerprint: mark('fingerprint'), generated_at: INSTANT, xml: '' },
    previous_record_id: previous && mark('previous id'),
    previous_fingerprint: previous && mark('previous fingerprint'),
  };
  const text = invoiceText(mark('body'), stamp, record)
    .replaceAll(sha256(''), mark('xml'))
    .replaceAll(INSTANT.toISOString(), mark('instant'))
    .replaceAll(`"series_year":${YEAR}`, `"series_year":${mark('year')}`)
    .replaceAll(String(COUNTER), mark('counter'))
    .replaceAll(String(POSITION), mark('position'));
  return expression(text, ['body', 'number', 'year', 'counter', 'position', 'xml', 'instant', 'record']);
}

/** What is told of it once it is issued: registered, paid, its document made. */
function laterTexts({ payable }: Model) {
  const state = {
    ...{ record_id: mark('record'), status: 'registered', receipt: RECEIPT, settled_at: INSTANT },
    submission_id: mark('submission'),
  };
  const settled = settledText(state, receiptHash({ answer: null, receipt: RECEIPT }));
  const payment = rowText(INVOICE_PAYMENT, {
    ...{ id: mark('payment'), invoice_id: mark('id'), amount: payable, paid_on: mark('issued on') },
    ...{ means: 'transfer', recorded_by: PAID_BY, recorded_at: INSTANT },
    ...{ account_payable: payable, account_paid: payable },
  });
  const document = documentText({ edition: 'issued', sha256: Buffer.alloc(32) });
  const timed = (text: string) => text.replaceAll(INSTANT.toISOString(), mark('instant'));
  return {
    settled: expression(timed(settled), ['record', 'submission', 'instant']),
    paid: expression(timed(payment), ['payment', 'id', 'issued on', 'instant']),
    document: expression(document.replaceAll('0'.repeat(64), mark('document')), ['document']),
  };
}

export const PAID_BY = 'key_00000000000000000000000000000000';
