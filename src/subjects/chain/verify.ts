import type pg from 'pg';
import type { Queryable } from '../../ground/db/queryable.ts';
import { statementsOf } from '../../ground/db/statement-time.ts';
import { openSnapshot } from '../../ground/db/transaction.ts';
import { auditJournalOf } from '../../ground/journal/entry.ts';
import { clock } from '../../ground/lib/clock.ts';
import { type JournalCheck, journalLength, verifyJournal } from '../journal/verify.ts';
import {
  type BareRecord,
  chainsOf,
  completed,
  invoicesWithoutRecord,
  recordsAfter,
  statesWithoutRecord,
  type VerifiedChain,
} from './store/verification.ts';
import { type Finding, type PreviousRecord, verifyRecord } from './verify-record.ts';
import { verifySeries } from './verify-series.ts';

/** The result of verifying all chains of an environment. */
export type Verification = {
  readonly environmentId: number;
  readonly records: number;
  /** Of the journal and the audit journal. */
  readonly entries: number;
  /** The number of all findings; `findings` contains the first of them. */
  readonly findingCount: number;
  readonly findings: readonly Finding[];
  /** False when the time limit was reached, or it was aborted, before everything was verified. */
  readonly complete: boolean;
  readonly startedAt: Date;
  readonly milliseconds: number;
};

export type VerifyOptions = {
  /** Findings that are kept; further ones are only counted. One error early in a chain can cause many. */
  readonly keep?: number;
  /** Records that are read at a time: more are faster, fewer leave time for other work in the process. */
  readonly batch?: number;
  readonly milliseconds?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (done: number, total: number) => void;
  /** The checkpoints that the environment's journal and its audit journal must extend. */
  readonly checkpoint?: JournalCheck['checkpoint'];
  readonly auditCheckpoint?: JournalCheck['checkpoint'];
};

const KEPT_FINDINGS = 100;
/** About ten milliseconds of work, after which it yields to other work of the process. */
const POLITE_BATCH = 250;

/**
 * Verifies an environment: every record of every chain, parsed again from its own XML, against its fingerprint, its
 * predecessor, its invoice and its state; each chain's tail; the numbers of each series; and the environment's
 * journals against everything that is sealed. All as of one instant, while issuing continues, in constant memory.
 * Null when there is no such environment.
 */
export function verifyEnvironment(
  pool: pg.Pool,
  environmentId: number,
  options: VerifyOptions = {},
): Promise<Verification | null> {
  return statementsOf('maintenance', () => verifyAll(pool, environmentId, options));
}

async function verifyAll(
  pool: pg.Pool,
  environmentId: number,
  options: VerifyOptions,
): Promise<Verification | null> {
  const run = new Run(options);
  const startedAt = clock.now();
  const { client, close } = await openSnapshot(pool);
  try {
    const chains = await chainsOf(client, environmentId);
    if (chains === null) return null;
    run.total = chains.reduce(
      (total, chain) => total + chain.lastPosition,
      (await journalLength(client, environmentId)) +
        (await journalLength(client, auditJournalOf(environmentId))),
    );
    for (const chain of chains) await verifyChain(client, chain, run);
    if (!run.isOver()) await verifyWhole(client, environmentId, run);
    const { checkpoint, auditCheckpoint } = options;
    const whole = !run.isOver() && (await verifyJournal(client, environmentId, checkOf(run, checkpoint)));
    const audit = auditJournalOf(environmentId);
    run.complete =
      !run.isOver() && (await verifyJournal(client, audit, checkOf(run, auditCheckpoint))) && whole;
  } finally {
    await close();
  }
  return {
    environmentId,
    records: run.records,
    entries: run.entries,
    findingCount: run.count,
    findings: run.findings,
    complete: run.complete,
    startedAt,
    milliseconds: Math.round(performance.now() - run.start),
  };
}

/** The progress of one verification. */
class Run {
  readonly start = performance.now();
  readonly findings: Finding[] = [];
  readonly batch: number;
  count = 0;
  records = 0;
  entries = 0;
  total = 0;
  complete = false;
  #over = false;
  readonly #options: VerifyOptions;

  constructor(options: VerifyOptions) {
    this.#options = options;
    this.batch = options.batch ?? POLITE_BATCH;
  }

  readonly add = (finding: Finding): void => {
    this.count += 1;
    if (this.findings.length < (this.#options.keep ?? KEPT_FINDINGS)) this.findings.push(finding);
  };

  /** Whether it must end; once true it stays true. */
  isOver(): boolean {
    const { milliseconds, signal } = this.#options;
    const late = milliseconds !== undefined && performance.now() - this.start > milliseconds;
    this.#over ||= late || signal?.aborted === true;
    return this.#over;
  }

  progress(done: { readonly records?: number; readonly entries?: number }): void {
    this.records += done.records ?? 0;
    this.entries += done.entries ?? 0;
    this.#options.onProgress?.(this.records + this.entries, this.total);
  }
}

function checkOf(run: Run, checkpoint: JournalCheck['checkpoint']): JournalCheck {
  return {
    checkpoint,
    batch: run.batch,
    isOver: () => run.isOver(),
    progress: (entries) => run.progress({ entries: entries.length }),
    // Its positions are the journal's.
    add: ({ what, position, subjectId, recordId, expected, found }) =>
      run.add({ chainId: null, position, recordId, invoiceId: subjectId, what, expected, found }),
  };
}

async function verifyChain(client: Queryable, chain: VerifiedChain, run: Run): Promise<void> {
  let before: PreviousRecord | null = null;
  // The next rows are being read while these are verified.
  let next = recordsAfter(client, chain, 0, run.batch);
  for (;;) {
    const rows: BareRecord[] = await next;
    const last = rows.at(-1);
    if (last === undefined) break;
    const records = await completed(client, chain.environmentId, rows);
    next = recordsAfter(client, chain, last.position, run.batch);
    for (const record of records) before = verifyRecord(chain, record, before, run.add);
    run.progress({ records: rows.length });
    if (run.isOver()) {
      await next;
      return;
    }
  }
  verifyTail(chain, before, run.add);
}

function verifyTail(
  chain: VerifiedChain,
  last: PreviousRecord | null,
  add: (finding: Finding) => void,
): void {
  const expected = last && [
    last.position,
    last.id,
    last.fingerprint,
    last.generatedAt.toISOString(),
    last.number,
    last.issuedOn,
  ];
  const found = [
    chain.lastPosition,
    chain.lastRecordId,
    chain.lastFingerprint,
    chain.lastGeneratedAt?.toISOString() ?? null,
    chain.lastInvoiceNumber,
    chain.lastIssuedOn,
  ];
  const textOf = (tail: readonly unknown[] | null) => (tail ?? [0]).filter((part) => part !== null).join(' ');
  if (textOf(expected) === textOf(found)) return;
  add({
    chainId: chain.chainId,
    position: last?.position ?? null,
    recordId: last?.id ?? null,
    invoiceId: null,
    what: 'tail',
    expected: textOf(expected),
    found: textOf(found),
  });
}

/** Checks across chains: states without a record, invoices without one, gaps in the numbers. */
async function verifyWhole(client: Queryable, environmentId: number, run: Run): Promise<void> {
  for (const orphan of await statesWithoutRecord(client, environmentId)) {
    const found = orphan.recordId;
    run.add({ ...orphan, invoiceId: null, what: 'state_without_record', expected: null, found });
  }
  for (const { id, number } of await invoicesWithoutRecord(client, environmentId)) {
    const nowhere = { chainId: null, position: null, recordId: null };
    run.add({ ...nowhere, invoiceId: id, what: 'invoice_without_record', expected: number, found: null });
  }
  for (const finding of await verifySeries(client, environmentId)) run.add(finding);
}
