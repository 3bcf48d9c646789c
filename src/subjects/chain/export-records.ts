import type pg from 'pg';
import { openSnapshot } from '../../ground/db/transaction.ts';
import { type Day, endOfDay, fiscalTimestamp, startOfDay, type TimeZone } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { xmlText } from './record-xml.ts';
import {
  chainsWithin,
  type ExportedIssuer,
  type ExportedRecord,
  issuerOf,
  recordsWithin,
  type Span,
} from './store/export.ts';

/** Records of an environment that were generated on these days where the issuer is, both included. */
export type ExportedPeriod = { readonly environmentId: number; readonly from: Day; readonly to: Day };

export type ExportOptions = { readonly onProgress?: (done: number, total: number) => void };

export const EXPORT_NAMESPACE = 'urn:lacre:record-export:1';

/** Records that are in memory at a time, about two kilobytes each. */
const BATCH = 500;

/** A header for readers of the file who do not know this service; inspectors read Spanish. */
const FOREWORD = `<!--
  Registros de facturación de un periodo (Orden HAC/1177/2024). Cada elemento Record contiene, sin cambio alguno, el
  RegistroAlta o RegistroAnulacion tal como se selló al generarse, con su huella y su encadenamiento; State dice cómo
  consta en la Agencia Tributaria. El esquema de este fichero: "lacre records schema".
-->`;

/**
 * The records of a period as one XML document, streamed in constant memory: by chain and position, each sealed
 * record byte for byte, with its state at the agency; all as of one instant, while issuing continues.
 * `record-export.xsd` describes it; `Count` at its end distinguishes a complete file from a truncated one. The
 * environment must exist. A VERI*FACTU system is not required to offer it (Orden HAC/1177/2024 art. 3); it serves
 * inspectors and merchants who leave.
 */
export async function* exportRecords(
  pool: pg.Pool,
  period: ExportedPeriod,
  options: ExportOptions = {},
): AsyncGenerator<string> {
  const { client, close } = await openSnapshot(pool);
  try {
    const issuer = await issuerOf(client, period.environmentId);
    const { timeZone } = issuer;
    const span = spanOf(timeZone, period);
    yield headOf(issuer, period);
    let done = 0;
    const chains = await chainsWithin(client, period.environmentId, span);
    const total = chains.reduce((sum, { count }) => sum + count, 0);
    for (const { id, installationNumber } of chains) {
      yield `<Chain installation="${xmlText(installationNumber)}">\n`;
      let after = 0;
      for (;;) {
        const chain = { environmentId: period.environmentId, chainId: id };
        const rows = await recordsWithin(client, chain, { after, limit: BATCH }, span);
        if (rows.length === 0) break;
        yield rows.map((row) => recordXml(timeZone, row)).join('');
        after = rows.at(-1)!.position;
        done += rows.length;
        options.onProgress?.(done, total);
      }
      yield '</Chain>\n';
    }
    yield `<Count>${done}</Count>\n</RecordExport>\n`;
  } finally {
    await close();
  }
}

function spanOf(zone: TimeZone, { from, to }: ExportedPeriod): Span {
  return [startOfDay(zone, from), endOfDay(zone, to)];
}

function headOf({ nif, name, kind, timeZone }: ExportedIssuer, period: ExportedPeriod): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n${FOREWORD}\n<RecordExport xmlns="${EXPORT_NAMESPACE}">\n` +
    `<Issuer><TaxId>${nif}</TaxId><Name>${xmlText(name)}</Name></Issuer>\n` +
    `<Environment>${kind}</Environment>\n` +
    `<Period><From>${period.from}</From><To>${period.to}</To></Period>\n` +
    `<ExportedAt>${fiscalTimestamp(timeZone, clock.now())}</ExportedAt>\n`
  );
}

function recordXml(zone: TimeZone, row: ExportedRecord): string {
  const { id, position, kind, invoiceId, xml } = row;
  return `<Record id="${id}" position="${position}" kind="${kind}" invoice="${invoiceId}">${stateXml(zone, row)}${xml}</Record>\n`;
}

function stateXml(
  zone: TimeZone,
  { status, settledAt, receipt, errorCode, errorMessage }: ExportedRecord,
): string {
  const attributes = [
    ['status', status],
    ['settledAt', settledAt && fiscalTimestamp(zone, settledAt)],
    ['receipt', receipt],
    ['errorCode', errorCode],
  ].flatMap(([name, value]) => (value === null ? [] : [` ${name}="${xmlText(value!)}"`]));
  return `<State${attributes.join('')}>${xmlText(errorMessage ?? '')}</State>`;
}
