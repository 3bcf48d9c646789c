import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import type { Db } from '../../ground/db/client.ts';
import { readFromStandby } from '../../ground/db/standby/read-from.ts';
import type { Standby } from '../../ground/db/standby/standby.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import {
  type Day,
  endOfMadridDay,
  isExistingDay,
  madridDay,
  plusDays,
  startOfMadridDay,
} from '../../ground/lib/calendar.ts';
import { givingWay } from '../../ground/lib/give-way.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import { type OpenRegister, openRegister } from '../invoices/store/read-register.ts';
import { csvOf } from './csv.ts';
import type { BookRow } from './layout.ts';
import { type Activity, rowsOf } from './rows.ts';
import type { BookFormat } from './types.ts';
import { xlsxOf } from './xlsx.ts';

/** Which book: the invoices that were issued on these days of Madrid, the last one included. */
export type BookRequest = {
  readonly from: Day;
  readonly to: Day;
  readonly format: BookFormat;
  /** As callers write it: A036533 for code A, type 03, group 6533; null leaves the columns empty. */
  readonly activity: string | null;
};

const ACTIVITY = /^([A-D])(?:(0[1-6])([0-9]{1,4})?)?$/;

/**
 * Why there is no such book, or null: `invalid_request` about a period that ends before it begins, is longer than a year
 * or begins after today (`now` in the environment's own time), or about an activity that is not written like one.
 */
export function refusalOfBook({ from, to, activity }: BookRequest, now: Date) {
  const days = LIMITS.bookDays.value;
  for (const [field, day] of Object.entries({ from, to })) {
    if (!isExistingDay(day)) return invalidField(field, 'invalid_type', 'must be a day, YYYY-MM-DD');
  }
  if (to < from) return invalidField('to', 'out_of_range', 'must not be before the first day');
  if (to > plusDays(from, days - 1)) return invalidField('to', 'too_big', `makes more than ${days} days`);
  if (from > madridDay(now)) return invalidField('from', 'out_of_range', 'must not be after today');
  if (activity !== null && !ACTIVITY.test(activity)) {
    const how = 'must be code, type and group of the activity, such as A036533';
    return invalidField('activity', 'invalid_value', how);
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

/** What a book is called and is. */
export function fileOf({ from, to, format }: BookRequest) {
  return { filename: `facturas-expedidas-${from}-${to}.${format}`, mediaType: MEDIA_TYPES[format] };
}

/** A book under way: how many invoices there are, and the bytes of the file. Closed by destroying the stream. */
export type Book = { readonly invoices: number; readonly bytes: Readable };

/** Invoices that are in memory at a time: some milliseconds of work, after which others have their turn. */
const BATCH = LIMITS.bookInvoicesAtOnce.value;
/** The pause after them, in milliseconds: about twice what reading them takes on a machine that is not busy. */
const LONGEST_PAUSE = 20;

/**
 * The register book of a period, made while it is read, as of one instant, in memory that does not grow with it; from the standby where it has
 * everything. Refuses like `refusalOfBook`. It is given up when it takes longer than a book may: the stream then fails,
 * and what was read is no whole file.
 */
export async function registerBook(
  services: { readonly db: Pick<Db, 'pool'>; readonly standby: Standby | null },
  environmentId: number,
  wanted: BookRequest & { readonly now: Date },
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Outcome<Book>> {
  const refusal = refusalOfBook(wanted, wanted.now);
  if (isRefusal(refusal)) return refusal;
  const period = { environmentId, from: startOfMadridDay(wanted.from), before: endOfMadridDay(wanted.to) };
  const register = await readFromStandby(services, environmentId, ({ pool }) => openRegister(pool, period));
  const pages = pagesOf(register, activityOf(wanted.activity), onProgress);
  const bytes =
    wanted.format === 'csv'
      ? Readable.from(csvOf(pages))
      : Readable.fromWeb(xlsxOf(pages) as WebStream<Uint8Array>);
  const late = setTimeout(
    () => bytes.destroy(new Error('the register book was not read in time')),
    LIMITS.bookTime.value,
  );
  late.unref();
  // Whoever reads is told of a failure; where nobody does, it is nobody's.
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
    const page = await givingWay(() => register.next(BATCH), LONGEST_PAUSE);
    if (page.length === 0) return;
    yield page.flatMap((invoice) => rowsOf(invoice, activity));
    done += page.length;
    onProgress(done, register.count);
  }
}
