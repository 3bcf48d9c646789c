import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import type { IssuingCaller } from '../../src/subjects/accounts/entry/caller.ts';
import { readRecord } from '../../src/subjects/chain/read-record.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import type { StoredInvoice } from '../../src/subjects/invoices/rows.ts';
import { checkInvoice } from '../../src/subjects/issuing/check-invoice.ts';
import { issueInvoice } from '../../src/subjects/issuing/issue-invoice.ts';
import { invoiceRequest } from '../../src/subjects/issuing/request.ts';
import { createSeries } from '../../src/subjects/number-series/manage-series.ts';
import { checkRectification } from '../../src/subjects/rectifying/check-rectification.ts';
import { registrationEnvelope } from '../../src/subjects/registration/aeat/envelope.ts';
import { seeded } from '../simulation/random.ts';
import { companyNif } from '../support/agency/registration.ts';
import { SCHEMAS, testSimulator, textOf } from '../support/agency/simulator.ts';
import { journalMissing } from '../support/database/journal.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany } from '../support/invoices/company.ts';
import { type Correctable, randomRequest } from './random-requests.ts';

/**
 * Random invoices that mix all that one may carry (withheld income tax, disbursements, decimals, gross prices, the equivalence surcharge,
 * discounts, due dates, references, corrections by both methods and of corrections), issued by the real operations; then the
 * agency's schema and validations look at every record. The suite issues a few, always the same; `npm run simulate -- --invoices
 * 10000` as many as it is told: requests are made until so many are issued.
 */
const TOLD = process.env['TEST_INVOICES'];
const INVOICES = Number(TOLD ?? 120);
/** So long may a count of one’s own take: a tenth of a second each, three times what it takes on a busy machine. */
const TIMEOUT_MS = Math.max(300_000, INVOICES * 100);
const COMPANIES = 4;

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
/** Says what was run where somebody has requested so much. */
const print = (what: string) => TOLD !== undefined && console.log(what);

/** What the invoices are to mix. */
const MIXED: Readonly<Record<string, (one: StoredInvoice) => boolean>> = {
  withholding: ({ invoice }) => invoice.withholding_rate !== null,
  withheldCorrection: ({ invoice }) => invoice.withholding_rate !== null && invoice.rectifies_id !== null,
  displayCurrency: ({ invoice }) => invoice.display_currency !== null,
  disbursements: ({ invoice }) => invoice.disbursed_amount !== null,
  qualified: ({ invoice }) => invoice.qualified_simplified === true,
  unidentified: ({ invoice }) => invoice.recipient_unidentified === true,
  thirdParty: ({ invoice }) => invoice.issued_by === 'third_party',
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
/** A series of a third party in each company. */
let series: string[];
const issued = new Map<number, StoredInvoice[]>();
const refused = new Map<string, number>();

beforeAll(async () => {
  service = await testService();
  callers = await Promise.all(
    Array.from({ length: COMPANIES }, async (_, n) => {
      const company = await createCompany(service.db, { nif: companyNif(n + 1) });
      return (await service.services.authenticator.merchant(`Bearer ${company.live.key}`)) as IssuingCaller;
    }),
  );
  series = await Promise.all(
    callers.map(async ({ environmentId }) => {
      const request = { prefix: 'GESTORIA', type: 'standard' as const, yearly: true };
      const created = await createSeries(service.db, environmentId, request, { key: null, sent: null });
      if (isRefusal(created.outcome)) throw new Error(created.outcome.detail);
      return created.outcome.id;
    }),
  );
});
afterAll(() => service.close());

async function issueOne(seed: number): Promise<void> {
  const dice = seeded(seed);
  const caller = callers[seed % COMPANIES]!;
  const own = issued.get(caller.environmentId) ?? [];
  issued.set(caller.environmentId, own);
  const original = dice.chance(0.2) && own.length > 0 ? own[dice.integer(0, own.length - 1)]! : null;
  const corrects = original === null ? null : correctable(original);
  if (corrects !== null) await settle(corrects.id);
  const method = dice.chance(0.5) ? ('differences' as const) : ('substitution' as const);
  const sent = randomRequest(dice, `r${seed}`, corrects && { ...corrects, method }, series[seed % COMPANIES]);
  const request = invoiceRequest.parse(sent);
  const { outcome } = await issueInvoice(service.services, caller, request, {
    ...{ key: null, sent: null, sign: () => '' },
    check: corrects === null ? checkInvoice : checkRectification,
  });
  if (isRefusal(outcome)) refused.set(outcome.code, (refused.get(outcome.code) ?? 0) + 1);
  else {
    own.push(outcome.stored);
    if (corrects !== null) corrections.add(outcome.stored.invoice.id);
  }
}

/** Those that nobody else corrects at the same time. */
function correctable({ invoice }: StoredInvoice): Omit<Correctable, 'method'> | null {
  const { id, type, recipient_tax_id_type: taxIdType } = invoice;
  const form = invoice.qualified_simplified
    ? 'qualified'
    : invoice.recipient_unidentified
      ? 'unidentified'
      : 'plain';
  if (corrected.has(id)) return null;
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
      for (let seed = company; issuedBy(company) < ofOne && seed < 2 * INVOICES; seed += COMPANIES) {
        requests += 1;
        await issueOne(seed);
      }
    };
    await Promise.all(Array.from({ length: COMPANIES }, (_, company) => worker(company)));
    print(`${issuedCount()} of ${requests} requests issued; refused: ${shown(refused)}`);
    expect([...refused.keys()].filter((code) => !EXPECTED_REFUSALS.has(code))).toEqual([]);
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
    expect([base, amount]).toEqual(
      rate === null
        ? [null, null]
        : [invoice.subtotal, Number(rounded(BigInt(invoice.subtotal) * BigInt(rate), 10_000n))],
    );
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
    const invoices = new Map(issued.get(caller.environmentId)!.map((one) => [one.invoice.id, one]));
    for (const { xml, id } of await sealed(caller)) {
      const { invoice, taxItems } = invoices.get(id)!;
      // The tax of another member state is part of what is not subject here.
      const tax = sum(taxItems.filter(({ type }) => type !== 'eu_oss').map(({ amount }) => amount));
      const { total } = invoice;
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
    expect(fingerprints.size).toBe(issuedCount());
  },
  TIMEOUT_MS,
);
