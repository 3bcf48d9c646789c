import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, type Outcome } from '../../ground/errors/refusal.ts';
import { append } from '../../ground/journal/append.ts';
import { type Actor, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Issuer } from '../accounts/entry/caller.ts';
import { readScope } from '../accounts/store/read-callers.ts';
import { couldCompose, type Numbering } from '../number-series/series.ts';
import { openImportedAccounts } from '../payments/accounts.ts';
import type { TaxCatalog } from '../taxes/catalog.ts';
import { loadTaxCatalog } from '../taxes/store/read-catalog.ts';
import { readCsv } from './csv.ts';
import { importedEntries } from './journal-entries.ts';
import { readJsonLines } from './json-lines.ts';
import { type PreparedRow, prepareRow } from './prepare-row.ts';
import { Report } from './report.ts';
import { type RefusedRow, type SourceRow, UnreadableFile } from './source-row.ts';
import {
  environmentExists,
  explainConflicts,
  lockNumbering,
  openRun,
  type RunKey,
  type RunState,
  saveProgress,
  storeRows,
} from './store.ts';
import { summarizeFile } from './summarize-file.ts';

/** The file, and its target. */
export type ImportRequest = {
  readonly environmentId: number;
  /** A path that ends in `.csv`, `.jsonl` or `.ndjson`. */
  readonly file: string;
  /** The file for refused rows; `<file>.refused.csv` by default. */
  readonly report?: string | undefined;
  readonly actor: Actor;
  /** The reason for the audit log. */
  readonly reason?: string | undefined;
  /** Called after each batch. */
  readonly onProgress?: (progress: ImportProgress) => void;
};

type ImportActor = { readonly actor: Actor; readonly reason?: string | null | undefined };

/** The progress of an import: processed lines of the file, and the results of its rows. */
export type ImportProgress = Pick<RunState, 'accepted' | 'refused'> & {
  readonly line: number;
  readonly lines: number;
};

/** The result of an import, including earlier runs of the same file. */
export type ImportResult = {
  readonly accepted: number;
  readonly refused: number;
  /** The report of refused rows; null when there are none. */
  readonly report: string | null;
  /** True when the file had been imported before, so that nothing was done now. */
  readonly alreadyImported: boolean;
};

const READERS: Record<string, (path: string, after: number) => AsyncGenerator<SourceRow>> = {
  csv: readCsv,
  jsonl: readJsonLines,
  ndjson: readJsonLines,
};

/** The longest that issuing waits. Rows with many lines make smaller batches, so that memory stays bounded, too. */
const BATCH_ROWS = 100;
const BATCH_LINES = 500;

type Batch = {
  readonly prepared: PreparedRow[];
  readonly refused: RefusedRow[];
  lineCount: number;
  lastLine: number;
};

/**
 * Imports the invoices that another system issued, from a file of any length in constant memory. Each row is stored
 * whole or reported with its line, code and reason; rows are stored in the order of the file, so of two with one
 * number the first is stored. Issuing continues meanwhile: it waits for at most a hundred rows. An interrupted run
 * continues where it stopped when it is started again with the same file; a completely imported file is not
 * imported again. Refuses with `invalid_request` an unknown environment, a file of another type, and one that is
 * unreadable from some line on, with the rows before it stored.
 */
export async function importInvoices(
  db: Pick<Db, 'pool'>,
  request: ImportRequest,
): Promise<Outcome<ImportResult>> {
  const { environmentId, file } = request;
  const read = READERS[file.split('.').at(-1)?.toLowerCase() ?? ''];
  if (read === undefined) {
    return invalidField('file', 'invalid_value', `must end in .${Object.keys(READERS).join(', .')}`);
  }
  if (!(await environmentExists(db.pool, environmentId)))
    return invalidField('environment', 'unknown', 'names no environment');
  const { sha256, lines } = await summarizeFile(file);
  const key = { environmentId, fileHash: sha256 };
  const progress = await openRun(db, key);
  const path = request.report ?? `${file}.refused.csv`;
  const result = (state: RunState): ImportResult => ({
    accepted: state.accepted,
    refused: state.refused,
    report: state.refused > 0 ? path : null,
    alreadyImported: progress.finished,
  });
  if (progress.finished) return result(progress);
  const { companyId, issuer, timeZone } = await readScope(db.pool, environmentId);
  const catalog = await loadTaxCatalog(db, companyId);
  const report = await Report.open(path, progress.lastLine);
  const run = new Run(db, key, progress, { issuer, report });
  const onProgress = () => {
    const { lastLine, accepted, refused } = run.state;
    request.onProgress?.({ line: lastLine, lines, accepted, refused });
  };
  onProgress();
  try {
    await storeAll(
      batches(read(file, progress.lastLine), { environmentId, timeZone, nif: issuer.nif }, catalog),
      run,
      onProgress,
    );
    return result(await run.finish(request));
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const { accepted, refused } = run.state;
    const problem = `${error.message}; up to there ${accepted} were imported and ${refused} refused`;
    return invalidField('file', 'invalid_format', problem);
  } finally {
    await report.close();
  }
}

/** While the database stores one batch, the next is read and prepared; at most these two are in memory. */
async function storeAll(source: AsyncGenerator<Batch>, run: Run, onProgress: () => void): Promise<void> {
  let storing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of source) {
      await storing;
      storing = run.store(batch).then(onProgress);
      // It is awaited in the next round; the handler keeps its failure until then from being an unhandled
      // rejection.
      storing.catch(() => {});
    }
  } finally {
    await storing;
  }
}

async function* batches(
  rows: AsyncGenerator<SourceRow>,
  environment: Parameters<typeof prepareRow>[1],
  catalog: TaxCatalog,
): AsyncGenerator<Batch> {
  let batch: Batch = emptyBatch();
  try {
    for await (const row of rows) {
      add(batch, row, prepareRow(row, environment, catalog));
      if (batch.prepared.length + batch.refused.length < BATCH_ROWS && batch.lineCount < BATCH_LINES)
        continue;
      yield batch;
      batch = emptyBatch();
    }
  } catch (error) {
    // The rows before the error are valid.
    if (error instanceof UnreadableFile && batch.lastLine > 0) yield batch;
    throw error;
  }
  if (batch.lastLine > 0) yield batch;
}

function add(batch: Batch, { lastLine }: SourceRow, row: PreparedRow | RefusedRow): void {
  batch.lastLine = lastLine;
  if ('code' in row) batch.refused.push(row);
  else {
    batch.prepared.push(row);
    batch.lineCount += row.lineCount;
  }
}

function emptyBatch(): Batch {
  return { prepared: [], refused: [], lineCount: 0, lastLine: 0 };
}

/** Splits the rows into those whose numbers no series could ever compose, and the others. */
function separateComposable(
  rows: readonly PreparedRow[],
  series: readonly Numbering[],
): { readonly free: PreparedRow[]; readonly refused: RefusedRow[] } {
  const free: PreparedRow[] = [];
  const refused: RefusedRow[] = [];
  for (const row of rows) {
    const existing = series.find((one) => couldCompose(one, row.number));
    if (existing === undefined) free.push(row);
    else {
      const reason = `the series ${existing.prefix} could compose the number ${row.number}`;
      refused.push({ line: row.line, code: 'number_series_numbering_collision', reason });
    }
  }
  return { free, refused };
}

/** A running import and its progress. */
class Run {
  readonly #db: Pick<Db, 'pool'>;
  readonly #key: RunKey;
  readonly #with: { readonly issuer: Issuer; readonly report: Report };
  state: RunState;

  constructor(db: Pick<Db, 'pool'>, key: RunKey, run: RunState, parts: { issuer: Issuer; report: Report }) {
    this.#db = db;
    this.#key = key;
    this.#with = parts;
    this.state = run;
  }

  /** Stores a batch, its refused rows and the progress, in one transaction. */
  async store(batch: Batch): Promise<void> {
    const { environmentId } = this.#key;
    this.state = await inTransaction(this.#db.pool, async (client) => {
      const externalIds = batch.prepared.some(({ externalId }) => externalId !== null);
      const series = await lockNumbering(client, environmentId, { externalIds });
      const { free, refused: composable } = separateComposable(batch.prepared, series);
      const stored = await storeRows(client, environmentId, this.#with.issuer, free);
      const now = clock.now();
      await openImportedAccounts(client, environmentId, [...stored], now);
      const notStored = free.filter(({ id }) => !stored.has(id));
      const conflicts = await explainConflicts(client, environmentId, notStored);
      const refused = [...batch.refused, ...composable, ...conflicts].sort((a, b) => a.line - b.line);
      const after: RunState = {
        lastLine: batch.lastLine,
        accepted: this.state.accepted + stored.size,
        refused: this.state.refused + refused.length,
        finished: false,
      };
      await saveProgress(client, this.#key, this.state, after);
      await this.#with.report.add(refused);
      await append(client, await importedEntries(client, environmentId, [...stored], now));
      return after;
    });
  }

  async finish({ actor, reason = null }: ImportActor): Promise<RunState> {
    const { environmentId, fileHash } = this.#key;
    const { accepted, refused } = this.state;
    this.state = await inTransaction(this.#db.pool, async (client) => {
      const after = { ...this.state, finished: true };
      await saveProgress(client, this.#key, this.state, after);
      await addAuditEntry(client, {
        actor,
        action: 'import_invoices',
        subject: fileHash.toString('hex'),
        environmentId,
        reason,
        details: { accepted, refused },
      });
      return after;
    });
    return this.state;
  }
}
