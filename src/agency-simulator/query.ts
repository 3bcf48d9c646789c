import { isNotYesNo, isOutOfLength } from './checks/finding.ts';
import { actsFor, type Presenter } from './presenter.ts';
import { type QueryPage, queryAnswer } from './query-answer.ts';
import type { Schemas } from './schemas.ts';
import { NAMESPACES, shapeFault } from './shapes.ts';
import { codedFault, type SoapFault, type SoapRequest } from './soap.ts';
import type { Invoice, Store } from './store.ts';
import { isNif } from './tax-ids.ts';
import { dayOfAgencyDate } from './time.ts';
import { childOf, childrenOf, MalformedXml, parseXml, textAt, type XmlElement } from './xml.ts';

/** Most invoices in one answer (web service description 6.4). */
export const QUERY_PAGE_SIZE = 10_000;

/** ConsultaFactuSistemaFacturacion: what is held of an issuer's, or for a recipient's, invoices of one month. */
export function query(
  { document, body }: SoapRequest,
  presenter: Presenter,
  context: { readonly store: Store; readonly schemas: Schemas | null; readonly queryPageSize: number },
): string | SoapFault {
  const { store, schemas, queryPageSize } = context;
  const shape = shapeFault(body, NAMESPACES.query);
  if (shape !== null) return codedFault(4102, shape.element);
  const offSchema = schemas?.check('ConsultaLR', document) ?? [];
  const structural = offSchema.find(({ kind }) => kind === 'structure');
  if (structural !== undefined) return codedFault(4102, structural.reason);
  const header = childOf(body, 'Cabecera');
  const filter = childOf(body, 'FiltroConsulta');
  const fault =
    requesterFault(header, presenter) ??
    filterFault(filter) ??
    extrasFault(header, childOf(body, 'DatosAdicionalesRespuesta'));
  if (fault !== null) return fault;
  if (offSchema[0] !== undefined) return codedFault(4102, offSchema[0].reason);
  const page = search(header, filter, store, queryPageSize);
  return queryAnswer(header, filter, page, (entry) => recordOf(store.xmlOf(entry)), {
    issuerName: textAt(body, 'DatosAdicionalesRespuesta', 'MostrarNombreRazonEmisor') === 'S',
    software: textAt(body, 'DatosAdicionalesRespuesta', 'MostrarSistemaInformatico') === 'S',
  });
}

/** Who asks: the issuer or whoever acts for it (4140), or else the recipient, whom no collaborator represents (4132). */
function requesterFault(header: XmlElement | undefined, presenter: Presenter): SoapFault | null {
  const issuer = childOf(header, 'ObligadoEmision');
  const requester = issuer ?? childOf(header, 'Destinatario');
  const nif = textAt(requester, 'NIF') ?? '';
  if (textAt(header, 'IDVersion') !== '1.0') return codedFault(1251);
  if (!isNif(nif) || isOutOfLength(textAt(requester, 'NombreRazon'), 120)) return codedFault(4116, nif);
  if (issuer !== undefined && !actsFor(presenter, nif)) return codedFault(4140);
  if (issuer === undefined && presenter.nif !== nif) return codedFault(4132);
  const asRepresentative = textAt(header, 'IndicadorRepresentante');
  if (asRepresentative !== null && asRepresentative !== 'S') return codedFault(1249);
  return asRepresentative !== null && issuer === undefined ? codedFault(1261) : null;
}

function filterFault(filter: XmlElement | undefined): SoapFault | null {
  const year = textAt(filter, 'PeriodoImputacion', 'Ejercicio') ?? '';
  const month = textAt(filter, 'PeriodoImputacion', 'Periodo') ?? '';
  if (!/^\d{4}$/.test(year) || !/^(0[1-9]|1[0-2])$/.test(month)) return codedFault(1248);
  const range = childOf(childOf(filter, 'FechaExpedicionFactura'), 'RangoFechaExpedicion');
  const from = dayOfAgencyDate(textAt(range, 'Desde'));
  const to = dayOfAgencyDate(textAt(range, 'Hasta'));
  return from !== null && to !== null && from > to ? codedFault(1250) : null;
}

/** What the answer shall hold beyond the ordinary; a recipient is not shown the issuer's software. */
function extrasFault(header: XmlElement | undefined, extras: XmlElement | undefined): SoapFault | null {
  const software = textAt(extras, 'MostrarSistemaInformatico');
  if (isNotYesNo(textAt(extras, 'MostrarNombreRazonEmisor'))) return codedFault(1270);
  if (isNotYesNo(software)) return codedFault(1271);
  return software === 'S' && childOf(header, 'ObligadoEmision') === undefined ? codedFault(1272) : null;
}

/** The record as it was sent. What is kept was understood once, so it is understood again. */
function recordOf(xml: string): XmlElement {
  const element = parseXml(xml);
  if (element instanceof MalformedXml) throw new Error(`A kept record cannot be read: ${element.reason}`);
  return element;
}

type InvoiceFilter = (invoice: Invoice) => boolean;

function search(
  header: XmlElement | undefined,
  filter: XmlElement | undefined,
  store: Store,
  pageSize: number,
): QueryPage {
  const issuer = textAt(header, 'ObligadoEmision', 'NIF');
  const candidates = issuer === null ? store.allInvoices() : store.invoicesOf(issuer);
  const filters = [...cheapFilters(filter), ...recordFilters(header, filter, store)];
  const lastId = childOf(filter, 'ClavePaginacion');
  let passed = lastId === undefined;
  const invoices: Invoice[] = [];
  for (const invoice of candidates) {
    if (!passed) {
      passed = isNamedBy(invoice, lastId);
    } else if (filters.every((matches) => matches(invoice))) {
      if (invoices.length === pageSize) return { invoices, hasMore: true };
      invoices.push(invoice);
    }
  }
  return { invoices, hasMore: false };
}

function isNamedBy({ latest }: Invoice, id: XmlElement | undefined): boolean {
  return (
    latest.nif === textAt(id, 'IDEmisorFactura') &&
    latest.number === textAt(id, 'NumSerieFactura') &&
    latest.date === textAt(id, 'FechaExpedicionFactura')
  );
}

/** Filters that need nothing but what is in memory; the month is that of the operation, else of the issue. */
function cheapFilters(filter: XmlElement | undefined): InvoiceFilter[] {
  const period = `${textAt(filter, 'PeriodoImputacion', 'Periodo')}-${textAt(filter, 'PeriodoImputacion', 'Ejercicio')}`;
  const filters: InvoiceFilter[] = [
    ({ latest, alta }) => (alta?.operationDate ?? latest.date).slice(3) === period,
  ];
  const number = textAt(filter, 'NumSerieFactura');
  if (number !== null) filters.push(({ latest }) => latest.number === number);
  const reference = textAt(filter, 'RefExterna');
  if (reference !== null) filters.push(({ latest }) => latest.reference === reference);
  const dates = childOf(filter, 'FechaExpedicionFactura');
  const date = textAt(dates, 'FechaExpedicionFactura');
  if (date !== null) filters.push(({ latest }) => latest.date === date);
  const from = dayOfAgencyDate(textAt(dates, 'RangoFechaExpedicion', 'Desde'));
  const to = dayOfAgencyDate(textAt(dates, 'RangoFechaExpedicion', 'Hasta'));
  if (from !== null) filters.push(({ latest }) => (dayOfAgencyDate(latest.date) ?? '') >= from);
  if (to !== null) filters.push(({ latest }) => (dayOfAgencyDate(latest.date) ?? '') <= to);
  const software = childOf(filter, 'SistemaInformatico');
  if (software !== undefined) {
    const parts = [
      textAt(software, 'NIF') ?? textAt(software, 'IDOtro', 'ID'),
      textAt(software, 'IdSistemaInformatico'),
      textAt(software, 'NumeroInstalacion'),
    ];
    filters.push(({ latest }) => latest.installation === parts.join('/'));
  }
  return filters;
}

/** Filters on the recipient, who stands only in the record itself. */
function recordFilters(
  header: XmlElement | undefined,
  filter: XmlElement | undefined,
  store: Store,
): InvoiceFilter[] {
  const counterpart = childOf(filter, 'Contraparte');
  const asRecipient = textAt(header, 'Destinatario', 'NIF');
  const filters: InvoiceFilter[] = [];
  const counterpartId = textAt(counterpart, 'NIF') ?? textAt(counterpart, 'IDOtro', 'ID');
  if (asRecipient === null) {
    if (counterpartId !== null)
      filters.push((invoice) => recipientIds(invoice, store).includes(counterpartId));
    return filters;
  }
  // Asked by a recipient, the counterpart is the issuer.
  if (counterpartId !== null) filters.push(({ latest }) => latest.nif === counterpartId);
  filters.push((invoice) => recipientIds(invoice, store).includes(asRecipient));
  return filters;
}

function recipientIds({ alta }: Invoice, store: Store): (string | null)[] {
  if (alta === null) return [];
  const recipients = childrenOf(childOf(recordOf(store.xmlOf(alta)), 'Destinatarios'), 'IDDestinatario');
  return recipients.map((recipient) => textAt(recipient, 'NIF') ?? textAt(recipient, 'IDOtro', 'ID'));
}
