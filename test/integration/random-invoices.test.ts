import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { madridDay, plusDays } from '../../src/ground/lib/calendar.ts';
import type { IssuingCaller } from '../../src/subjects/accounts/entry/caller.ts';
import { readRecord } from '../../src/subjects/chain/read-record.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import type { StoredInvoice } from '../../src/subjects/invoices/rows.ts';
import { readTotals } from '../../src/subjects/invoices/store/read-totals.ts';
import { issueInvoice } from '../../src/subjects/issuing/issue-invoice.ts';
import { invoiceRequest } from '../../src/subjects/issuing/request.ts';
import { createSeries } from '../../src/subjects/number-series/manage-series.ts';
import { rulesOf } from '../../src/subjects/rectifying/rules-of.ts';
import { registrationEnvelope } from '../../src/subjects/registration/aeat/envelope.ts';
import { seeded } from '../simulation/random.ts';
import { companyNif } from '../support/agency/registration.ts';
import { SCHEMAS, testSimulator, textOf } from '../support/agency/simulator.ts';
import { journalMissing } from '../support/database/journal.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany } from '../support/invoices/company.ts';
import { bookOf, disagreements, type Row } from './issued-amounts.ts';
import { correctsOtherThanOne } from './random-corrections.ts';
import { exchangeAtRandom } from './random-exchanges.ts';
import { type Correctable, type IssuerSeries, RECIPIENTS, randomRequest } from './random-requests.ts';

/**
 * Random invoices that mix all that one may carry (withheld income tax, disbursements, decimals, gross prices, the equivalence surcharge,
 * classifications of lines, other issuers, discounts, due dates, references, corrections by both methods, of corrections and of invoices of other
 * systems, exchanges with returns and replacements), issued by the real operations of companies in both time zones. Then the
 * agency's schema and validations look at every record, and the amounts of each are compared wherever they can be read. The suite issues
 * some, always the same; `npm run simulate -- --invoices 10000` as many as it is told: requests are made until so many are issued.
 */
const TOLD = process.env['TEST_INVOICES'];
const INVOICES = Number(TOLD ?? 320);
/** The first seed: a multiple of the companies, so that a long run may be cut into several. */
const FROM = Number(process.env['TEST_INVOICES_FROM'] ?? 0);
/** Of a count of one’s own, of which invoices the paper is read too: that takes ten times as long as all the rest. */
const PRINTED_EACH = TOLD === undefined ? 1 : 10;
const TIMEOUT_MS = Math.max(300_000, INVOICES * 400);
const COMPANIES = 4;
/** On the mainland and on the Canary Islands, an hour behind it. */
const SEATS = [
  { line1: 'Calle Mayor 1', postalCode: '28001', city: 'Madrid' },
  { line1: 'Calle Triana 1', postalCode: '35002', city: 'Las Palmas de Gran Canaria' },
];

/** What a random invoice may be refused for. */
const EXPECTED_REFUSALS = new Set([
  // A tax that rounds to nothing, or more than twelve groups.
  'invalid_tax_data',
  'simplified_amount_exceeded',
  'family_balance_below_zero',
  'replacement_total_negative',
]);

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const shown = (counts: ReadonlyMap<string, number>) => JSON.stringify(Object.fromEntries(counts));
const print = (what: string) => TOLD !== undefined && console.log(what);

/** Rates and surcharges that no invoice of today bears. */
const EARLIER = new Set([500, 62, 200, 26, 750, 100]);

/** What the invoices are to mix. */
const MIXED: Readonly<Record<string, (one: StoredInvoice) => boolean>> = {
  withholding: ({ invoice }) => invoice.withholding_rate !== null,
  withheldCorrection: ({ invoice }) => invoice.withholding_rate !== null && invoice.rectifies_id !== null,
  displayCurrency: ({ invoice }) => invoice.display_currency !== null,
  disbursements: ({ invoice }) => invoice.disbursed_amount !== null,
  qualified: ({ invoice }) => invoice.qualified_simplified === true,
  unidentified: ({ invoice }) => invoice.recipient_unidentified === true,
  thirdParty: ({ invoice }) => invoice.issued_by === 'third_party',
  selfBilling: ({ invoice }) => invoice.issued_by === 'recipient',
  partOfTheNet: ({ invoice }) =>
    invoice.withholding_base !== null && invoice.withholding_base !== invoice.subtotal,
  namesApart: ({ invoice }) => invoice.recipient_surnames !== null,
  classified: ({ taxItems }) => taxItems.some(({ regime_key: key }) => key != null),
  earlierRates: ({ taxItems }) =>
    taxItems.some(({ type, rate_basis_points: rate }) => type === 'vat' && EARLIER.has(rate)),
  surchargeOfEarlierRates: ({ taxItems }) =>
    taxItems.some(
      ({ type, rate_basis_points: rate }) => type === 'es_recargo_equivalencia' && EARLIER.has(rate),
    ),
  surcharge: ({ taxItems }) => taxItems.some(({ type }) => type === 'es_recargo_equivalencia'),
  surchargeOfGross: ({ lines, taxItems }) =>
    lines.some(({ unit_amount_gross: gross }) => gross !== null) &&
    taxItems.some(({ type }) => type === 'es_recargo_equivalencia'),
  grossPrices: ({ lines }) => lines.some(({ unit_amount_gross: gross }) => gross !== null),
  decimals: ({ lines }) => lines.some(({ quantity_decimal: quantity }) => quantity !== null),
  units: ({ lines }) => lines.some(({ unit }) => unit !== null),
  discounts: ({ lines }) => lines.some(({ unit_amount: amount }) => amount < 0),
  dueDate: ({ invoice }) => invoice.due_date !== null,
  payment: ({ invoice }) => invoice.payment !== null,
  references: ({ invoice }) => invoice.references !== null,
  delivery: ({ invoice }) => invoice.delivery !== null,
  language: ({ invoice }) => invoice.language !== null,
  metadata: ({ metadata }) => metadata !== null,
  tickets: ({ invoice }) => invoice.type === 'simplified',
  differences: ({ invoice }) => invoice.kind === 'rectifying_differences',
  substitution: ({ invoice }) => invoice.kind === 'rectifying_substitution',
  correctedCorrections: ({ invoice }) => corrections.has(invoice.rectifies_id ?? ''),
};
/** The ids of all that correct something. */
const corrections = new Set<string>();

let service: TestService;
let callers: IssuingCaller[];
/** Those of other issuers in each company. */
let series: IssuerSeries[];
const issued = new Map<number, StoredInvoice[]>();
const refused = new Map<string, number>();
const notExchanged = new Map<string, number>();
const count = (counts: Map<string, number>, code: string) => counts.set(code, (counts.get(code) ?? 0) + 1);

beforeAll(async () => {
  service = await testService();
  callers = await Promise.all(
    Array.from({ length: COMPANIES }, async (_, n) => {
      const company = await createCompany(service.db, { nif: companyNif(n + 1), address: SEATS[n % 2]! });
      return (await service.services.authenticator.merchant(`Bearer ${company.live.key}`)) as IssuingCaller;
    }),
  );
  series = await Promise.all(
    callers.map(async (caller) => ({
      thirdParty: await openSeries(caller, 'GESTORIA'),
      ofRecipients: await Promise.all(RECIPIENTS.map((_, n) => openSeries(caller, `AUTO${n}-`))),
    })),
  );
});
afterAll(() => service.close());

async function openSeries({ environmentId }: IssuingCaller, prefix: string): Promise<string> {
  const request = { prefix, type: 'standard' as const, yearly: true };
  const created = await createSeries(service.db, environmentId, request, { key: null, sent: null });
  if (isRefusal(created.outcome)) throw new Error(created.outcome.detail);
  return created.outcome.id;
}

async function issueOne(seed: number): Promise<void> {
  const dice = seeded(seed);
  const caller = callers[seed % COMPANIES]!;
  const own = issued.get(caller.environmentId) ?? [];
  issued.set(caller.environmentId, own);
  const original = dice.chance(0.2) && own.length > 0 ? own[dice.integer(0, own.length - 1)]! : null;
  const corrects = original === null ? null : correctable(original);
  if (corrects !== null) await settle(corrects.id);
  const method = dice.chance(0.5) ? ('differences' as const) : ('substitution' as const);
  const name = `r${seed}`;
  const sent = randomRequest(dice, name, corrects && { ...corrects, method }, series[seed % COMPANIES]!);
  const free = corrects === null ? { own, corrected } : null;
  const { request: drawn, ids } = correctsOtherThanOne(dice, name, sent, free);
  for (const id of ids) await settle(id);
  const request = invoiceRequest.parse(drawn);
  const { outcome } = await issueInvoice(service.services, caller, request, {
    ...{ key: null, sent: null, sign: () => '' },
    check: rulesOf(request),
  });
  if (isRefusal(outcome)) count(refused, outcome.code);
  else {
    own.push(outcome.stored);
    if (corrects !== null) corrections.add(outcome.stored.invoice.id);
  }
}

/** Exchanges some of the tickets that nothing has corrected. */
async function exchangeSome(seed: number): Promise<void> {
  const dice = seeded(-seed - 1);
  const caller = callers[seed % COMPANIES]!;
  const own = issued.get(caller.environmentId) ?? [];
  const [first, ...more] = own
    .filter(({ invoice }) => invoice.type === 'simplified' && invoice.kind === 'original')
    .filter(({ invoice }) => !corrected.has(invoice.id))
    .slice(-dice.integer(1, 3));
  if (first === undefined || !dice.chance(0.05)) return;
  for (const { invoice } of [first, ...more]) corrected.add(invoice.id);
  const refused = (code: string) => count(notExchanged, code);
  await exchangeAtRandom(dice, [first, ...more], { services: service.services, caller, settle, refused });
}

/** Those that nobody else corrects at the same time. */
function correctable({ invoice }: StoredInvoice): Omit<Correctable, 'method'> | null {
  const { id, type, recipient_tax_id_type: taxIdType } = invoice;
  const form = invoice.qualified_simplified
    ? 'qualified'
    : invoice.recipient_unidentified
      ? 'unidentified'
      : 'plain';
  if (corrected.has(id) || invoice.rectifies_ids !== null) return null;
  corrected.add(id);
  return { id, type, form, isSpanish: taxIdType === 'es_nif' };
}
const corrected = new Set<string>();

/** Lets the agency have taken it: what is under way there cannot be corrected. */
async function settle(invoiceId: string): Promise<void> {
  await service.db.pool.query(
    `update record_state state set status = 'registered', attempts = 1, settled_at = now()
       from registration_record record
      where record.invoice_id = $1 and record.environment_id = state.environment_id and record.id = state.record_id`,
    [invoiceId],
  );
}

const issuedBy = (company: number) => issued.get(callers[company]!.environmentId)?.length ?? 0;
const issuedCount = () => sum([...issued.values()].map((own) => own.length));

test(
  `until ${INVOICES} are issued, random invoices are refused by the rules that they may break alone`,
  async () => {
    let requests = 0;
    // One after another in each company: what a request corrects is drawn from what was issued there before it.
    const worker = async (company: number) => {
      const ofOne = Math.ceil(INVOICES / COMPANIES);
      const last = FROM + 2 * INVOICES;
      for (let seed = FROM + company; issuedBy(company) < ofOne && seed < last; seed += COMPANIES) {
        requests += 1;
        await issueOne(seed);
        await exchangeSome(seed);
      }
    };
    await Promise.all(Array.from({ length: COMPANIES }, (_, company) => worker(company)));
    print(
      `Seeds from ${FROM}: ${issuedCount()} of ${requests} requests issued; refused: ${shown(refused)}, of exchanges ${shown(notExchanged)}`,
    );
    expect([...refused.keys()].filter((code) => !EXPECTED_REFUSALS.has(code))).toEqual([]);
    expect(
      [...notExchanged.keys()].filter((code) => code !== 'invalid_request' && !EXPECTED_REFUSALS.has(code)),
    ).toEqual([]);
    expect(issuedCount()).toBeGreaterThanOrEqual(INVOICES);
    expect(requests).toBeLessThan(INVOICES / 0.8);
  },
  TIMEOUT_MS,
);

test('between them they carry all that is mixed', () => {
  const carried = new Map(Object.keys(MIXED).map((name) => [name, 0]));
  for (const one of [...issued.values()].flat()) {
    for (const [name, carries] of Object.entries(MIXED)) {
      if (carries(one)) carried.set(name, carried.get(name)! + 1);
    }
  }
  print(shown(carried));
  expect([...carried.values()].filter((count) => count === 0)).toEqual([]);
});

const TEN_TO_12 = 1_000_000_000_000n;
const millionths = (decimal: string): bigint => {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(decimal)!;
  return BigInt(`${sign}${whole}${part.padEnd(6, '0')}`);
};
/** Half away from zero. */
const rounded = (value: bigint, by: bigint): bigint => (2n * value + (value < 0n ? -by : by)) / (2n * by);
test('lines, totals and what is withheld agree to the cent, by sums written apart from the code', () => {
  for (const { invoice, lines, taxItems } of [...issued.values()].flat()) {
    expect(sum(lines.map(({ subtotal }) => subtotal))).toBe(invoice.subtotal);
    expect(sum(taxItems.map(({ amount }) => amount))).toBe(invoice.tax);
    expect(sum(lines.map(({ total }) => total))).toBe(invoice.total);
    for (const line of lines) {
      expect(line.subtotal + line.tax).toBe(line.total);
      // As it is sealed: what was billed is derived of it.
      expect(line.quantity * line.unit_amount).toBe(line.subtotal);
      if (line.quantity_decimal === null) continue;
      const price = line.unit_amount_decimal ?? String(line.unit_amount_gross);
      const amount = rounded(millionths(line.quantity_decimal) * millionths(price), TEN_TO_12);
      expect(BigInt(line.unit_amount_gross === null ? line.subtotal : line.total)).toBe(amount);
    }
    const { withholding_rate: rate, withholding_base: base, withholding_amount: amount } = invoice;
    if (rate === null || base === null) {
      expect([rate, base, amount]).toEqual([null, null, null]);
      continue;
    }
    expect(amount).toBe(Number(rounded(BigInt(base) * BigInt(rate), 10_000n)));
    expect(Math.abs(base)).toBeLessThanOrEqual(Math.abs(invoice.subtotal));
    if (base !== 0) expect(Math.sign(base)).toBe(Math.sign(invoice.subtotal));
  }
});

/** All that was issued, those of exchanges included. */
const rowsOf = async ({ environmentId }: IssuingCaller): Promise<Row[]> => {
  const { rows } = await service.db.pool.query<Row>(
    `select id, number, kind, subtotal::float8, tax::float8, total::float8, withholding_amount::float8 as withheld,
            disbursed_amount::float8 as disbursed,
            (select coalesce(sum(amount), 0)::float8 from tax_item t
              where t.environment_id = $1 and t.invoice_id = invoice.id and t.type = 'eu_oss') as foreign
       from invoice where environment_id = $1`,
    [environmentId],
  );
  return rows;
};

test('so do those of exchanges, returns and replacements', async () => {
  const { rows } = await service.db.pool.query(
    `select kind, reverses_id is not null as reverses, issued_with is not null as together,
            bool_and((i.subtotal, i.tax, i.total) =
              (select sum(l.subtotal), sum(l.tax), sum(l.total) from invoice_line l
                where l.environment_id = i.environment_id and l.invoice_id = i.id)) as agree
       from invoice i where environment_id = any($1) and (kind = 'exchange' or issued_with is not null)
      group by 1, 2, 3 order by 1, 2, 3`,
    [callers.map(({ environmentId }) => environmentId)],
  );
  expect(rows).toEqual([
    { kind: 'rectifying_differences', reverses: false, together: true, agree: true },
    { kind: 'exchange', reverses: false, together: false, agree: true },
    { kind: 'exchange', reverses: false, together: true, agree: true },
    { kind: 'exchange', reverses: true, together: true, agree: true },
  ]);
});

test('each record has the moment of its company’s time zone', async () => {
  for (const [n, caller] of callers.entries()) {
    const zone = n % 2 === 0 ? 'Europe/Madrid' : 'Atlantic/Canary';
    const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
    for (const { xml } of await sealed(caller)) {
      const moment = /<sf:FechaHoraHusoGenRegistro>([^<]*)</.exec(xml)![1]!;
      const offset = /GMT(.*)$/.exec(format.format(new Date(moment)))![1] || '+00:00';
      expect(moment.endsWith(offset), `${moment} in ${zone}`).toBe(true);
    }
  }
});

type Sealed = { xml: string; id: string; fingerprint: string };
const sealed = async ({ environmentId }: IssuingCaller): Promise<Sealed[]> => {
  const { rows } = await service.db.pool.query<Sealed>(
    'select xml, invoice_id as id, fingerprint from registration_record where environment_id = $1 order by position',
    [environmentId],
  );
  return rows;
};

test('a record declares the amounts of the invoice, and nothing of what is withheld or was paid in the customer’s name', async () => {
  for (const caller of callers) {
    const invoices = new Map((await rowsOf(caller)).map((row) => [row.id, row]));
    for (const { xml, id } of await sealed(caller)) {
      const { total, tax: whole, foreign } = invoices.get(id)!;
      const tax = whole - foreign;
      expect(readRecord(xml)).toMatchObject({
        total,
        taxTotal: tax,
        declaredTax: tax,
        declaredBase: total - tax,
      });
    }
    // The agency's word on those that were corrected is the test's own, behind the service's back.
    await journalMissing(service.db, caller.environmentId);
    expect(await verifyEnvironment(service.db.pool, caller.environmentId)).toMatchObject({
      ...{ findings: [], complete: true, records: invoices.size },
    });
  }
});

if (SCHEMAS === undefined) {
  console.warn('\n!!! AEAT_SCHEMAS is not set: records are NOT checked against the schema of the agency.\n');
}
test(
  'the simulated agency, which holds its schema and validations against them, takes every record',
  async () => {
    const simulator = await testSimulator();
    const fingerprints = new Set<string>();
    for (const caller of callers) {
      const records = await sealed(caller);
      for (let first = 0; first < records.length; first += 1_000) {
        const part = records.slice(first, first + 1_000).map(({ xml }) => xml);
        const { text } = await simulator.post(registrationEnvelope(caller.issuer, part, false));
        expect(textOf(text, 'EstadoEnvio'), text.slice(0, 2_000)).toBe('Correcto');
        for (const { fingerprint } of records.slice(first, first + 1_000)) fingerprints.add(fingerprint);
      }
    }
    await simulator.stop();
    print(`${fingerprints.size} different records taken`);
    expect(fingerprints.size).toBe((await Promise.all(callers.map(rowsOf))).flat().length);
  },
  TIMEOUT_MS,
);

test(
  'record, PDF, UBL, CII, Facturae, register book and totals have the same amounts to the cent',
  async () => {
    const today = madridDay(new Date());
    const period = { from: plusDays(today, -1), to: plusDays(today, 1), today };
    const read = new Map<string, number>();
    for (const caller of callers) {
      const { environmentId } = caller;
      const rows = await rowsOf(caller);
      const { totals, counted } = await bookOf(service.services, environmentId, period);
      const found: string[] = [];
      for (const [index, row] of rows.entries()) {
        const isPrinted = index % PRINTED_EACH === 0;
        const one = await disagreements(service.services, environmentId, row, isPrinted);
        found.push(...one.found);
        for (const where of one.read) count(read, where);
      }
      expect(found).toEqual([]);
      expect(totals).toEqual(new Map(rows.map(({ number, total }) => [number, total])));
      const sums = { filter: { inForce: true }, groupBy: [], max: 1 };
      const [all] = await readTotals(service.db.pool, environmentId, sums);
      expect(all!.total).toBe(counted);
    }
    print(`compared: ${shown(read)}`);
    expect([...read.keys()].sort()).toEqual(expect.arrayContaining(['cii', 'facturae', 'record', 'ubl']));
  },
  TIMEOUT_MS,
);
