import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { statementsOf } from '../../ground/db/statement-time.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { append, type NewEntry } from '../../ground/journal/append.ts';
import { canonicalJson, sha256 } from '../../ground/journal/canonical.ts';
import type { EntryType } from '../../ground/journal/entry.ts';
import { unjournaledSeries } from '../../ground/journal/store/sealed.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import { SealedRows } from './contents.ts';
import {
  chainsOf,
  documentsOf,
  heldChains,
  importedAfter,
  journaledOf,
  lockHead,
  markAdopted,
  olderProcesses,
  recordsAfter,
  unadopted,
} from './store/adopt.ts';
import { addedKeys, unjournaledRows } from './store/rows.ts';
import { verifyJournalOnly } from './verify.ts';

/**
 * Writes data that is older than the journal into it, at the service's first start on such a database: in batches,
 * each a transaction that locks the journal only while it inserts, while issuing continues. Nothing is written
 * twice, so it can be interrupted at any time and continued by any process.
 */

/** Rows processed at a time: issuing waits some milliseconds for each batch. */
const BATCH = 250;

type AdoptingServices = { readonly db: Pick<Db, 'pool'>; readonly log: Logger };

/** Adopts the remaining data, one journal after the other. */
export async function adoptAll(services: AdoptingServices, signal?: AbortSignal): Promise<void> {
  const { pool } = services.db;
  for (const environmentId of await unadopted(pool)) {
    const started = performance.now();
    const entries = await journalAll(services.db, environmentId, signal);
    if (signal?.aborted) throw new Error('adopting was broken off');
    // What a process of an earlier version issues meanwhile it does not journal: the next run does.
    if (await olderProcesses(pool)) continue;
    await markAdopted(pool, environmentId, clock.now());
    const { findingCount } = await verifyJournalOnly(pool, environmentId);
    const facts = {
      environmentId,
      entries,
      findingCount,
      milliseconds: Math.round(performance.now() - started),
    };
    if (findingCount === 0) services.log.info(facts, 'the journal covers all data from before it');
    else services.log.error(facts, 'THE JOURNAL IS NOT SOUND');
  }
}

/** Appends entries for everything that the journal lacks; returns how many. */
export function journalAll(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  signal?: AbortSignal,
): Promise<number> {
  return statementsOf('maintenance', async () => {
    let count = 0;
    for await (const entries of missing(db, environmentId)) {
      count += await appendBatch(db, environmentId, entries);
      if (signal?.aborted) break;
    }
    return count;
  });
}

async function* missing(db: Pick<Db, 'pool'>, environmentId: number): AsyncGenerator<NewEntry[]> {
  const { pool } = db;
  if (environmentId <= 0) {
    yield* addedEntries(pool, environmentId);
    return;
  }
  yield await unjournaledSeries(pool, environmentId);
  for (let after = ''; ; ) {
    const ids = await importedAfter(pool, environmentId, after, BATCH);
    if (ids.length === 0) break;
    after = ids.at(-1)!;
    yield await entriesOf(
      pool,
      environmentId,
      ids.map((id) => ({ changes: ['invoice.imported' as const], invoiceId: id, recordId: null })),
    );
  }
  for (const chainId of await chainsOf(pool, environmentId))
    yield* recordEntries(pool, environmentId, chainId);
  yield (await heldChains(pool, environmentId)).map(({ chainId, hold, installationNumber }) => ({
    ...{ environmentId, type: 'chain.held', subjectId: `chain ${chainId}`, at: clock.now() },
    content: canonicalJson({ chain_id: chainId, installation_number: installationNumber, hold }),
  }));
}

async function* recordEntries(client: Queryable, environmentId: number, chainId: number) {
  for (let position = 0; ; ) {
    const records = await recordsAfter(client, chainId, position, BATCH);
    if (records.length === 0) return;
    position = records.at(-1)!.position;
    const changed = records.map(({ invoiceId, recordId, change, status }) => ({
      ...{ invoiceId, recordId },
      changes: status === 'pending' ? [change] : [change, settledBy(change, status)],
    }));
    yield await entriesOf(client, environmentId, changed);
  }
}

/** The same as the entry that is written when a record is settled. */
function settledBy(
  change: 'invoice.issued' | 'invoice.voided' | 'invoice.amended',
  status: 'registered' | 'registered_with_errors' | 'rejected' | 'skipped',
): EntryType {
  if (status !== 'rejected' || change === 'invoice.issued') return `invoice.${status}`;
  return change === 'invoice.amended' ? 'invoice.amendment_rejected' : 'invoice.void_rejected';
}

type Changed = {
  readonly invoiceId: string;
  readonly recordId: string | null;
  readonly changes: readonly EntryType[];
};

/** Entries for the invoices' records, and for the documents that show them. */
async function entriesOf(client: Queryable, environmentId: number, changed: readonly Changed[]) {
  const about = changed.flatMap(({ changes, invoiceId, recordId }) =>
    changes.map((type) => ({ type, subjectId: invoiceId, recordId })),
  );
  const rows = new SealedRows(client, environmentId);
  await rows.load(about);
  const documents = await documentsOf(
    client,
    environmentId,
    changed.map(({ invoiceId }) => invoiceId),
  );
  const at = clock.now();
  const entries: NewEntry[] = [];
  for (const { type, subjectId, recordId } of about) {
    const text = rows.textOf({ type, subjectId, recordId });
    if (text === null) throw new Error(`the subject of ${type} of ${subjectId} does not exist`);
    const record = recordId === null ? {} : { recordId };
    entries.push({ environmentId, type, subjectId, ...record, at, contentHash: sha256(text) });
    const shows = { 'invoice.issued': 'issued', 'invoice.imported': 'issued', 'invoice.voided': 'voided' };
    const edition = shows[type as keyof typeof shows];
    const sum = documents.get(`${subjectId}/${edition}`);
    if (sum === undefined) continue;
    const content = canonicalJson({ edition, sha256: sum });
    entries.push({ environmentId, type: 'invoice.document_ready', subjectId, at, content });
  }
  return entries;
}

/** Those of the installation's journal, or of an audit journal. */
async function* addedEntries(client: Queryable, environmentId: number): AsyncGenerator<NewEntry[]> {
  for (const [table, key] of Object.entries(addedKeys(environmentId))) {
    for (;;) {
      const ids = await unjournaledRows(client, environmentId, table, key);
      if (ids.length === 0) break;
      const type = `${table}.added` as EntryType;
      const about = ids.map((id) => ({ type, subjectId: id, recordId: null }));
      const rows = new SealedRows(client, environmentId);
      await rows.load(about);
      const at = clock.now();
      yield about.map(({ subjectId }) => ({
        ...{ environmentId, type, subjectId, at },
        contentHash: sha256(rows.textOf({ type, subjectId, recordId: null })!),
      }));
    }
  }
}

/** Appends the missing ones of the entries, checked while nobody else appends. */
async function appendBatch(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  entries: readonly NewEntry[],
): Promise<number> {
  if (entries.length === 0) return 0;
  return inTransaction(db.pool, async (client) => {
    await lockHead(client, environmentId);
    const journaled = await journaledOf(
      client,
      environmentId,
      entries.map(({ subjectId }) => subjectId),
    );
    const unjournaled = entries.filter((entry) => {
      const { type, subjectId, recordId = '' } = entry;
      const document = type === 'invoice.document_ready' && 'content' in entry ? entry.content : '';
      return !journaled.has(`${type} ${subjectId} ${recordId}${document}`);
    });
    await append(client, unjournaled);
    return unjournaled.length;
  });
}
