import type pg from 'pg';
import type { Queryable } from '../../ground/db/queryable.ts';
import { statementsOf } from '../../ground/db/statement-time.ts';
import { openSnapshot } from '../../ground/db/transaction.ts';
import { sha256 } from '../../ground/journal/canonical.ts';
import { entryHash, FORMAT } from '../../ground/journal/entry.ts';
import { resultOf } from './checkpoint.ts';
import { SealedRows } from './contents.ts';
import type { JournalFinding } from './finding.ts';
import { JournalTree } from './journal-tree.ts';
import type { ReadNote } from './note.ts';
import {
  documentSums,
  entriesAfter,
  headOf,
  isJournaledLater,
  type JournaledTable,
  rowCounts,
  type StoredEntry,
  unjournaled,
} from './store/entries.ts';
import { orphanedJournals } from './store/heads.ts';
import { addedKeys, unjournaledRows } from './store/rows.ts';
import { verifyDerived } from './verify-derived.ts';
import { verifyEmails } from './verify-emails.ts';
import { verifyHolds } from './verify-holds.ts';
import { verifySeries } from './verify-series.ts';

export type JournalCheck = {
  readonly batch: number;
  readonly add: (finding: JournalFinding) => void;
  /** Called after each batch with the number of verified entries. */
  readonly progress: (entries: readonly StoredEntry[]) => void;
  /** Whether to abort. */
  readonly isOver: () => boolean;
  /** A checkpoint that the journal must extend, taken before the transaction began. */
  readonly checkpoint?: ReadNote | null | undefined;
};

/**
 * Verifies a journal, of an environment, of its audit log or of the installation, from its first entry to its head: each content
 * against the rows, each link against the entry's text. Then searches for rows without an entry, and computes the
 * derived tables again. Memory is bounded by one batch; everything is as of the caller's transaction. False if it was
 * aborted: it is then not known that every row has an entry.
 */
export async function verifyJournal(
  client: Queryable,
  environmentId: number,
  check: JournalCheck,
): Promise<boolean> {
  const head = await headOf(client, environmentId);
  if (head === null) {
    // Whoever has removed it has removed all that follows from it.
    check.add({ ...NOWHERE, what: 'journal_head', expected: 'a journal' });
    return true;
  }
  const { origin, named } = head;
  if (named !== null && named !== origin)
    check.add({ ...NOWHERE, what: 'journal_head', expected: origin, found: named });
  const { checkpoint = null } = check;
  const tree = new JournalTree(client, environmentId);
  const rows = new SealedRows(client, environmentId);
  let previous: string | null = null;
  let position = 0;
  for (;;) {
    const entries = await entriesAfter(client, environmentId, position, check.batch);
    if (entries.length === 0) break;
    for (const entry of entries) {
      verifyLink(origin, entry, { position, previous }, check.add);
      position = entry.position;
      previous = entry.hash;
      if (tree.size < (checkpoint?.size ?? 0)) tree.add(Buffer.from(entry.hash, 'hex'));
    }
    await rows.load(entries);
    for (const entry of entries) verifyContent(entry, rows, check.add);
    await verifyDocuments(client, environmentId, entries, check.add);
    await verifySeries(client, environmentId, entries, check.add);
    await verifyEmails(client, environmentId, entries, check.add);
    await verifyHolds(client, environmentId, entries, check.add);
    check.progress(entries);
    if (check.isOver()) return false;
  }
  const [expected, found] = [`${position} ${previous}`, `${head.position} ${head.hash}`];
  if (expected !== found) check.add({ ...NOWHERE, what: 'journal_head', position, expected, found });
  if (checkpoint !== null) verifyCheckpoint(tree, checkpoint, check.add);
  if (environmentId <= 0) await verifyAddedWhole(client, environmentId, check.add);
  else {
    await verifyWhole(client, environmentId, rows.matched, check.add);
    await verifyDerived(client, environmentId, check);
  }
  return !check.isOver();
}

const KEPT_FINDINGS = 100;
/** About ten milliseconds of work, after which it yields to other work of the process. */
const POLITE_BATCH = 250;

/** A journal by itself, as of one instant: its entries, and the first findings. */
export function verifyJournalOnly(
  pool: pg.Pool,
  environmentId: number,
  checkpoint?: JournalCheck['checkpoint'],
) {
  return statementsOf('maintenance', async () => {
    const findings: JournalFinding[] = [];
    let findingCount = 0;
    let entries = 0;
    const { client, close } = await openSnapshot(pool);
    try {
      await verifyJournal(client, environmentId, {
        batch: POLITE_BATCH,
        isOver: () => false,
        checkpoint,
        progress: (seen) => {
          entries += seen.length;
        },
        add: (finding) => {
          findingCount += 1;
          if (findings.length < KEPT_FINDINGS) findings.push(finding);
        },
      });
    } finally {
      await close();
    }
    return { entries, findingCount, findings };
  });
}

/** Findings for journals whose environment is gone, which nobody would verify. */
export async function withoutEnvironment(client: Queryable): Promise<JournalFinding[]> {
  const origins = await orphanedJournals(client);
  return origins.map((origin) => ({ ...NOWHERE, what: 'journal_head', subjectId: origin, expected: origin }));
}

/** How many entries the journal of an environment has. */
export async function journalLength(client: Queryable, environmentId: number): Promise<number> {
  return (await headOf(client, environmentId))?.position ?? 0;
}

const NOWHERE = { position: null, subjectId: null, recordId: null, expected: null, found: null };

type Add = JournalCheck['add'];

const placeOf = ({ position, subjectId, recordId }: StoredEntry) => ({ position, subjectId, recordId });

function verifyLink(
  origin: string,
  entry: StoredEntry,
  before: { readonly position: number; readonly previous: string | null },
  add: Add,
): void {
  if (entry.position !== before.position + 1) {
    const [expected, found] = [`${before.position + 1}`, `${entry.position}`];
    add({ ...placeOf(entry), what: 'journal_position', expected, found });
  }
  const { position, type, subjectId, recordId, createdAt, contentHash } = entry;
  const expected =
    entry.format === FORMAT
      ? entryHash({
          ...{ origin, position, type, subjectId, recordId, createdAt, contentHash },
          previous: before.previous,
        })
      : `format ${FORMAT}`;
  if (expected !== entry.hash) add({ ...placeOf(entry), what: 'journal_link', expected, found: entry.hash });
}

function verifyCheckpoint(tree: JournalTree, checkpoint: ReadNote, add: Add): void {
  const found = resultOf(tree, checkpoint);
  if (found === 'extends') return;
  const expected = `${checkpoint.size} ${checkpoint.root.toString('hex')}`;
  add({ ...NOWHERE, what: 'journal_checkpoint', position: tree.size, expected, found });
}

function verifyContent(entry: StoredEntry, rows: SealedRows, add: Add): void {
  const text = entry.content ?? rows.textOf(entry);
  if (text === null) {
    add({ ...placeOf(entry), what: 'journal_row_missing', expected: entry.type, found: null });
    return;
  }
  const found = sha256(text);
  if (found === entry.contentHash) return;
  add({ ...placeOf(entry), what: 'journal_content', expected: entry.contentHash, found });
}

/** The checksum of a document is in its newest entry. */
async function verifyDocuments(
  client: Queryable,
  environmentId: number,
  entries: readonly StoredEntry[],
  add: Add,
): Promise<void> {
  const ready = entries.filter(({ type, content }) => type === 'invoice.document_ready' && content !== null);
  const sums = await documentSums(
    client,
    environmentId,
    ready.map(({ subjectId }) => subjectId),
  );
  for (const entry of ready) {
    const journaled = JSON.parse(entry.content!) as { edition: string; sha256: string };
    const found = sums.get(`${entry.subjectId}/${journaled.edition}`) ?? null;
    if (found === journaled.sha256) continue;
    const content = JSON.stringify({ edition: journaled.edition, sha256: found });
    const later = { type: 'invoice.document_ready', content };
    if (found !== null && (await isJournaledLater(client, environmentId, entry, later))) continue;
    const what = found === null ? 'journal_row_missing' : 'journal_content';
    add({ ...placeOf(entry), what, expected: journaled.sha256, found });
  }
}

/** Every sealed row was found through an entry; otherwise there are rows without one. */
async function verifyWhole(
  client: Queryable,
  environmentId: number,
  matched: ReadonlyMap<string, number>,
  add: Add,
): Promise<void> {
  const more: JournaledTable[] = ['chain', 'invoice_document', 'invoice_email_state', 'number_series'];
  for (const [table, count] of await rowCounts(client, environmentId)) {
    if (count !== (matched.get(table) ?? 0)) more.push(table as JournaledTable);
  }
  for (const table of more) {
    for (const id of await unjournaled(client, environmentId, table)) {
      add({ ...NOWHERE, what: 'journal_untold', subjectId: id, found: table });
    }
  }
}

/** The same for the installation's journal and the audit journals of environments. */
async function verifyAddedWhole(client: Queryable, journal: number, add: Add): Promise<void> {
  for (const [table, key] of Object.entries(addedKeys(journal))) {
    for (const id of await unjournaledRows(client, journal, table, key)) {
      add({ ...NOWHERE, what: 'journal_untold', subjectId: id, found: table });
    }
  }
}
