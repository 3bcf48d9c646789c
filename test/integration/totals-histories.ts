import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { madridDay, startOfMadridDay } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { importInvoices } from '../../src/subjects/importing/import-invoices.ts';
import { computeDayTotalsOf } from '../../src/subjects/invoices/compute-day-totals.ts';
import type { InvoiceFilter } from '../../src/subjects/invoices/filter.ts';
import {
  readPaymentTotals,
  readRateTotals,
  readTotals,
} from '../../src/subjects/invoices/store/read-totals.ts';
import type { TotalGroup } from '../../src/subjects/invoices/totals-query.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { ANA, differences, operatorOf, substitution } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOldInvoice, importFiles } from '../support/invoices/old-invoices.ts';

/** What may happen to the invoices of an environment whose totals are added up, and what these come to. */

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
/** No invoice has less, and daily sums cannot tell: all invoices are read. */
export const OF_ALL = { totalFrom: -1_000_000_000 };
/** Beyond every invoice. */
const NEVER = new Date('2100-01-01T00:00:00Z');

let files: ReturnType<typeof importFiles>;
export let service: TestService;
export let operator: Awaited<ReturnType<typeof operatorOf>>;
export let environmentId: number;
export const issued: { id: string; type: string }[] = [];
const payments: { invoice: string; id: string }[] = [];
let imported = 0;

/** Starts a service for the tests of the file that calls it: what is exported here is its. */
export function startTotalsHistories(): void {
  beforeAll(async () => {
    // In the first hour of a day the one before is not added up yet: a late server may still issue on it.
    clock.shift((36 * HOUR_MS - (clock.now().getTime() - startOfMadridDay(inDays(0)).getTime())) % DAY_MS);
    files = importFiles();
    [issued.length, payments.length, imported] = [0, 0, 0];
    service = await testService();
    operator = await operatorOf(service);
    ({ environmentId } = service.company.test);
  });
  afterAll(async () => {
    clock.reset();
    await service?.close();
    files.remove();
  });
}

const key = () => service.company.test.key;
export const inDays = (days: number) => madridDay(new Date(clock.now().getTime() + days * DAY_MS));
const pick = <T>(all: readonly T[], which: number): T | undefined => all[which % Math.max(all.length, 1)];

export async function issue(body: object): Promise<void> {
  const answer = await service.call('POST', '/v1/invoices', { body, key: key() });
  if (answer.status === 201) issued.push(answer.body);
}

/** A ticket, or an invoice with or without a due day. */
function issueAny(which: number): Promise<void> {
  if (which % 3 === 0) return issue(aSimplifiedInvoice());
  const lines = [aLine({ quantity: 1, unit_amount: 10_000 + which })];
  return issue(aCompleteInvoice({ line_items: lines, ...(which % 3 === 1 && { due_date: inDays(30) }) }));
}

/** What may happen to an environment's invoices, those at random places; what is refused changes nothing. */
export const ACTS = {
  issue: issueAny,
  pay: async (which: number) => {
    const invoice = pick(issued, which);
    if (invoice === undefined) return;
    const body = { amount: 100 + which, paid_on: inDays(0) };
    const answer = await service.call('POST', `/v1/invoices/${invoice.id}/payments`, { body, key: key() });
    if (answer.status === 201) payments.push({ invoice: invoice.id, id: answer.body.id });
  },
  removePayment: async (which: number) => {
    const payment = pick(payments, which);
    if (payment === undefined) return;
    await service.call('DELETE', `/v1/invoices/${payment.invoice}/payments/${payment.id}`, { key: key() });
  },
  credit: async (which: number) => {
    const invoice = pick(issued, which);
    if (invoice !== undefined) await issue(differences(invoice, -10 - which));
  },
  substitute: async (which: number) => {
    const invoice = pick(issued, which);
    if (invoice !== undefined) await issue(substitution(invoice, 5_000 + which));
  },
  void: async (which: number) => {
    const invoice = pick(issued, which);
    if (invoice !== undefined) await operator.voidInvoice(invoice.id);
  },
  exchange: async (which: number) => {
    const tickets = issued.filter(({ type }) => type === 'simplified');
    const ticket = pick(tickets, which);
    if (ticket === undefined) return;
    const { data } = await operator.exchangeInvoices({ ticketIds: [ticket.id], recipient: ANA });
    if (data?.result) issued.push({ id: data.result.id, type: 'complete' });
  },
  /** Some of a day that has been added up, and some with a due day. */
  import: async (which: number) => {
    const days = which % 2 === 0 ? 400 : 1;
    const row = anOldInvoice(`OLD-${++imported}`, {
      issued_at: `${inDays(-days)}T12:00:00+01:00`,
      ...(which % 3 === 0 && { due_date: inDays(10) }),
      line_items: [aLine({ unit_amount: 700 })],
    });
    const file = files.jsonLines([row]);
    const done = await importInvoices(service.db, { environmentId, file, actor: 'opk_1' });
    if (isRefusal(done)) throw new Error(done.detail);
  },
  laterToday: async (which: number) => {
    clock.shift(DAY_MS / 12);
    await issueAny(which);
  },
  nextDay: async (which: number) => {
    clock.shift(DAY_MS);
    await issueAny(which);
  },
  addUpDays: () => computeDayTotalsOf(service.db, environmentId),
} as const satisfies Record<string, (which: number) => Promise<void>>;

const NAMES = Object.keys(ACTS) as (keyof typeof ACTS)[];

const GROUPINGS = [[], ['SERIES', 'KIND'], ['MONTH'], ['QUARTER', 'KIND'], ['RECIPIENT', 'MONTH']] as const;

export async function totalsOf(
  filter: InvoiceFilter,
  groupings: readonly (readonly TotalGroup[])[] = GROUPINGS,
) {
  const found: unknown[] = [];
  for (const groupBy of groupings) {
    const sums = { filter: { ...filter, inForce: true }, groupBy, max: 1_000 };
    const { pool } = service.db;
    const rows = await readPaymentTotals(pool, environmentId, sums);
    // A group for invoices none of which counts may be there or not.
    found.push(rows.filter(({ paid, due }) => paid !== 0 || due !== 0));
    found.push(await readTotals(pool, environmentId, sums), await readRateTotals(pool, environmentId, sums));
    const byRate = { ...sums, groupBy: [...groupBy, 'TAX_RATE'] as const };
    found.push(await readTotals(pool, environmentId, byRate));
  }
  return found;
}

async function expectSame(what: string): Promise<void> {
  const groupings = [['SERIES', 'KIND']] as const;
  expect(await totalsOf({}, groupings), what).toEqual(await totalsOf(OF_ALL, groupings));
  const [finer, types] = [[['RECIPIENT']], ['simplified']] as const;
  expect(await totalsOf({}, finer), what).toEqual(await totalsOf(OF_ALL, finer));
  expect(await totalsOf({ types }, groupings), what).toEqual(await totalsOf({ ...OF_ALL, types }, groupings));
}

export async function expectSameHoweverAsked(): Promise<void> {
  const startOfDay = startOfMadridDay(inDays(-1));
  const types = ['complete'] as const;
  const beforeMonths = { issuedFrom: startOfMadridDay(inDays(-400)) };
  const periods = [{}, { issuedFrom: startOfDay }, { issuedBefore: startOfDay }, beforeMonths];
  for (const filter of periods.flatMap((period) => [period, { ...period, types }]))
    expect(await totalsOf(filter)).toEqual(await totalsOf({ ...filter, ...OF_ALL }));
  // From single invoices: those out of force are collected, or each is looked up.
  const byRecipient = [['RECIPIENT']] as const;
  const few = { ...OF_ALL, issuedFrom: startOfMadridDay(inDays(-90)) };
  expect(await totalsOf(few, byRecipient)).toEqual(
    await totalsOf({ ...few, issuedBefore: NEVER }, byRecipient),
  );
}

const act = fc.record({ name: fc.constantFrom(...NAMES), which: fc.nat(400) });

/** Lets random histories happen, and compares the totals after each act. */
export async function expectSameInHistories(options: {
  readonly numRuns: number;
  readonly seed: number;
}): Promise<void> {
  const histories = fc.array(act, { minLength: 25, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(histories, async (acts) => {
      // There is something of everything before.
      for (const name of ['issue', 'pay', 'nextDay', 'addUpDays'] as const) await ACTS[name](issued.length);
      for (const { name, which } of acts) {
        await ACTS[name](which);
        await expectSame(`${name} ${which}`);
      }
      await expectSameHoweverAsked();
    }),
    { ...options, endOnFailure: true },
  );
}

export async function asOwner(statement: string): Promise<void> {
  const client = await service.owner.connect();
  try {
    await client.query(`begin; set local session_replication_role = replica; ${statement}; commit`);
  } finally {
    client.release();
  }
}
