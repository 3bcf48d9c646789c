import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RegistrationStatus } from '../../generated/prisma/enums.ts';
import { madridDay, plusDays } from '../../src/ground/lib/calendar.ts';
import type { IssuingCaller } from '../../src/subjects/accounts/entry/caller.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { computeDayTotalsOf } from '../../src/subjects/invoices/compute-day-totals.ts';
import type { InvoiceFilter } from '../../src/subjects/invoices/filter.ts';
import { countInvoices, filteredInvoices } from '../../src/subjects/invoices/store/list.ts';
import {
  readPaymentTotals,
  readRateTotals,
  readTotals,
} from '../../src/subjects/invoices/store/read-totals.ts';
import { balance, inForce, stateRefusal } from '../../src/subjects/rectifying/family.ts';
import { loadFamilies } from '../../src/subjects/rectifying/store/read-families.ts';
import { registrationEnvelope } from '../../src/subjects/registration/aeat/envelope.ts';
import { companyNif } from '../support/agency/registration.ts';
import { agencySchemas, SCHEMAS, testSimulator, textOf } from '../support/agency/simulator.ts';
import { journalMissing } from '../support/database/journal.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany } from '../support/invoices/company.ts';
import { type History, history } from './correction-history-generator.ts';
import { type HistoryRun, runHistory } from './correction-history-runner.ts';
import { type FamilyModel, standingOf } from './family-model.ts';

/**
 * Random histories of families, run through the real operations (issuing, rectifying by both methods, voiding,
 * exchanging, returning, replacing, amending, skipping) on the real database, many at once in each of eight environments, beside a model that
 * knows nothing of the program. The agency's verdicts are set in the states; its own checks follow at the end, on all
 * that was sealed. The suite runs a few hundred, always the same;
 * `npm run simulate -- --histories 5000` runs as many as requested, different ones each time, and names the seed of those
 * that fail.
 */
const TOLD = process.env['TEST_HISTORIES'];
const HISTORIES = Number(TOLD ?? 400);
/** Of the few hundred; among them is every answer that families know. */
const SEED = 7;
const BATCH = 50;
const BATCHES = Math.ceil(HISTORIES / BATCH);
const COMPANIES = 4;
/** Histories under way at once. */
const CONCURRENCY = 16;

let service: TestService;
let callers: IssuingCaller[];
const answers = new Map<string, number>();
const allRuns: (HistoryRun & { caller: IssuingCaller })[] = [];
beforeAll(async () => {
  service = await testService();
  const companies = [];
  for (let n = 1; n <= COMPANIES; n += 1) {
    companies.push(await createCompany(service.db, { nif: companyNif(n) }));
  }
  const keys = companies.flatMap((company) => [company.test.key, company.live.key]);
  const { authenticator } = service.services;
  callers = (await Promise.all(
    keys.map((key) => authenticator.merchant(`Bearer ${key}`)),
  )) as IssuingCaller[];
});
afterAll(() => service.close());

/** Runs the histories, some at once, the next as soon as one is over. */
async function runAll(histories: readonly History[]): Promise<(HistoryRun & { caller: IssuingCaller })[]> {
  const waiting = histories.values();
  const runs: (HistoryRun & { caller: IssuingCaller })[] = [];
  const runner = async () => {
    for (const { environment, commands } of waiting) {
      const caller = callers[environment]!;
      runs.push({ ...(await runHistory(service.services, caller, commands, answers)), caller });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, runner));
  return runs;
}

type Facts = {
  id: string;
  voided: boolean;
  total: number;
  correctedBy: string | null;
  exchangedBy: string | null;
  registrations: string[];
  cancellations: string[];
};

async function factsOf(ids: readonly string[]): Promise<Map<string, Facts>> {
  const standings = (kind: string) => `
    array(select state.status::text from registration_record record
            join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
           where record.invoice_id = invoice.id and record.kind = '${kind}' order by record.position)`;
  const live = (id: string) => `not exists (select from invoice_void v where v.invoice_id = ${id})`;
  const { rows } = await service.db.pool.query<Facts>(
    `select invoice.id, invoice.total, not ${live('invoice.id')} as voided,
            (select child.id from invoice child
              where child.rectifies_id = invoice.id and ${live('child.id')}) as "correctedBy",
            (select x.exchange_id from invoice_exchange x
               join invoice given on given.id = x.exchange_id and given.reverses_id is null
              where x.ticket_id = invoice.id and ${live('x.exchange_id')}
                and not exists (select from invoice back where back.reverses_id = given.id
                                   and ${live('back.id')})) as "exchangedBy",
            ${standings('registration')} as registrations, ${standings('cancellation')} as cancellations
       from invoice where id = any($1)`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** What the model says of the invoice at a place, in the words of the database. */
function expectedFacts(model: FamilyModel, ids: readonly string[], place: number): Facts {
  const idOf = (other: number | null) => (other === null ? null : ids[other]!);
  const { voided, total, registrations, cancellations } = model.invoices[place]!;
  return {
    ...{ id: ids[place]!, voided, total, registrations, cancellations },
    ...{ correctedBy: idOf(model.correctedBy(place)), exchangedBy: idOf(model.exchangedBy(place)) },
  };
}

async function compare(runs: readonly (HistoryRun & { caller: IssuingCaller })[]): Promise<void> {
  const facts = await factsOf(runs.flatMap(({ ids }) => ids));
  const byEnvironment = Map.groupBy(runs, ({ caller }) => caller.environmentId);
  for (const [environmentId, group] of byEnvironment) {
    const ids = group.flatMap((each) => each.ids);
    const families = await loadFamilies(service.db.pool, environmentId, ids);
    for (const { model, ids } of group) {
      expect(ids).toHaveLength(model.invoices.length);
      for (const [place, id] of ids.entries()) {
        expect(facts.get(id)).toEqual(expectedFacts(model, ids, place));
        const { family } = families.get(id)!;
        expect({
          stateRefusal: stateRefusal(family)?.code ?? null,
          balance: balance(family),
          inForce: inForce(family).map((member) => member.id),
        }).toEqual({
          stateRefusal: model.stateRefusal(place),
          balance: model.balance(place),
          inForce: model.inForce(place).map((each) => ids[each]),
        });
      }
    }
  }
}

test(
  `${BATCHES * BATCH} histories end as the model predicts, every command answered as it predicts`,
  async () => {
    const batch = fc.array(history(2 * COMPANIES), { minLength: BATCH, maxLength: BATCH });
    await fc.assert(
      fc.asyncProperty(batch, async (histories) => {
        const runs = await runAll(histories);
        allRuns.push(...runs);
        await compare(runs);
      }),
      { numRuns: BATCHES, ...(TOLD === undefined && { seed: SEED }) },
    );
  },
  60_000 + HISTORIES * 60,
); // A hundred take about a second on two idle cores.

/** Whose amounts count, as the model knows it: not voided, in force at the head of its family, and not exchanged. */
function countedOf({ model, ids }: HistoryRun): string[] {
  const headOf = (place: number): number => {
    const next = model.correctedBy(place);
    return next === null ? place : headOf(next);
  };
  return ids.filter((_, place) => {
    const family = model.inForce(headOf(place));
    const isExchanged = family.some((each) => model.exchangedBy(each) !== null);
    return !model.invoices[place]!.voided && family.includes(place) && !isExchanged;
  });
}

type Sums = { subtotal: number; tax: number; total: number };
const sumsOf = (rows: readonly Sums[]): Sums =>
  rows.reduce(
    (sums, row) => ({
      subtotal: sums.subtotal + row.subtotal,
      tax: sums.tax + row.tax,
      total: sums.total + row.total,
    }),
    { subtotal: 0, tax: 0, total: 0 },
  );

test('totals are what the lines of all that counts add up to, to the cent, however they are grouped', async () => {
  const filter = { inForce: true };
  for (const [environmentId, group] of Map.groupBy(allRuns, ({ caller }) => caller.environmentId)) {
    const counted = group.flatMap(countedOf);
    const { rows: lines } = await service.db.pool.query<Sums & { id: string }>(
      'select invoice_id as id, subtotal, tax, total from invoice_line where environment_id = $1 and invoice_id = any($2)',
      [environmentId, counted],
    );
    const expected = { count: counted.length, ...sumsOf(lines) };
    const payments: unknown[] = [];
    const ofTypes: unknown[] = [];
    // From all invoices, and then from the sums of their days.
    for (const isAddedUp of [false, true]) {
      if (isAddedUp)
        await computeDayTotalsOf(service.db, environmentId, { before: plusDays(madridDay(new Date()), 1) });
      for (const groupBy of [[], ['MONTH'], ['KIND', 'TAX_RATE'], ['RECIPIENT', 'SERIES']] as const) {
        const totals = await readTotals(service.db.pool, environmentId, { filter, groupBy, max: 1_000 });
        const count = totals.reduce((sum, total) => sum + total.count, 0);
        expect({ count, ...sumsOf(totals) }).toEqual(expected);
        const rates = await readRateTotals(service.db.pool, environmentId, { filter, groupBy, max: 1_000 });
        expect(rates.reduce((sum, { base }) => sum + base, 0)).toBe(expected.subtotal);
        expect(rates.reduce((sum, { amount }) => sum + amount, 0)).toBe(expected.tax);
      }
      for (const types of [['simplified'], ['complete']] as const)
        for (const groupBy of [[], ['MONTH', 'TAX_RATE'], ['RECIPIENT', 'KIND']] as const) {
          const sums = { filter: { ...filter, types }, groupBy, max: 1_000 };
          const { pool } = service.db;
          ofTypes.push(
            await readTotals(pool, environmentId, sums),
            await readRateTotals(pool, environmentId, sums),
          );
        }
      const [paid] = await readPaymentTotals(service.db.pool, environmentId, { filter, groupBy: [] });
      payments.push({ paid: paid!.paid, due: paid!.due });
    }
    expect(payments[1]).toEqual(payments[0]);
    const half = ofTypes.length / 2;
    expect(ofTypes.slice(half)).toEqual(ofTypes.slice(0, half));
  }
});

test('lists by status and by whether they count contain what the model predicts, in the order of issue', async () => {
  const order = { field: 'ISSUED_AT', direction: 'DESC' } as const;
  const stretch = { order, size: 100_000, backwards: false, after: null, before: null };
  const { pool } = service.db;
  for (const [environmentId, group] of Map.groupBy(allRuns, ({ caller }) => caller.environmentId)) {
    const { rows: issued } = await pool.query<{ id: string }>(
      'select id from invoice where environment_id = $1 order by issued_at desc, id desc',
      [environmentId],
    );
    const list = async (filter: InvoiceFilter) =>
      (await filteredInvoices(pool, environmentId, filter, stretch)).map(({ id }) => id);
    const inOrder = (ids: ReadonlySet<string>) => issued.flatMap(({ id }) => (ids.has(id) ? [id] : []));
    expect(await list({ inForce: true })).toEqual(inOrder(new Set(group.flatMap(countedOf))));
    for (const filter of [{ inForce: false }, { statuses: ['voided'] }, { inForce: true }] as const)
      expect(await countInvoices(pool, environmentId, filter, 100_000)).toBe((await list(filter)).length);
    const facts = await factsOf(group.flatMap(({ ids }) => ids));
    for (const status of Object.values(RegistrationStatus)) {
      const stand = [...facts.values()].filter(({ registrations }) => standingOf(registrations) === status);
      const expected = inOrder(new Set(stand.map(({ id }) => id)));
      expect(await list({ registrationStatuses: [status] }), status).toEqual(expected);
      const count = await countInvoices(pool, environmentId, { registrationStatuses: [status] }, 100_000);
      expect(count, status).toBe(expected.length);
    }
  }
});

test('every answer about families was given', () => {
  const codes = [
    ...['invoice_already_voided', 'invoice_is_canje', 'invoice_has_live_canje', 'invoice_already_replaced'],
    ...['invoice_not_family_tip', 'invoice_pending_at_aeat', 'invoice_not_rectifiable_at_aeat'],
    ...[
      'upgrade_to_complete_not_allowed',
      'downgrade_to_simplified_not_allowed',
      'replacement_total_negative',
    ],
    ...['family_balance_below_zero', 'external_id_already_used', 'invalid_request'],
  ];
  const commands = ['issue', 'rectify', 'void', 'exchange', 'return', 'replace', 'amend', 'skip'];
  const done = commands.map((command) => `${command} done`);
  expect(
    [...answers]
      .filter(([, count]) => count >= HISTORIES / 250)
      .map(([answer]) => answer)
      .sort(),
  ).toEqual([...codes, ...done, 'settle done'].sort());
});

describe('afterwards', () => {
  test('chains are whole, every fingerprint is the one of its texts, and no series has a gap', async () => {
    for (const { environmentId } of callers) {
      // The runner sets the outcome of a record directly, not through the service.
      await journalMissing(service.db, environmentId);
      const verification = await verifyEnvironment(service.db.pool, environmentId);
      expect(verification).toMatchObject({ findings: [], complete: true });
      expect(verification!.records).toBeGreaterThan(HISTORIES / 20);
    }
  });

  type SealedRow = { xml: string; status: string };
  const sealed = async ({ environmentId }: IssuingCaller): Promise<SealedRow[]> => {
    const { rows } = await service.db.pool.query<SealedRow>(
      `select record.xml, state.status::text from registration_record record
         join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
        where record.environment_id = $1 order by record.position`,
      [environmentId],
    );
    return rows;
  };
  const envelopes = ({ issuer }: IssuingCaller, records: readonly SealedRow[]): string[] =>
    Array.from({ length: Math.ceil(records.length / 1_000) }, (_, index) => {
      const part = records.slice(index * 1_000, (index + 1) * 1_000).map(({ xml }) => xml);
      return registrationEnvelope(issuer, part, false);
    });

  if (SCHEMAS === undefined) {
    console.warn(
      '\n!!! AEAT_SCHEMAS is not set: records are NOT checked against the schema of the agency.\n',
    );
  }
  test.skipIf(SCHEMAS === undefined)('all records are valid by the schema of the agency', async () => {
    for (const caller of callers) {
      for (const envelope of envelopes(caller, await sealed(caller))) {
        expect(agencySchemas()!.check('SuministroLR', envelope)).toEqual([]);
      }
    }
  });

  test('the simulated agency accepts every record that the service counts as accepted, with its flags', async () => {
    const simulator = await testSimulator({ schemas: undefined });
    // Numbers are the same in both environments of a company: only one of them can be of one agency.
    for (const caller of callers.filter(({ environment }) => environment === 'live')) {
      const records = await sealed(caller);
      const left = records.filter(({ status }) => status !== 'rejected' && status !== 'skipped');
      expect(left.length).toBeGreaterThan(HISTORIES / 20);
      for (const envelope of envelopes(caller, left)) {
        const { text } = await simulator.post(envelope);
        expect(textOf(text, 'EstadoEnvio')).toBe('Correcto');
      }
    }
    await simulator.stop();
  });
});
