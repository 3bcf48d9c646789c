import type pg from 'pg';
import { type Day, endOfMadridDay, fiscalTimestamp, startOfMadridDay } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { givingWay } from '../../ground/lib/give-way.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import { xmlText } from './record-xml.ts';

/** Records of an environment that were generated on these days of Madrid, both included. */
export type ExportedPeriod = { readonly environmentId: number; readonly from: Day; readonly to: Day };

export type ExportOptions = { readonly onProgress?: (done: number, total: number) => void };

export const EXPORT_NAMESPACE = 'urn:lacre:record-export:1';

/** Records that are in memory at a time, some two kilobytes each. */
const BATCH = LIMITS.exportRows.value;

/** For whoever opens the file without knowing us: an inspector reads Spanish. */
const FOREWORD = `<!--
  Registros de facturación de un periodo (Orden HAC/1177/2024). Cada elemento Record contiene, sin cambio alguno, el
  RegistroAlta o RegistroAnulacion tal como se selló al generarse, con su huella y su encadenamiento; State dice cómo
  consta en la Agencia Tributaria. El esquema de este fichero: "lacre records schema".
-->`;

/**
 * The records of a period as one XML document, in pieces, in memory that does not grow with them: by chain and position,
 * each sealed record byte by byte as it was sealed, with where it stands at the agency; all as of one instant, while
 * issuing goes on. `record-export.xsd` describes it; `Count` at its end tells a whole file from one that broke off.
 * The environment must exist. Not demanded of a VERI*FACTU system (Orden HAC/1177/2024 art. 3), but of use to
 * an inspector and to whoever leaves.
 */
export async function* exportRecords(
  pool: pg.Pool,
  period: ExportedPeriod,
  options: ExportOptions = {},
): AsyncGenerator<string> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read, read only');
    yield await headOf(client, period);
    let done = 0;
    const chains = await chainsOf(client, period);
    const total = chains.reduce((sum, { count }) => sum + count, 0);
    for (const { id, installationNumber } of chains) {
      yield `<Chain installation="${xmlText(installationNumber)}">\n`;
      let after = 0;
      for (;;) {
        const from = after;
        const rows = await givingWay(() => recordsAfter(client, id, from, period));
        if (rows.length === 0) break;
        yield rows.map(recordXml).join('');
        after = rows.at(-1)!.position;
        done += rows.length;
        options.onProgress?.(done, total);
      }
      yield '</Chain>\n';
    }
    yield `<Count>${done}</Count>\n</RecordExport>\n`;
  } finally {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    client.release(broken);
  }
}

function bounds({ from, to }: ExportedPeriod): [Date, Date] {
  return [startOfMadridDay(from), endOfMadridDay(to)];
}

async function headOf(client: pg.ClientBase, period: ExportedPeriod): Promise<string> {
  const { rows } = await client.query<{ nif: string; name: string; kind: string }>(
    `select c.nif, c.legal_name as name, e.kind::text from environment e join company c on c.id = e.company_id
      where e.id = $1`,
    [period.environmentId],
  );
  const { nif, name, kind } = rows[0]!;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n${FOREWORD}\n<RecordExport xmlns="${EXPORT_NAMESPACE}">\n` +
    `<Issuer><TaxId>${nif}</TaxId><Name>${xmlText(name)}</Name></Issuer>\n` +
    `<Environment>${kind}</Environment>\n` +
    `<Period><From>${period.from}</From><To>${period.to}</To></Period>\n` +
    `<ExportedAt>${fiscalTimestamp(clock.now())}</ExportedAt>\n`
  );
}

type Chain = { readonly id: number; readonly installationNumber: string; readonly count: number };

/** Chains with records in the period, the oldest first. */
async function chainsOf(client: pg.ClientBase, period: ExportedPeriod): Promise<Chain[]> {
  const { rows } = await client.query<Chain>(
    `select chain.id, installation_number as "installationNumber", count(*)::int as count
       from chain join registration_record record on record.chain_id = chain.id
      where chain.environment_id = $1 and generated_at >= $2 and generated_at < $3
      group by chain.id, installation_number order by chain.id`,
    [period.environmentId, ...bounds(period)],
  );
  return rows;
}

type Row = {
  readonly id: string;
  readonly position: number;
  readonly kind: string;
  readonly invoiceId: string;
  readonly xml: string;
  readonly status: string;
  readonly settledAt: Date | null;
  readonly receipt: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
};

async function recordsAfter(
  client: pg.ClientBase,
  chainId: number,
  after: number,
  period: ExportedPeriod,
): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `select record.id, record.position, record.kind::text, record.invoice_id as "invoiceId", record.xml,
            state.status::text, state.settled_at as "settledAt", state.receipt, state.error_code as "errorCode",
            state.error_message as "errorMessage"
       from registration_record record
       join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
      where record.chain_id = $1 and record.position > $2 and generated_at >= $3 and generated_at < $4
      order by record.position limit ${BATCH}`,
    [chainId, after, ...bounds(period)],
  );
  return rows;
}

function recordXml(row: Row): string {
  const { id, position, kind, invoiceId, xml } = row;
  return `<Record id="${id}" position="${position}" kind="${kind}" invoice="${invoiceId}">${stateXml(row)}${xml}</Record>\n`;
}

function stateXml({ status, settledAt, receipt, errorCode, errorMessage }: Row): string {
  const attributes = [
    ['status', status],
    ['settledAt', settledAt && fiscalTimestamp(settledAt)],
    ['receipt', receipt],
    ['errorCode', errorCode],
  ].flatMap(([name, value]) => (value === null ? [] : [` ${name}="${xmlText(value!)}"`]));
  return `<State${attributes.join('')}>${xmlText(errorMessage ?? '')}</State>`;
}
