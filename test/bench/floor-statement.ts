import { lineId } from '../../src/ground/lib/ids.ts';

type Row = Readonly<Record<string, unknown>>;

/** The rows of an invoice that the service issued: what the raw loop writes again under other ids and numbers. */
export type Template = {
  readonly invoice: Row;
  readonly lines: readonly Row[];
  readonly taxItems: readonly Row[];
  /** The record's XML, cut at its fingerprint: each invoice gets its own in there, and so a text of the same length. */
  readonly xml: readonly string[];
};

/** The company that the raw loop issues for. */
export type FloorCompany = {
  readonly environmentId: number;
  readonly chainId: number;
  readonly seriesId: string;
};

/** What the first statement of the transaction answers: the locked tail, and the number that was taken. */
export type Taken = {
  readonly last_position: number;
  readonly last_record_id: string | null;
  readonly last_fingerprint: string | null;
  readonly number: number;
};

/** All that differs from one invoice to the next. */
export type Fresh = {
  readonly company: FloorCompany;
  readonly taken: Taken;
  readonly invoiceId: string;
  readonly recordId: string;
  readonly number: string;
  readonly at: string;
  readonly day: string;
  readonly fingerprint: string;
  readonly xml: string;
};

/** Locks the chain and takes the number. */
export const TAKE = `
  with tail as (
    select last_position, last_record_id, last_fingerprint from chain
     where environment_id = $1 and id = $2 and closed_at is null for update
  ), counter as (
    insert into series_counter as counter (environment_id, series_id, year, last_number) values ($1, $3, $4, 1)
    on conflict (series_id, year, environment_id) do update set last_number = counter.last_number + 1
    returning last_number
  )
  select tail.*, counter.last_number as number from tail, counter`;

/**
 * One prepared statement that writes all rows of one invoice from plain parameters: no JSON to take apart, nothing
 * for Postgres to plan again. `values` gives the parameters of one invoice.
 */
export function writeStatement(template: Template): { text: string; values(fresh: Fresh): unknown[] } {
  const { slot, constant, values } = parameters();
  const environmentId = slot(({ company }) => company.environmentId);
  const chainId = slot(({ company }) => company.chainId);
  const invoiceId = slot(({ invoiceId }) => invoiceId);
  const recordId = slot(({ recordId }) => recordId);
  const position = slot(({ taken }) => taken.last_position + 1);
  const previousId = slot(({ taken }) => taken.last_record_id);
  const previousFingerprint = slot(({ taken }) => taken.last_fingerprint);
  const fingerprint = slot((fresh) => fresh.fingerprint);
  const number = slot((fresh) => fresh.number);
  const at = slot((fresh) => fresh.at);
  const day = slot((fresh) => fresh.day);
  const own: Record<string, string> = {
    environment_id: environmentId,
    invoice_id: invoiceId,
    series_id: slot(({ company }) => company.seriesId),
    series_number: slot(({ taken }) => taken.number),
    number,
    issued_at: at,
    issued_on: day,
  };
  const into = (table: string, rows: readonly Row[], identify: () => Record<string, string>): string => {
    const columns = Object.keys(rows[0]!).filter((column) => rows.some((row) => row[column] !== null));
    const tuples = rows.map((row) => {
      const ids = identify();
      return `(${columns.map((column) => ids[column] ?? own[column] ?? constant(row[column])).join(', ')})`;
    });
    return `insert into ${table} (${columns.join(', ')}) values ${tuples.join(', ')}`;
  };
  let lines = 0;
  const identifyLine = () => {
    const position = lines++;
    return { id: slot(({ invoiceId }) => lineId(invoiceId, position)) };
  };
  const text = `
    with invoices as (${into('invoice', [template.invoice], () => ({ id: invoiceId }))}),
    lines as (${into('invoice_line', template.lines, identifyLine)}),
    items as (${into('tax_item', template.taxItems, () => ({}))}),
    records as (
      insert into registration_record (id, environment_id, chain_id, position, kind, invoice_id, previous_record_id,
        previous_fingerprint, fingerprint, generated_at, xml)
      values (${recordId}, ${environmentId}, ${chainId}, ${position}, 'registration', ${invoiceId}, ${previousId},
        ${previousFingerprint}, ${fingerprint}, ${at}, ${slot((fresh) => fresh.xml)})
    ), states as (
      insert into record_state (record_id, environment_id, chain_id, position, status)
      values (${recordId}, ${environmentId}, ${chainId}, ${position}, 'pending')
    ), documents as (
      insert into invoice_document (environment_id, invoice_id, state)
      values (${environmentId}, ${invoiceId}, 'waiting')
    ), tails as (
      update chain set last_position = ${position}, last_record_id = ${recordId}, last_fingerprint = ${fingerprint},
             last_generated_at = ${at}, last_invoice_number = ${number}, last_invoice_issued_on = ${day}
       where environment_id = ${environmentId} and id = ${chainId}
    )
    select count(*) from graphile_worker.add_jobs(array[
      ${jobSpec('register', slot(registerPayload), slot(registerKey))},
      ${jobSpec('render_documents', slot(renderPayload), slot(renderKey))}
    ])`;
  return { text, values };
}

/** The parameters of a statement, in the order in which its text names them. */
function parameters() {
  const sources: ((fresh: Fresh) => unknown)[] = [];
  const slot = (source: (fresh: Fresh) => unknown): string => `$${sources.push(source)}`;
  const constant = (value: unknown): string => {
    const plain = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    return slot(() => plain);
  };
  return { slot, constant, values: (fresh: Fresh) => sources.map((source) => source(fresh)) };
}

function jobSpec(task: string, payload: string, key: string): string {
  return `('${task}', ${payload}::json, null, null, null, ${key}, null, null)::graphile_worker.job_spec`;
}

const registerPayload = ({ company }: Fresh) =>
  JSON.stringify({ environmentId: company.environmentId, chainId: company.chainId });
const registerKey = ({ company }: Fresh) => `register:${company.chainId}`;
const renderPayload = ({ company }: Fresh) => JSON.stringify({ environmentId: company.environmentId });
const renderKey = ({ company }: Fresh) => `render_documents:${company.environmentId}`;
