import type pg from 'pg';
import type { Db } from '../../ground/db/client.ts';
import { commit } from '../../ground/db/commit-outcome.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { statementsOf } from '../../ground/db/statement-time.ts';
import { rollingBack } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome, type Refusal } from '../../ground/errors/refusal.ts';
import type { NewEntry } from '../../ground/journal/append.ts';
import { type Day, dayIn, yearIn } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import type { NewJob } from '../../ground/queue/enqueue.ts';
import { issuingEnded, verifactuEnded } from '../accounts/gates.ts';
import type { Link } from '../chain/record-xml.ts';
import { append, chainNotOpen, linkTo, type Tail, tailOf, toEnvironmentTime } from '../chain/tail.ts';
import { recordCustomers } from '../customers/customers.ts';
import type { NamedCustomer } from '../customers/shapes.ts';
import { ClaimLost } from '../idempotency/keys.ts';
import type { InvoiceRow, StoredInvoice } from '../invoices/rows.ts';
import { counterKey, type Demand, takeNumbers } from '../number-series/counters.ts';
import { composeNumber, countingYear } from '../number-series/series.ts';
import {
  type LockedAccounts,
  lockAffectedAccounts,
  openAccountsOf,
  updateAndAppend,
} from '../payments/accounts.ts';
import { CommitPhases } from './commit-phases.ts';
import { usedExternalIds } from './external-id.ts';
import { issuedEntries } from './journal-entries.ts';
import type { PreparedInvoice } from './prepared-invoice.ts';
import { beginIssuing, type InvoiceToWrite, writeInvoices, writeMetadata } from './store.ts';

/**
 * Whether an invoice needs a transaction of its own: other invoices of the group could change what it relies on.
 */
export function needsOwnTransaction(prepared: PreparedInvoice): boolean {
  return prepared.recheck !== null;
}

/**
 * THE transaction. With the rows of the chains and of the series' counters locked, it takes the numbers, sets the
 * time, seals and stores everything of the given invoices at once, with the answers of their idempotency keys and
 * their jobs. Returns each invoice as stored, or its refusal: `external_id_already_used`, `service_unavailable`
 * while its chain is held, `forbidden` once its company is succeeded or has given up VERI*FACTU. Either all of it is committed, or it throws and nothing is; when the connection is lost
 * during the commit, it determines the outcome. Of a whole (`isWhole`) a refusal of one is that of all.
 */
export async function commitInvoices(
  { pool, lineage }: Pick<Db, 'pool' | 'lineage'>,
  group: readonly PreparedInvoice[],
  isWhole = false,
): Promise<Outcome<StoredInvoice>[]> {
  const phases = new CommitPhases(group);
  const client = await phases.time('connect', pool.connect());
  try {
    return await rollingBack(client, async () => {
      const ofChains = oneOfEachChain(group);
      const { divided } = lineage;
      const beginning = beginIssuing(client, ofChains.values(), divided);
      const { server, chains } = await phases.time('lock chain', beginning);
      lineage.mustBeKnown(server);
      for (const worker of server.workers) lineage.mustBeKnownWorker(worker);
      const locked: Locked = { tails: new Map(), ended: new Set(), now: clock.now(), divided };
      for (const row of chains) {
        const { issuerNif: nif, clockAheadMs, timeZone } = ofChains.get(row.id)!;
        locked.tails.set(row.id, tailOf(row, { nif, clockAheadMs, timeZone }));
        if (row.issuing_ended) locked.ended.add(row.id);
      }
      const outcomes: Outcome<StoredInvoice | null>[] = await refusalsOf(client, group, locked);
      if (isWhole) refuseAll(outcomes);
      const admitted: PreparedInvoice[] = [];
      for (const [index, prepared] of group.entries()) if (outcomes[index] === null) admitted.push(prepared);
      const sealed = admitted.length === 0 ? [] : await issue(client, admitted, locked, phases);
      const last = sealed.at(-1)?.record;
      const record = last && { environmentId: last.environment_id, chainId: last.chain_id, id: last.id };
      const transaction = { ...server, record, divided };
      await phases.time('COMMIT', commit(pool, client, transaction));
      acknowledge(lineage, sealed);
      phases.committed(sealed);
      const stored = sealed.values();
      for (const [index, outcome] of outcomes.entries()) outcomes[index] = outcome ?? stored.next().value!;
      return outcomes as Outcome<StoredInvoice>[];
    });
  } catch (error) {
    lineage.forgetWorkers(group.map(({ unnumbered }) => unnumbered.environment_id));
    throw error;
  } finally {
    phases.finish();
  }
}

/** What is known once the chains are locked: where they end, those that issue no more, and the instant of all that is issued. */
type Locked = {
  readonly tails: Map<number, Tail>;
  readonly ended: Set<number>;
  readonly now: Date;
  /** Whether environments are divided among servers. */
  readonly divided: boolean;
};

/** An invoice of each chain, which says what all of a chain have in common. */
function oneOfEachChain(group: readonly PreparedInvoice[]): Map<number, PreparedInvoice> {
  const found = new Map<number, PreparedInvoice>();
  for (const prepared of group) found.set(prepared.chainId, prepared);
  return found;
}

/** Why those of a group that may not be issued may not, as the locked rows have it; null for the others. */
async function refusalsOf(
  client: pg.ClientBase,
  group: readonly PreparedInvoice[],
  { tails, ended, now }: Locked,
): Promise<(Refusal | null)[]> {
  let anyExternalId = false;
  for (const { unnumbered } of group) anyExternalId ||= unnumbered.external_id !== null;
  const refusals = anyExternalId
    ? await usedExternalIds(client, group)
    : Array<Refusal | null>(group.length).fill(null);
  for (const [index, { chainId, lastDay }] of group.entries()) {
    const tail = tails.get(chainId);
    if (tail === undefined) refusals[index] = chainNotOpen();
    else if (ended.has(chainId)) refusals[index] = issuingEnded();
    else if (lastDay !== null && dayOfNext(tail, now) > lastDay) refusals[index] = verifactuEnded(lastDay);
  }
  for (const [index, { recheck }] of group.entries()) {
    if (recheck !== null) refusals[index] ??= await recheck(client);
  }
  return refusals;
}

function refuseAll(outcomes: Outcome<StoredInvoice | null>[]): void {
  const first = outcomes.find((outcome) => outcome !== null);
  if (first !== undefined) outcomes.fill(first);
}

/** Numbers, seals and writes invoices that nothing speaks against, with what belongs to them. */
async function issue(
  client: pg.ClientBase,
  group: readonly PreparedInvoice[],
  locked: Locked,
  phases: CommitPhases,
): Promise<StoredInvoice[]> {
  const corrected: string[] = [];
  const named: { readonly environmentId: number; readonly customer: NamedCustomer }[] = [];
  for (const { corrects, customer, unnumbered } of group) {
    corrected.push(...corrects);
    if (customer !== null) named.push({ environmentId: unnumbered.environment_id, customer });
  }
  for (const [environmentId, own] of Map.groupBy(named, (one) => one.environmentId))
    await recordCustomers(
      client,
      environmentId,
      own.map(({ customer }) => customer),
    );
  // What corrects or exchanges others is committed alone, or with others of its environment.
  const accounts =
    corrected.length === 0
      ? null
      : await lockAffectedAccounts(client, group[0]!.unnumbered.environment_id, corrected);
  const sealed = await seal(client, group, locked, phases);
  await phases.time('write', write(client, group, sealed, locked));
  for (const [index, { alsoWrite }] of group.entries()) {
    if (alsoWrite !== null) await alsoWrite(client, sealed[index]!);
  }
  if (accounts !== null) await updateAccounts(client, accounts, sealed);
  return sealed;
}

/** An exchange invoice has its own account in addition to those of its tickets. */
async function updateAccounts(
  client: Queryable,
  { environmentId, roots }: LockedAccounts,
  sealed: readonly StoredInvoice[],
): Promise<void> {
  const originalIds = sealed.flatMap(({ invoice }) => (invoice.rectifies_id === null ? [invoice.id] : []));
  await updateAndAppend(client, { environmentId, roots: [...roots, ...originalIds] }, clock.now());
}

/** Commits invoices that one request issues together, in their order: all of them, or none. */
export async function commitTogether(
  db: Pick<Db, 'pool' | 'lineage'>,
  group: readonly PreparedInvoice[],
): Promise<Outcome<StoredInvoice[]>> {
  const outcomes = await statementsOf('changing', () => commitInvoices(db, group, true));
  const stored: StoredInvoice[] = [];
  for (const outcome of outcomes) {
    if (isRefusal(outcome)) return outcome;
    stored.push(outcome);
  }
  return stored;
}

/** The day of issue of an invoice that is issued now. */
function dayOfNext(tail: Tail, now: Date): Day {
  return dayIn(tail.timeZone, linkTo(tail, toEnvironmentTime(tail, now)).generatedAt);
}

/** Gives the group one instant, taken while the locks are held, and each invoice its number and its record. */
async function seal(
  client: Queryable,
  group: readonly PreparedInvoice[],
  { tails, now, divided }: Locked,
  phases: CommitPhases,
): Promise<StoredInvoice[]> {
  const links = new Map<number, Link>();
  for (const tail of tails.values()) links.set(tail.chainId, linkTo(tail, toEnvironmentTime(tail, now)));
  const demands = new Map<string, Demand & { count: number }>();
  for (const { series, unnumbered, chainId, timeZone } of group) {
    const year = countingYear(series, yearIn(timeZone, links.get(chainId)!.generatedAt));
    const key = counterKey(series.id, year);
    const demand = demands.get(key);
    if (demand) demand.count += 1;
    else demands.set(key, { environmentId: unnumbered.environment_id, seriesId: series.id, year, count: 1 });
  }
  const next = await phases.time('take numbers', takeNumbers(client, [...demands.values()], divided));
  const sealed: StoredInvoice[] = [];
  for (const prepared of group) {
    const { chainId } = prepared;
    sealed.push(sealOne(prepared, tails.get(chainId)!, links.get(chainId)!.generatedAt, next));
  }
  return sealed;
}

function sealOne(
  prepared: PreparedInvoice,
  tail: Tail,
  issuedAt: Date,
  next: Map<string, number>,
): StoredInvoice {
  const { series, unnumbered } = prepared;
  const year = countingYear(series, yearIn(tail.timeZone, issuedAt));
  const counter = next.get(counterKey(series.id, year))!;
  next.set(counterKey(series.id, year), counter + 1);
  const number = composeNumber(series, year, counter);
  const issuedOn = dayIn(tail.timeZone, issuedAt);
  const sealed = prepared.record.seal({ number, issuedOn }, linkTo(tail, issuedAt));
  const invoice: InvoiceRow = {
    ...unnumbered,
    number,
    series_year: year,
    series_number: counter,
    issued_at: issuedAt.toISOString(),
    issued_on: issuedOn,
  };
  const record = append(tail, {
    id: newId('rec'),
    kind: 'registration',
    invoiceId: unnumbered.id,
    invoiceNumber: number,
    invoiceIssuedOn: issuedOn,
    sealed,
    generatedAt: issuedAt,
  });
  const registration = prepared.environment === 'test' ? 'registered' : 'pending';
  const { lines, taxItems, metadata } = prepared;
  return { invoice, lines, taxItems, record, metadata, registration };
}

async function write(
  client: Queryable,
  group: readonly PreparedInvoice[],
  sealed: readonly StoredInvoice[],
  { tails, divided }: Locked,
): Promise<void> {
  const invoices: InvoiceToWrite[] = [];
  const written = new Set<number>();
  const entries: NewEntry[] = [];
  let claimed = 0;
  for (const [index, { chainId, claim, answer, texts, queued, bodyHash }] of group.entries()) {
    const stored = sealed[index]!;
    const ofKey = claim && { key: claim.key, token: claim.token, answer: answer(stored) };
    invoices.push({ stored, texts, trace: queued.trace, answer: ofKey });
    written.add(chainId);
    entries.push(...issuedEntries(bodyHash, stored));
    if (ofKey !== null) claimed += 1;
  }
  const jobs = jobsOf(group);
  const ofChains = [...tails.values()].filter((tail) => written.has(tail.chainId));
  const answered = await writeInvoices(client, { invoices, tails: ofChains, entries }, { jobs, divided });
  // A missing claim was taken over by another request: this invoice must not be issued with it.
  if (answered !== claimed) throw new ClaimLost();
  await writeMetadata(client, sealed);
  await openAccountsOf(client, sealed);
}

/** Jobs whose number does not grow with the invoices: what they work on is in our tables. */
function jobsOf(group: readonly PreparedInvoice[]): NewJob[] {
  const jobs: NewJob[] = [];
  for (const { environment, chainId, unnumbered, queued } of group) {
    const { environment_id: environmentId } = unnumbered;
    const { trace } = queued;
    if (environment === 'live') jobs.push({ task: 'register', payload: { environmentId, chainId }, trace });
    jobs.push({ task: 'render_documents', payload: { environmentId }, trace });
  }
  return jobs;
}

/** From here on callers learn of it: a server that takes over must have it. */
function acknowledge({ acknowledged }: Db['lineage'], sealed: readonly StoredInvoice[]): void {
  for (const { invoice, record } of sealed) {
    const { environment_id: environmentId, chain_id: chainId, position, fingerprint } = record;
    acknowledged.record({ environmentId, chainId, position, fingerprint });
    const { series_id: seriesId, series_year: year, series_number: number } = invoice;
    acknowledged.number({ environmentId, seriesId, year, number });
  }
}
