import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../../src/ground/db/transaction.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { simulatedAgency } from '../../src/subjects/registration/aeat/endpoints.ts';
import { type AgencyClient, openAgencyClient } from '../../src/subjects/registration/aeat/transport.ts';
import {
  type Compared,
  compareWithAgency,
  holdAfterRestore,
} from '../../src/subjects/registration/resume-after-restore.ts';
import { submitChain } from '../../src/subjects/registration/submit.ts';
import { companyNif } from '../support/agency/registration.ts';
import { type TestSimulator, testSimulator } from '../support/agency/simulator.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { testLog } from '../support/processes/run-log.ts';

/** How a held chain is compared with what the agency has of it, in pages of two records. */

const log = testLog();
let simulator: TestSimulator;
let service: TestService;
let company: TestCompany;
let companies = 950;
beforeAll(async () => {
  simulator = await testSimulator({ queryPageSize: 2 });
  service = await testService({}, { simulator });
  await simulator.control({ mode: 'ok', enforce_wait: false });
});
beforeEach(async () => {
  companies += 1;
  company = await createCompany(service.db, { nif: companyNif(companies) });
});
afterAll(() => service?.close());

const hold = () => inTransaction(service.db.pool, holdAfterRestore);
const releaseChains = () =>
  service.db.pool.query('update chain set hold = null, held_at = null where id = $1', [company.live.chainId]);

/** So many invoices, which the agency has. */
async function registered(count: number): Promise<string[]> {
  const { environmentId, chainId, key } = company.live;
  const numbers: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { status, body } = await service.call('POST', '/v1/invoices', { key, body: aSimplifiedInvoice() });
    expect(status, JSON.stringify(body)).toBe(201);
    numbers.push(body.number);
  }
  const due = "update chain_dispatch set next_send_at = now() - interval '1 second' where chain_id = $1";
  await service.db.pool.query(due, [chainId]);
  const agency = await service.services.agencyClients.clientFor(environmentId);
  await submitChain({ db: service.db, log, agency }, { environmentId, chainId });
  return numbers;
}

/** Compares by way of this client, or of one that asks as `posting` makes it. */
async function compare(client: AgencyClient): Promise<Compared> {
  const { environmentId, chainId } = company.live;
  const { software } = service.services.config;
  return compareWithAgency({ db: service.db, log, agency: client, software }, { environmentId, chainId });
}
async function compareBy(posting: (post: AgencyClient['post']) => AgencyClient['post']): Promise<Compared> {
  const agency = await service.services.agencyClients.clientFor(company.live.environmentId);
  return compare({ ...agency, post: posting(agency.post) });
}

/** What was asked, and what came of it. The answer to the question of that number is cut short. */
async function comparePages(failsAt: number | null) {
  const [pages, months]: [string[], string[]] = [[], []];
  const compared = await compareBy((post) => (message, signal, reading) => {
    pages.push(/<con:ClavePaginacion>.*NumSerieFactura>([^<]+)</.exec(message)?.[1] ?? 'from the beginning');
    months.push(/<sf:Ejercicio>(\d+)<\/sf:Ejercicio><sf:Periodo>(\d+)</.exec(message)!.slice(1).join('-'));
    const cut = pages.length === failsAt;
    const write = (chunk: Uint8Array) => reading!.write(chunk.subarray(0, 100)) && false;
    return post(message, signal, cut ? { ...reading!, write } : reading);
  });
  return { compared, pages, months };
}

async function isHeld(): Promise<boolean> {
  const { rowCount } = await service.db.pool.query('select from chain where id = $1 and hold is not null', [
    company.live.chainId,
  ]);
  return rowCount === 1;
}

test('it continues from the page that failed, and reports its progress', async () => {
  const numbers = await registered(5);
  await hold();
  expect((await comparePages(3)).compared).toBe('unreachable');
  const shown = await service.db.pool.query(
    'select pages, compared, missing, trouble is not null as troubled from ops.comparisons where chain_id = $1',
    [company.live.chainId],
  );
  expect(shown.rows).toEqual([{ pages: 2, compared: 2, missing: 0, troubled: true }]);
  expect(await comparePages(null)).toMatchObject({ compared: 'sound', pages: [numbers[1], numbers[3]] });
  expect(await isHeld()).toBe(false);
});

test('it starts again with a new hold: an earlier comparison does not cover later records', async () => {
  await registered(5);
  await hold();
  expect((await comparePages(4)).compared).toBe('unreachable');
  await releaseChains();
  await hold();
  expect((await comparePages(null)).pages[0]).toBe('from the beginning');
});

/** The month so many before this one, of Madrid. */
function monthAgo(months: number): string {
  const [year = 0, month = 0] = madridDay(new Date()).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 7);
}

test('it queries the month of the last record and the one before: of the operation date, as the agency files them', async () => {
  await registered(1);
  await hold();
  const { compared, months } = await comparePages(null);
  expect(compared).toBe('sound');
  expect(months.sort()).toEqual([monthAgo(1), monthAgo(0)]);
});

test('then those of operations of four years, if it has corrected such before', async () => {
  const external = { number: 'OLD-1', issued_on: `${monthAgo(36)}-01` };
  const line_items = [aLine({ quantity: 1, unit_amount: -100 })];
  const body = aSimplifiedInvoice({ line_items, rectifies: { external, method: 'differences' } });
  expect((await service.call('POST', '/v1/invoices', { key: company.live.key, body })).status).toBe(201);
  await registered(1);
  await hold();
  const { compared, months } = await comparePages(null);
  expect(compared).toBe('sound');
  expect(months.slice(0, 2)).toEqual([monthAgo(1), monthAgo(0)]);
  expect(months.slice(2)).toEqual(Array.from({ length: 47 }, (_, index) => monthAgo(index + 2)));
});

test('a page may be larger than any other answer: it is read as it arrives', async () => {
  await registered(2);
  await hold();
  const agency = openAgencyClient(simulatedAgency(simulator, null), { answerBytes: 100 });
  expect(await compare(agency)).toBe('sound');
  agency.close();
});

test('it is left to another process that has come further', async () => {
  await registered(1);
  await hold();
  const compared = await compareBy((post) => async (...queries) => {
    const exchange = await post(...queries);
    await service.db.pool.query('update chain_comparison set pages = pages + 1');
    return exchange;
  });
  expect(compared).toBe('unreachable');
  expect(await isHeld()).toBe(true);
});

test('the chain stays held while the agency answers with the same page again', async () => {
  await registered(3);
  await hold();
  let queries = 0;
  const compared = await compareBy((post) => (message, ...rest) => {
    queries += 1;
    return post(message.replace(/<con:ClavePaginacion>.*<\/con:ClavePaginacion>/, ''), ...rest);
  });
  expect(compared).toBe('unreachable');
  // The month before has none; of this one the first page came twice.
  expect(queries).toBe(3);
  expect(await isHeld()).toBe(true);
});
