import { createHash, randomUUID } from 'node:crypto';
import type { Db } from '../../../src/ground/db/client.ts';
import { inTransaction } from '../../../src/ground/db/transaction.ts';
import { journalMissing } from '../database/journal.ts';

/**
 * Records as an issuing leaves them, written by hand: XML, fingerprint and chain come from here and not from the
 * program, so that what is registered is checked against a second hand.
 */

export type IssuedRecord = {
  readonly id: string;
  readonly position: number;
  readonly number: string;
  readonly fingerprint: string;
  readonly xml: string;
};

type Issuer = {
  readonly environmentId: number;
  readonly chainId: number;
  readonly standardSeriesId: string;
};

type Tail = {
  nif: string;
  legalName: string;
  installation: string;
  position: number;
  recordId: string | null;
  fingerprint: string | null;
  number: string | null;
  date: string | null;
};

export type RecordOptions = {
  /** Of the operation, one record each. */
  readonly descriptions: readonly string[];
  /** When they were generated; now by default. */
  readonly generatedAt?: Date;
  /** Cancels these numbers instead of issuing. */
  readonly cancels?: readonly string[];
};

const NAMESPACE =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/SuministroInformacion.xsd';

/** So many ordinary records. */
export function ordinary(count: number): RecordOptions {
  return { descriptions: Array.from({ length: count }, (_, index) => `Trabajo ${index + 1} & más <cosas>`) };
}

/** The XML of so many records that hang one from the other, in no database. */
export function sampleRecords(count: number): string[] {
  const tail: Tail = {
    ...{ nif: 'B72877814', legalName: 'Talleres Ñandú SL', installation: '1', position: 0 },
    ...{ recordId: null, fingerprint: null, number: null, date: null },
  };
  const moment = momentOf(new Date());
  return ordinary(count).descriptions.map(
    (description) =>
      nextRecord({ environmentId: 1, chainId: 1, standardSeriesId: 'ns' }, tail, moment, { description }).xml,
  );
}

/** Appends pending records to the chain, each with its invoice, in one transaction. */
export async function issueRecords(db: Db, issuer: Issuer, options: RecordOptions): Promise<IssuedRecord[]> {
  const written = await inTransaction(db.pool, async (client) => {
    const { rows } = await client.query<Tail>(
      `select company.nif, company.legal_name as "legalName", installation_number as installation,
              last_position as position, last_record_id as "recordId", last_fingerprint as fingerprint,
              last_invoice_number as number, to_char(last_invoice_issued_on, 'DD-MM-YYYY') as date
         from chain join environment on environment.id = chain.environment_id
         join company on company.id = environment.company_id where chain.id = $1 for update of chain`,
      [issuer.chainId],
    );
    const tail = rows[0]!;
    const moment = momentOf(options.generatedAt ?? new Date());
    const issued: (IssuedRecord & { row: object; invoice: object })[] = [];
    const cancels = options.cancels ?? [];
    for (const number of cancels) issued.push(nextRecord(issuer, tail, moment, { number }));
    for (const description of options.descriptions) {
      issued.push(nextRecord(issuer, tail, moment, { description }));
    }
    const invoices = JSON.stringify(issued.slice(cancels.length).map(({ invoice }) => invoice));
    await client.query('insert into invoice select * from json_populate_recordset(null::invoice, $1)', [
      invoices,
    ]);
    const records = JSON.stringify(issued.map(({ row }) => row));
    await client.query(
      `insert into registration_record select * from json_populate_recordset(null::registration_record, $1)`,
      [records],
    );
    await client.query(
      `insert into record_state (record_id, environment_id, chain_id, position, status, listed_at)
       select id, environment_id, chain_id, position, 'pending', case when kind = 'registration' then generated_at end
         from json_populate_recordset(null::registration_record, $1)`,
      [records],
    );
    await client.query(
      `update chain set last_position = $2, last_record_id = $3, last_fingerprint = $4, last_generated_at = $5,
              last_invoice_number = $6, last_invoice_issued_on = $7 where id = $1`,
      [
        issuer.chainId,
        tail.position,
        tail.recordId,
        tail.fingerprint,
        moment.instant,
        tail.number,
        moment.day,
      ],
    );
    await client.query(
      `insert into series_counter as counter (environment_id, series_id, year, last_number)
       select environment_id, series_id, series_year, max(series_number)
         from json_populate_recordset(null::invoice, $1) group by 1, 2, 3
       on conflict (series_id, year, environment_id) do update set last_number = excluded.last_number`,
      [invoices],
    );
    return issued.map(({ row: _row, invoice: _invoice, ...record }) => record);
  });
  await journalMissing(db, issuer.environmentId);
  return written;
}

type Moment = {
  readonly instant: string;
  readonly day: string;
  readonly date: string;
  readonly timestamp: string;
};

/** The instant in Madrid, by the platform's own calendar. */
function momentOf(instant: Date): Moment {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Madrid',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const [day = '', time = ''] = format.format(instant).split(' ');
  const zone = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Madrid', timeZoneName: 'longOffset' });
  const offset = zone
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')!
    .value.slice(3);
  const date = day.split('-').reverse().join('-');
  return { instant: instant.toISOString(), day, date, timestamp: `${day}T${time}${offset}` };
}

function nextRecord(
  issuer: Issuer,
  tail: Tail,
  moment: Moment,
  what: { description: string } | { number: string },
): IssuedRecord & { row: object; invoice: object } {
  const position = tail.position + 1;
  const cancels = 'number' in what;
  const number = cancels ? what.number : `F-${moment.day.slice(0, 4)}-${position}`;
  const invoiceId = `inv_${issuer.environmentId}_${number}`;
  const { xml, fingerprint } = cancels
    ? cancellationXml(tail, moment, number, invoiceId)
    : registrationXml(tail, moment, number, invoiceId, what.description);
  const id = `rec_${randomUUID().replaceAll('-', '')}`;
  const row = {
    ...{ id, environment_id: issuer.environmentId, chain_id: issuer.chainId, position },
    ...{ kind: cancels ? 'cancellation' : 'registration', invoice_id: invoiceId },
    ...{ previous_record_id: tail.recordId, previous_fingerprint: tail.fingerprint, fingerprint },
    ...{ generated_at: moment.instant, xml },
  };
  const invoice = {
    ...{ id: invoiceId, environment_id: issuer.environmentId, series_id: issuer.standardSeriesId },
    ...{ series_year: Number(moment.day.slice(0, 4)), series_number: position, number },
    ...{ type: 'complete', kind: 'original', currency: 'eur', subtotal: 10_000, tax: 2_100, total: 12_100 },
    ...{ issued_at: moment.instant, issued_on: moment.day, operation_on: null },
    ...{ issuer: { nif: tail.nif }, recipient_tax_id: 'A39200019', imported: false },
    ...{ breakdown: [{ declaredBase: 10_000, declaredTax: 2_100, surcharge: null }] },
  };
  Object.assign(tail, { position, recordId: id, fingerprint, number, date: moment.date });
  return { id, position, number, fingerprint, xml, row, invoice };
}

function registrationXml(tail: Tail, moment: Moment, number: string, reference: string, description: string) {
  const { nif, legalName } = tail;
  const fingerprint = sha256(
    `IDEmisorFactura=${nif}&NumSerieFactura=${number}&FechaExpedicionFactura=${moment.date}&TipoFactura=F1` +
      `&CuotaTotal=21.00&ImporteTotal=121.00&Huella=${tail.fingerprint ?? ''}&FechaHoraHusoGenRegistro=${moment.timestamp}`,
  );
  const xml =
    `<sf:RegistroAlta xmlns:sf="${NAMESPACE}"><sf:IDVersion>1.0</sf:IDVersion>` +
    `<sf:IDFactura><sf:IDEmisorFactura>${nif}</sf:IDEmisorFactura><sf:NumSerieFactura>${number}</sf:NumSerieFactura>` +
    `<sf:FechaExpedicionFactura>${moment.date}</sf:FechaExpedicionFactura></sf:IDFactura>` +
    `<sf:RefExterna>${reference}</sf:RefExterna><sf:NombreRazonEmisor>${legalName}</sf:NombreRazonEmisor>` +
    `<sf:TipoFactura>F1</sf:TipoFactura>` +
    `<sf:DescripcionOperacion>${description.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</sf:DescripcionOperacion>` +
    '<sf:Destinatarios><sf:IDDestinatario><sf:NombreRazon>Construcciones del Norte SA</sf:NombreRazon>' +
    '<sf:NIF>A39200019</sf:NIF></sf:IDDestinatario></sf:Destinatarios>' +
    '<sf:Desglose><sf:DetalleDesglose><sf:Impuesto>01</sf:Impuesto><sf:ClaveRegimen>01</sf:ClaveRegimen>' +
    '<sf:CalificacionOperacion>S1</sf:CalificacionOperacion><sf:TipoImpositivo>21</sf:TipoImpositivo>' +
    '<sf:BaseImponibleOimporteNoSujeto>100.00</sf:BaseImponibleOimporteNoSujeto>' +
    '<sf:CuotaRepercutida>21.00</sf:CuotaRepercutida></sf:DetalleDesglose></sf:Desglose>' +
    `<sf:CuotaTotal>21.00</sf:CuotaTotal><sf:ImporteTotal>121.00</sf:ImporteTotal>` +
    `${closing(tail, moment, fingerprint)}</sf:RegistroAlta>`;
  return { xml, fingerprint };
}

function cancellationXml(tail: Tail, moment: Moment, number: string, reference: string) {
  const { nif } = tail;
  const fingerprint = sha256(
    `IDEmisorFacturaAnulada=${nif}&NumSerieFacturaAnulada=${number}&FechaExpedicionFacturaAnulada=${moment.date}` +
      `&Huella=${tail.fingerprint ?? ''}&FechaHoraHusoGenRegistro=${moment.timestamp}`,
  );
  const xml =
    `<sf:RegistroAnulacion xmlns:sf="${NAMESPACE}"><sf:IDVersion>1.0</sf:IDVersion>` +
    `<sf:IDFactura><sf:IDEmisorFacturaAnulada>${nif}</sf:IDEmisorFacturaAnulada>` +
    `<sf:NumSerieFacturaAnulada>${number}</sf:NumSerieFacturaAnulada>` +
    `<sf:FechaExpedicionFacturaAnulada>${moment.date}</sf:FechaExpedicionFacturaAnulada></sf:IDFactura>` +
    `<sf:RefExterna>${reference}</sf:RefExterna>${closing(tail, moment, fingerprint)}</sf:RegistroAnulacion>`;
  return { xml, fingerprint };
}

function closing(tail: Tail, moment: Moment, fingerprint: string): string {
  const link =
    tail.fingerprint === null
      ? '<sf:PrimerRegistro>S</sf:PrimerRegistro>'
      : `<sf:RegistroAnterior><sf:IDEmisorFactura>${tail.nif}</sf:IDEmisorFactura>` +
        `<sf:NumSerieFactura>${tail.number}</sf:NumSerieFactura>` +
        `<sf:FechaExpedicionFactura>${tail.date}</sf:FechaExpedicionFactura>` +
        `<sf:Huella>${tail.fingerprint}</sf:Huella></sf:RegistroAnterior>`;
  return (
    `<sf:Encadenamiento>${link}</sf:Encadenamiento>` +
    '<sf:SistemaInformatico><sf:NombreRazon>Lacre Software SL</sf:NombreRazon><sf:NIF>B72877814</sf:NIF>' +
    '<sf:NombreSistemaInformatico>Lacre</sf:NombreSistemaInformatico><sf:IdSistemaInformatico>LC</sf:IdSistemaInformatico>' +
    `<sf:Version>1</sf:Version><sf:NumeroInstalacion>${tail.installation}</sf:NumeroInstalacion>` +
    '<sf:TipoUsoPosibleSoloVerifactu>S</sf:TipoUsoPosibleSoloVerifactu><sf:TipoUsoPosibleMultiOT>S</sf:TipoUsoPosibleMultiOT>' +
    '<sf:IndicadorMultiplesOT>N</sf:IndicadorMultiplesOT></sf:SistemaInformatico>' +
    `<sf:FechaHoraHusoGenRegistro>${moment.timestamp}</sf:FechaHoraHusoGenRegistro>` +
    `<sf:TipoHuella>01</sf:TipoHuella><sf:Huella>${fingerprint}</sf:Huella>`
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').toUpperCase();
}
