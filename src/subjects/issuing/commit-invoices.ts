import type pg from 'pg';
import type { Db } from '../../ground/db/client.ts';
import { commitOutcome } from '../../ground/db/commit-outcome.ts';
import { isRefusedWrite } from '../../ground/db/condition/write-state.ts';
import { SERVER_IDENTITY, type ServerIdentity } from '../../ground/db/lineage.ts';
import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { appendCall, entriesJson } from '../../ground/journal/append.ts';
import { madridDay, madridYear } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { addJobsCall, jobSpecs, type NewJob } from '../../ground/queue/enqueue.ts';
import { RecentJobs } from '../../ground/queue/recent-jobs.ts';
import type { Link } from '../chain/record-xml.ts';
import {
  append,
  linkTo,
  TAIL_COLUMNS,
  TAKES_RECORDS,
  type Tail,
  type TailRow,
  tailOf,
  tailRows,
  takesNoRecords,
} from '../chain/tail.ts';
import { ClaimLost } from '../idempotency/keys.ts';
import type { InvoiceRow, StoredInvoice } from '../invoices/rows.ts';
import { counterKey, type Demand, takeNumbers } from '../number-series/counters.ts';
import { composeNumber, countingYear } from '../number-series/series.ts';
import { CommitPhases } from './commit-phases.ts';
import { issuedEntries } from './journal-entries.ts';
import type { PreparedInvoice } from './prepared-invoice.ts';

/** Whether an invoice must not share its transaction: its neighbours could change what it relies on. */
export function commitsAlone(prepared: PreparedInvoice): boolean {
  return prepared.recheck !== null;
}

/** How long a transaction may wait for a chain that another process holds before its requests are told to retry. */
const LOCK_TIMEOUT = '5s';
/** A process that stops in the middle must not hold a chain for longer than this. */
const IDLE_TIMEOUT = '10s';

const WRITE = `
  with invoices as (
    insert into invoice select * from json_populate_recordset(null::invoice, $1)
  ), lines as (
    insert into invoice_line select * from json_populate_recordset(null::invoice_line, $2)
  ), tax_items as (
    insert into tax_item select * from json_populate_recordset(null::tax_item, $3)
  ), records as (
    insert into registration_record select * from json_populate_recordset(null::registration_record, $4)
  ), states as (
    insert into record_state (record_id, environment_id, chain_id, position, status, settled_at, trace_parent)
    select record_id, environment_id, chain_id, position, status, settled_at, trace_parent
      from json_populate_recordset(null::record_state, $5)
  ), documents as (
    insert into invoice_document (environment_id, invoice_id, state)
    select environment_id, id, 'waiting' from json_populate_recordset(null::invoice, $1)
  ), tails as (
    update chain set last_position = tail.last_position, last_record_id = tail.last_record_id,
           last_fingerprint = tail.last_fingerprint, last_generated_at = tail.last_generated_at,
           last_invoice_number = tail.last_invoice_number, last_invoice_issued_on = tail.last_invoice_issued_on
      from json_populate_recordset(null::chain, $6) as tail
     where chain.environment_id = tail.environment_id and chain.id = tail.id
  ), answers as (
    update idempotency_key as claim set state = 'stored', answer = given.answer
      from json_populate_recordset(null::idempotency_key, $7) as given
     where claim.environment_id = given.environment_id and claim.key = given.key and claim.state = 'running'
       and claim.token = given.token
    returning claim.key
  )
  select (select count(*) from answers)::int as answers, (select ${appendCall('$9')}) as entries, count(jobs)::int as jobs
    from ${addJobsCall('$8')} as jobs`;

/**
 * THE transaction. Under the rows of the chains and of the series' counters it takes the numbers, stamps, seals and
 * stores everything of the given invoices at once, with the answers of their idempotency keys and their jobs. Answers
 * each invoice as stored, or its refusal: `external_id_already_used`, `service_unavailable` while its chain is held. All
 * of it is committed, or it throws and nothing is; when the connection dies at the commit itself, it finds out which.
 */
export async function commitInvoices(
  { pool, lineage }: Pick<Db, 'pool' | 'lineage'>,
  group: readonly PreparedInvoice[],
): Promise<Outcome<StoredInvoice>[]> {
  const phases = new CommitPhases(group);
  const client = await phases.time('connect', () => pool.connect());
  let broken: Error | undefined;
  try {
    const { tails, server } = await phases.time('lock chain', () => begin(client, group));
    lineage.mustBeKnown(server);
    const refusals = await takenExternalIds(client, group);
    for (const [index, { chainId }] of group.entries()) {
      if (!tails.has(chainId)) refusals[index] = takesNoRecords();
    }
    for (const [index, { recheck }] of group.entries()) {
      if (recheck !== null) refusals[index] ??= await recheck(client);
    }
    const admitted = group.filter((_, index) => refusals[index] === null);
    const sealed = admitted.length === 0 ? [] : await seal(client, admitted, tails, phases);
    if (sealed.length > 0) await phases.time('write', () => write(client, admitted, sealed, tails));
    for (const [index, { alsoWrite }] of admitted.entries()) {
      if (alsoWrite !== null) await alsoWrite(client, sealed[index]!);
    }
    await phases.time('COMMIT', () => commit(pool, client, { server, sealed }));
    acknowledge(lineage, sealed);
    phases.committed(sealed);
    const stored = sealed.values();
    return refusals.map((refusal) => refusal ?? stored.next().value!);
  } catch (error) {
    // A session that began while the database was read only stays so for as long as it lives.
    if (isRefusedWrite(error)) broken = error as Error;
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
    phases.tell();
  }
}

/** Opens the transaction and locks the chains, in the order of their ids so that two groups never wait crosswise. */
async function begin(client: pg.PoolClient, group: readonly PreparedInvoice[]) {
  const nifs = new Map(group.map((prepared) => [prepared.chainId, prepared.issuerNif]));
  const ids = [...nifs.keys()].map((id) => Math.trunc(id)).join(', ');
  // One text of several statements is one round trip; ids are integers of ours.
  const results = (await client.query(
    `begin;
     set local lock_timeout = '${LOCK_TIMEOUT}';
     set local idle_in_transaction_session_timeout = '${IDLE_TIMEOUT}';
     select pg_current_xact_id()::text as id, server.* from ${SERVER_IDENTITY} as server;
     select ${TAIL_COLUMNS} from chain where id in (${ids}) and ${TAKES_RECORDS} order by chain.id for update`,
  )) as unknown as [unknown, unknown, unknown, pg.QueryResult<Server>, pg.QueryResult<TailRow>];
  const tails = new Map<number, Tail>();
  for (const row of results[4].rows) tails.set(row.id, tailOf(row, nifs.get(row.id)!));
  return { tails, server: results[3].rows[0]! };
}

/** Where the transaction runs, and as which. It was looked at before the chains were locked: a hold that was set when
 * the server was examined is seen. */
type Server = ServerIdentity & { readonly id: string };

/**
 * The chain's row is held, so every other issuing of its environment has committed or not begun: whoever has the
 * external_id now has it for ever. Within the group the first to come wins.
 */
async function takenExternalIds(
  client: pg.PoolClient,
  group: readonly PreparedInvoice[],
): Promise<(Refusal | null)[]> {
  const wanted = group.filter(({ draft }) => draft.external_id !== null);
  if (wanted.length === 0) return group.map(() => null);
  const holders = new Map<string, string>();
  const { rows } = await client.query<{ environment_id: number; external_id: string; id: string }>({
    name: 'external-id-holders',
    text: `select invoice.environment_id, invoice.external_id, invoice.id
             from json_to_recordset($1) as wanted (environment_id int, external_id text)
             join invoice using (environment_id, external_id)`,
    values: [JSON.stringify(wanted.map(({ draft }) => draft))],
  });
  for (const row of rows) holders.set(`${row.environment_id}/${row.external_id}`, row.id);
  return group.map(({ draft }) => {
    if (draft.external_id === null) return null;
    const key = `${draft.environment_id}/${draft.external_id}`;
    const holder = holders.get(key);
    if (holder !== undefined) return externalIdUsed(holder);
    holders.set(key, draft.id);
    return null;
  });
}

/** 409 `external_id_already_used`; the detail names the invoice that holds the value. */
export function externalIdUsed(invoiceId: string): Refusal {
  return new Refusal('external_id_already_used', `The external_id is already used by invoice ${invoiceId}.`);
}

/** Stamps the group with one instant, taken under the locks, and gives each invoice its number and its record. */
async function seal(
  client: pg.PoolClient,
  group: readonly PreparedInvoice[],
  tails: ReadonlyMap<number, Tail>,
  phases: CommitPhases,
): Promise<StoredInvoice[]> {
  const now = clock.now();
  const links = new Map<number, Link>();
  for (const tail of tails.values()) links.set(tail.chainId, linkTo(tail, now));
  const demands = new Map<string, Demand & { count: number }>();
  for (const { series, draft, chainId } of group) {
    const year = countingYear(series, madridYear(instantOf(links, chainId)));
    const key = counterKey(series.id, year);
    const demand = demands.get(key);
    if (demand) demand.count += 1;
    else demands.set(key, { environmentId: draft.environment_id, seriesId: series.id, year, count: 1 });
  }
  const next = await phases.time('take numbers', () => takeNumbers(client, [...demands.values()]));
  return group.map((prepared) =>
    sealOne(prepared, tails.get(prepared.chainId), instantOf(links, prepared.chainId), next),
  );
}

function instantOf(links: ReadonlyMap<number, Link>, chainId: number): Date {
  const link = links.get(chainId);
  if (link === undefined) throw new Error(`chain ${chainId} is not open`);
  return link.generatedAt;
}

function sealOne(
  prepared: PreparedInvoice,
  tail: Tail | undefined,
  issuedAt: Date,
  next: Map<string, number>,
): StoredInvoice {
  if (tail === undefined) throw new Error(`chain ${prepared.chainId} is not open`);
  const { series, draft } = prepared;
  const year = countingYear(series, madridYear(issuedAt));
  const counter = next.get(counterKey(series.id, year))!;
  next.set(counterKey(series.id, year), counter + 1);
  const number = composeNumber(series, year, counter);
  const issuedOn = madridDay(issuedAt);
  const sealed = prepared.record.seal({ number, issuedOn }, linkTo(tail, issuedAt));
  const invoice: InvoiceRow = {
    ...draft,
    number,
    series_year: year,
    series_number: counter,
    issued_at: issuedAt.toISOString(),
    issued_on: issuedOn,
  };
  const record = append(tail, {
    id: newId('rec'),
    kind: 'registration',
    invoiceId: draft.id,
    invoiceNumber: number,
    invoiceIssuedOn: issuedOn,
    sealed,
    generatedAt: issuedAt,
  });
  const registration = prepared.environment === 'test' ? 'registered' : 'pending';
  const { lines, taxItems } = prepared;
  return { invoice, lines, taxItems, record, registration };
}

async function write(
  client: pg.PoolClient,
  group: readonly PreparedInvoice[],
  sealed: readonly StoredInvoice[],
  tails: ReadonlyMap<number, Tail>,
): Promise<void> {
  const states = sealed.map(({ record, registration }, index) => ({
    record_id: record.id,
    environment_id: record.environment_id,
    chain_id: record.chain_id,
    position: record.position,
    status: registration,
    settled_at: registration === 'registered' ? record.generated_at : null,
    trace_parent: registration === 'registered' ? null : group[index]!.queued.trace,
  }));
  const answers = group.flatMap((prepared, index) =>
    prepared.claim === null
      ? []
      : [
          {
            environment_id: prepared.draft.environment_id,
            ...{ key: prepared.claim.key, token: prepared.claim.token },
            answer: prepared.answer(sealed[index]!),
          },
        ],
  );
  const { rows } = await client.query<{ answers: number }>({
    name: 'write-invoices',
    text: WRITE,
    values: [
      JSON.stringify(sealed.map(({ invoice }) => invoice)),
      JSON.stringify(group.flatMap(({ lines }) => lines)),
      JSON.stringify(group.flatMap(({ taxItems }) => taxItems)),
      JSON.stringify(sealed.map(({ record }) => record)),
      JSON.stringify(states),
      JSON.stringify(tailRows(tails.values())),
      JSON.stringify(answers),
      jobSpecs(jobsOf(group)),
      entriesJson(group.flatMap(({ bodyHash }, index) => issuedEntries(bodyHash, sealed[index]!))),
    ],
  });
  // A claim that has vanished was given to somebody else: this invoice must not be issued under it.
  if (rows[0]!.answers !== answers.length) throw new ClaimLost();
}

/** Documents of a batch come after another environment's. */
const rendered = new RecentJobs();

function jobsOf(group: readonly PreparedInvoice[]): NewJob[] {
  const jobs = new Map<number, NewJob>();
  for (const { environment, chainId, draft, queued } of group) {
    if (environment === 'live') {
      const payload = { environmentId: draft.environment_id, chainId };
      jobs.set(chainId, { task: 'register', payload, trace: queued.trace });
    }
  }
  const rendering = group.map(
    ({ draft, queued }): NewJob => ({
      task: 'render_pdf',
      priority: rendered.priorityOf(draft.environment_id),
      payload: { environmentId: draft.environment_id, invoiceId: draft.id },
      trace: queued.trace,
    }),
  );
  return [...jobs.values(), ...rendering];
}

/** Commits; when the connection is lost on the way, asks the database over another one what became of it. */
async function commit(
  pool: pg.Pool,
  client: pg.PoolClient,
  { server, sealed }: { server: Server; sealed: readonly StoredInvoice[] },
): Promise<void> {
  try {
    await client.query('commit');
  } catch (error) {
    const transaction = { id: server.id, identity: server.identity, recordId: sealed.at(-1)?.record.id };
    if ((await commitOutcome(pool, transaction)) !== 'committed') throw error;
  }
}

/** From here on somebody is told: a server that takes over must have it. */
function acknowledge({ acknowledged }: Db['lineage'], sealed: readonly StoredInvoice[]): void {
  for (const { invoice, record } of sealed) {
    const { chain_id: chainId, position, fingerprint } = record;
    acknowledged.record({ chainId, position, fingerprint });
    const {
      environment_id: environmentId,
      series_id: seriesId,
      series_year: year,
      series_number: number,
    } = invoice;
    acknowledged.number({ environmentId, seriesId, year, number });
  }
}
