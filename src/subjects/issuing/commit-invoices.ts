import type { Db } from '../../ground/db/client.ts';
import { commit } from '../../ground/db/commit-outcome.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { statementsOf } from '../../ground/db/statement-time.ts';
import { rollingBack } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type Day, dayIn, yearIn } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import type { NewJob } from '../../ground/queue/enqueue.ts';
import { issuingEnded, verifactuEnded } from '../accounts/gates.ts';
import type { Link } from '../chain/record-xml.ts';
import type { TailRow } from '../chain/store/read-tail.ts';
import { append, chainNotOpen, linkTo, type Tail, tailOf, toEnvironmentTime } from '../chain/tail.ts';
import { recordCustomers } from '../customers/customers.ts';
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
import { beginIssuing, writeInvoices, writeMetadata } from './store.ts';

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
  const client = await phases.time('connect', () => pool.connect());
  try {
    return await rollingBack(client, async () => {
      const { server, chains } = await phases.time('lock chain', () =>
        beginIssuing(client, chainsOf(group), lineage.divided),
      );
      lineage.mustBeKnown(server);
      for (const worker of server.workers) lineage.mustBeKnownWorker(worker);
      const tails = tailsOf(group, chains);
      const refusals = await usedExternalIds(client, group);
      const ended = new Set(chains.filter((chain) => chain.issuing_ended).map(({ id }) => id));
      const now = clock.now();
      for (const [index, { chainId, lastDay }] of group.entries()) {
        const tail = tails.get(chainId);
        if (tail === undefined) refusals[index] = chainNotOpen();
        else if (ended.has(chainId)) refusals[index] = issuingEnded();
        else if (lastDay !== null && dayOfNext(tail, now) > lastDay)
          refusals[index] = verifactuEnded(lastDay);
      }
      for (const [index, { recheck }] of group.entries()) {
        if (recheck !== null) refusals[index] ??= await recheck(client);
      }
      const first = refusals.find((refusal) => refusal !== null);
      if (isWhole && first !== undefined) refusals.fill(first);
      const admitted = group.filter((_, index) => refusals[index] === null);
      await keepCustomers(client, admitted);
      const accounts = await holdCorrected(client, admitted);
      const sealed = admitted.length === 0 ? [] : await seal(client, admitted, { tails, now }, phases);
      if (sealed.length > 0) await phases.time('write', () => write(client, admitted, sealed, tails));
      for (const [index, { alsoWrite }] of admitted.entries()) {
        if (alsoWrite !== null) await alsoWrite(client, sealed[index]!);
      }
      if (accounts !== null) await updateAccounts(client, accounts, sealed);
      const last = sealed.at(-1)?.record;
      const record = last && { environmentId: last.environment_id, chainId: last.chain_id, id: last.id };
      const transaction = { ...server, record, divided: lineage.divided };
      await phases.time('COMMIT', () => commit(pool, client, transaction));
      acknowledge(lineage, sealed);
      phases.committed(sealed);
      const stored = sealed.values();
      return refusals.map((refusal) => refusal ?? stored.next().value!);
    });
  } catch (error) {
    lineage.forgetWorkers(group.map(({ unnumbered }) => unnumbered.environment_id));
    throw error;
  } finally {
    phases.finish();
  }
}

/** Without a customer it runs no statement. */
async function keepCustomers(client: Queryable, group: readonly PreparedInvoice[]): Promise<void> {
  const naming = group.filter(({ customer }) => customer !== null);
  for (const [environmentId, own] of Map.groupBy(naming, ({ unnumbered }) => unnumbered.environment_id)) {
    await recordCustomers(
      client,
      environmentId,
      own.map(({ customer }) => customer!),
    );
  }
}

/** Locks the accounts of the invoices that are corrected or exchanged; such invoices are committed alone. */
async function holdCorrected(
  client: Queryable,
  group: readonly PreparedInvoice[],
): Promise<LockedAccounts | null> {
  const corrects = group.flatMap((prepared) => prepared.corrects);
  const [first] = group;
  return first === undefined || corrects.length === 0
    ? null
    : lockAffectedAccounts(client, first.unnumbered.environment_id, corrects);
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

function chainsOf(group: readonly PreparedInvoice[]): Pick<TailRow, 'id' | 'environment_id'>[] {
  const environments = new Map(group.map(({ chainId, unnumbered }) => [chainId, unnumbered.environment_id]));
  return [...environments].map(([id, environment_id]) => ({ id, environment_id }));
}

function tailsOf(group: readonly PreparedInvoice[], chains: readonly TailRow[]): Map<number, Tail> {
  const facts = new Map(
    group.map(({ chainId, issuerNif: nif, clockAheadMs, timeZone }) => [
      chainId,
      { nif, clockAheadMs, timeZone },
    ]),
  );
  return new Map(chains.map((row) => [row.id, tailOf(row, facts.get(row.id)!)]));
}

/** The day of issue of an invoice that is issued now. */
function dayOfNext(tail: Tail, now: Date): Day {
  return dayIn(tail.timeZone, linkTo(tail, toEnvironmentTime(tail, now)).generatedAt);
}

/** Gives the group one instant, taken while the locks are held, and each invoice its number and its record. */
async function seal(
  client: Queryable,
  group: readonly PreparedInvoice[],
  { tails, now }: { readonly tails: ReadonlyMap<number, Tail>; readonly now: Date },
  phases: CommitPhases,
): Promise<StoredInvoice[]> {
  const links = new Map<number, Link>();
  for (const tail of tails.values()) links.set(tail.chainId, linkTo(tail, toEnvironmentTime(tail, now)));
  const demands = new Map<string, Demand & { count: number }>();
  for (const { series, unnumbered, chainId, timeZone } of group) {
    const year = countingYear(series, yearIn(timeZone, instantOf(links, chainId)));
    const key = counterKey(series.id, year);
    const demand = demands.get(key);
    if (demand) demand.count += 1;
    else demands.set(key, { environmentId: unnumbered.environment_id, seriesId: series.id, year, count: 1 });
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
  tails: ReadonlyMap<number, Tail>,
): Promise<void> {
  const invoices = group.map(({ claim, answer, texts, queued }, index) => {
    const stored = sealed[index]!;
    const ofKey = claim && { key: claim.key, token: claim.token, answer: answer(stored) };
    return { stored, texts, trace: queued.trace, answer: ofKey };
  });
  const answered = await writeInvoices(client, {
    ...{ invoices, tails: tails.values(), jobs: jobsOf(group) },
    entries: group.flatMap(({ bodyHash }, index) => issuedEntries(bodyHash, sealed[index]!)),
  });
  // A missing claim was taken over by another request: this invoice must not be issued with it.
  if (answered !== invoices.filter(({ answer }) => answer !== null).length) throw new ClaimLost();
  await writeMetadata(client, sealed);
  await openAccountsOf(
    client,
    sealed.map(({ invoice }) => invoice),
  );
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
