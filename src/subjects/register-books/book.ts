import { Readable } from 'node:stream';
import type { Db } from '../../ground/db/client.ts';
import type { Standby } from '../../ground/db/standby/standby.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import {
  type Day,
  endOfDay,
  isExistingDay,
  plusDays,
  startOfDay,
  type TimeZone,
} from '../../ground/lib/calendar.ts';
import type { OpenRegister } from '../invoices/store/read-register.ts';
import { csvOf } from './csv.ts';
import type { BookRow } from './layout.ts';
import { BOOK_LIMITS } from './limits.ts';
import { type Activity, rowsOf } from './rows.ts';
import { openSteadyRegister } from './steady-register.ts';
import type { BookFormat } from './types.ts';
import { xlsxOf } from './xlsx.ts';

/** The requested book: the invoices that were issued on these days where the issuer is, the last one included. */
export type BookRequest = {
  readonly from: Day;
  readonly to: Day;
  readonly format: BookFormat;
  /** The notation of callers: A036533 for code A, type 03, group 6533; null leaves the columns empty. */
  readonly activity: string | null;
};

const ACTIVITY = /^([A-D])(?:(0[1-6])([0-9]{1,4})?)?$/;

/**
 * Why there is no such book, or null: `invalid_request` for a period that ends before it begins, is longer than a
 * year or begins after the environment's `today`, or for a malformed activity.
 */
export function refusalOfBook({ from, to, activity }: BookRequest, today: Day) {
  const days = BOOK_LIMITS.bookDays.value;
  for (const [field, day] of Object.entries({ from, to })) {
    if (!isExistingDay(day)) return invalidField(field, 'invalid_type', 'must be a day, YYYY-MM-DD');
  }
  if (to < from) return invalidField('to', 'out_of_range', 'must not be before the first day');
  if (to > plusDays(from, days - 1)) return invalidField('to', 'too_big', `makes more than ${days} days`);
  if (from > today) return invalidField('from', 'out_of_range', 'must not be after today');
  if (activity !== null && !ACTIVITY.test(activity)) {
    const detail = 'must be code, type and group of the activity, such as A036533';
    return invalidField('activity', 'invalid_value', detail);
  }
  return null;
}

function activityOf(text: string | null): Activity | null {
  const [, code = '', type = '', group = ''] = (text !== null && ACTIVITY.exec(text)) || [];
  return code === '' ? null : { code, type, group };
}

const MEDIA_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<BookFormat, string>;

/** The name and media type of a book. */
export function fileOf({ from, to, format }: BookRequest) {
  return { filename: `facturas-expedidas-${from}-${to}.${format}`, mediaType: MEDIA_TYPES[format] };
}

/** A book being written: the number of invoices, and the bytes of the file. Closed by destroying the stream. */
export type Book = { readonly invoices: number; readonly bytes: Readable };

/** Invoices that are in memory at a time: some milliseconds of work, after which it yields. */
const BATCH = 100;

/**
 * The register book of a period, written while it is read, as of one instant, in constant memory; from the standby
 * when that has everything, and from the primary if it fails in the middle. Refuses like `refusalOfBook`. It is aborted when it takes longer than allowed: the
 * stream then fails, and the file is incomplete.
 */
export async function registerBook(
  services: { readonly db: Pick<Db, 'pool'>; readonly standby: Standby | null },
  environmentId: number,
  request: BookRequest & { readonly today: Day; readonly timeZone: TimeZone },
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Outcome<Book>> {
  const refusal = refusalOfBook(request, request.today);
  if (isRefusal(refusal)) return refusal;
  const { timeZone } = request;
  const [from, before] = [startOfDay(timeZone, request.from), endOfDay(timeZone, request.to)];
  const period = { environmentId, from, before };
  const register = await openSteadyRegister(services, period);
  const pages = pagesOf(register, activityOf(request.activity), onProgress);
  const bytes = Readable.from(request.format === 'csv' ? csvOf(pages) : xlsxOf(pages));
  const late = setTimeout(
    () => bytes.destroy(new Error('the register book was not read in time')),
    BOOK_LIMITS.bookTime.value,
  );
  late.unref();
  // The reader gets the failure from the stream; without a reader it must not be an unhandled rejection.
  bytes.on('error', () => {});
  bytes.once('close', () => {
    clearTimeout(late);
    void register.close();
  });
  return { invoices: register.count, bytes };
}

async function* pagesOf(
  register: OpenRegister,
  activity: Activity | null,
  onProgress: (done: number, total: number) => void,
): AsyncGenerator<BookRow[]> {
  for (let done = 0; ; ) {
    const page = await register.next(BATCH);
    if (page.length === 0) return;
    yield page.flatMap((invoice) => rowsOf(invoice, activity));
    done += page.length;
    onProgress(done, register.count);
  }
}
