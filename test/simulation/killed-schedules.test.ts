import { afterAll, beforeAll, expect, test } from 'vitest';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { issueDue } from '../../src/subjects/drafts/issue-due.ts';
import { readDueEnvironments } from '../../src/subjects/drafts/store/read-schedules.ts';
import { createIssueQueue } from '../../src/subjects/issuing/issue-invoice.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestEnvironment } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { eventually } from '../support/processes/running-program.ts';
import { crashingWorker } from './crashing-worker.ts';

/** Whoever issues what a schedule has due dies, at every moment between two statements; whoever comes after goes on. */
let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

async function due({ key }: TestEnvironment): Promise<string> {
  const body = { invoice: aSimplifiedInvoice(), frequency: 'monthly', starts_on: madridDay(clock.now()) };
  const made = await service.call('POST', '/v1/invoice_schedules', { key, body: { ...body, count: 1 } });
  expect(made.status).toBe(201);
  return made.body.id;
}

/** The period has one draft, the draft one invoice with the first number, and one event tells of it. */
async function expectWhole({ environmentId, key }: TestEnvironment, id: string) {
  const { rows } = await service.owner.query(
    `select draft.status, draft.waits, invoice.series_number
       from invoice_draft draft
       left join invoice on invoice.environment_id = draft.environment_id and invoice.draft_id = draft.id
      where draft.environment_id = $1 and draft.schedule_id = $2 order by draft.period_on`,
    [environmentId, id],
  );
  expect(rows).toEqual([{ status: 'issued', waits: false, series_number: 1 }]);
  const events = await service.call('GET', '/v1/events?type=invoice.issued', { key });
  const drafts = events.body.data.map(
    ({ data }: { data: { object: { draft_id: string } } }) => data.object.draft_id,
  );
  expect(drafts).toHaveLength(1);
  const { body } = await service.call('GET', `/v1/invoice_schedules/${id}`, { key });
  expect(body).toMatchObject({ status: 'ended', made: 1 });
}

/** What is done each minute until nothing is due: the database may take a while to see that a connection broke. */
async function goOn(environmentId: number): Promise<void> {
  const { db } = service;
  const isDue = async () => (await readDueEnvironments(db.pool, clock.now())).includes(environmentId);
  await eventually(
    async () => {
      await issueDue(service.services, environmentId);
      return isDue();
    },
    (due) => !due,
  );
}

test('each period is issued once', async () => {
  const { services, db } = service;
  const agency = { post: () => Promise.reject(new Error('not asked')), close: () => {} };
  let deaths = 0;
  for (let dies = 1; ; dies += 1) {
    const { test: environment } = await createCompany(db);
    const id = await due(environment);
    const worker = crashingWorker(db, agency, dies);
    const dying = { ...services, db: worker.db, issueQueue: createIssueQueue({ db: worker.db }) };
    const end = await Promise.race([
      issueDue(dying, environment.environmentId).then(() => 'done' as const),
      worker.death.then(() => 'died' as const),
    ]);
    if (end === 'died') {
      deaths += 1;
      await goOn(environment.environmentId);
    }
    await expectWhole(environment, id);
    if (end === 'done') break;
  }
  expect(deaths).toBeGreaterThan(10);
});
