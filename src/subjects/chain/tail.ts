import { Refusal } from '../../ground/errors/refusal.ts';
import type { Day, TimeZone } from '../../ground/lib/calendar.ts';
import type { Link, SealedRecord } from './record-xml.ts';
import type { TailRow } from './store/read-tail.ts';

/** A chain as a transaction that locks its row sees it: the record that the next one follows. */
export type Tail = {
  readonly environmentId: number;
  readonly chainId: number;
  /** The issuer of the chain's records. */
  readonly nif: string;
  /** How far the environment's time is ahead of the machine's. */
  readonly clockAheadMs: number;
  /** Where the issuer's days begin: of all records, whatever they are about. */
  readonly timeZone: TimeZone;
  position: number;
  recordId: string | null;
  fingerprint: string | null;
  generatedAt: Date | null;
  invoiceNumber: string | null;
  invoiceIssuedOn: Day | null;
};

/**
 * After a restore a chain is compared with the agency within about a minute; a forked one waits for an operator.
 */
const RETRY_SECONDS = 60;

/**
 * 503 `service_unavailable` for a chain that accepts no records: held after a restore, or closed a moment ago. The
 * request is valid and nothing was stored, so the same request succeeds once the hold is over.
 */
export function chainNotOpen(): Refusal {
  return new Refusal(
    'service_unavailable',
    'Issuing is held for this company until its records have been compared with those of the tax agency.',
    { retryAfter: RETRY_SECONDS },
  );
}

/** The tail from a locked row of `chain`. */
export function tailOf(
  row: TailRow,
  { nif, clockAheadMs, timeZone }: Pick<Tail, 'nif' | 'clockAheadMs' | 'timeZone'>,
): Tail {
  return {
    environmentId: row.environment_id,
    chainId: row.id,
    nif,
    clockAheadMs,
    timeZone,
    position: row.last_position,
    recordId: row.last_record_id,
    fingerprint: row.last_fingerprint,
    generatedAt: row.last_generated_at,
    invoiceNumber: row.last_invoice_number,
    invoiceIssuedOn: row.last_invoice_issued_on,
  };
}

/** An instant of the machine's clock in the time of the tail's environment. */
export function toEnvironmentTime({ clockAheadMs }: Tail, instant: Date): Date {
  return new Date(instant.getTime() + clockAheadMs);
}

/**
 * The link of the next record: to the tail, or to nothing for the first record of the chain. `now` is in the
 * environment's time; `generatedAt` never goes back, not even when a test clock was removed.
 */
export function linkTo(tail: Tail, now: Date): Link {
  const generatedAt = tail.generatedAt !== null && tail.generatedAt > now ? tail.generatedAt : now;
  const { timeZone } = tail;
  if (tail.fingerprint === null) return { previous: null, generatedAt, timeZone };
  const reference = { nif: tail.nif, number: tail.invoiceNumber!, issuedOn: tail.invoiceIssuedOn! };
  return { previous: { reference, fingerprint: tail.fingerprint }, generatedAt, timeZone };
}

/** A row of `registration_record`, in the column names of the table. */
export type RecordRow = {
  id: string;
  environment_id: number;
  chain_id: number;
  position: number;
  kind: 'registration' | 'cancellation';
  invoice_id: string;
  previous_record_id: string | null;
  previous_fingerprint: string | null;
  fingerprint: string;
  generated_at: string;
  xml: string;
};

/** Adds a sealed record to the chain, so that it becomes the tail; returns the row to store. */
export function append(
  tail: Tail,
  record: {
    id: string;
    kind: RecordRow['kind'];
    invoiceId: string;
    invoiceNumber: string;
    invoiceIssuedOn: Day;
    sealed: SealedRecord;
    generatedAt: Date;
  },
): RecordRow {
  const row: RecordRow = {
    id: record.id,
    environment_id: tail.environmentId,
    chain_id: tail.chainId,
    position: tail.position + 1,
    kind: record.kind,
    invoice_id: record.invoiceId,
    previous_record_id: tail.recordId,
    previous_fingerprint: tail.fingerprint,
    fingerprint: record.sealed.fingerprint,
    generated_at: record.generatedAt.toISOString(),
    xml: record.sealed.xml,
  };
  tail.position = row.position;
  tail.recordId = row.id;
  tail.fingerprint = row.fingerprint;
  tail.generatedAt = record.generatedAt;
  tail.invoiceNumber = record.invoiceNumber;
  tail.invoiceIssuedOn = record.invoiceIssuedOn;
  return row;
}

/** What an update of the chain's row sets to the tail, in the column names of the table. */
export function tailColumns(tail: Tail) {
  return {
    environment_id: tail.environmentId,
    id: tail.chainId,
    last_position: tail.position,
    last_record_id: tail.recordId,
    last_fingerprint: tail.fingerprint,
    last_generated_at: tail.generatedAt?.toISOString() ?? null,
    last_invoice_number: tail.invoiceNumber,
    last_invoice_issued_on: tail.invoiceIssuedOn,
  };
}
