import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dispatchOf } from '../support/agency/registration.ts';
import { type TestSimulator, testSimulator } from '../support/agency/simulator.ts';
import { anUnsentCompany, type UnsentCompany } from '../support/agency/unsent-company.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import type { Visitor } from '../support/http/visitor.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';
import { anOperator, anonymousVisitor, operatorIn, type TestOperator } from '../support/pages/console.ts';

const REASON = 'Asked for by the merchant: ticket <b>4711</b>';

let simulator: TestSimulator;
let service: TestService;
let operator: TestOperator;
let ada: Visitor;
let night: UnsentCompany;
beforeAll(async () => {
  simulator = await testSimulator();
  service = await testService({}, { simulator });
  operator = await anOperator(service);
  ada = await operatorIn(service, operator);
});
beforeEach(async () => {
  await simulator.control({ mode: 'ok', enforce_wait: false });
  night = await anUnsentCompany(service, 'Noche SL');
});
afterAll(() => service?.close());

const recipient = {
  name: 'García Pérez Ana',
  taxId: '12345678Z',
  line1: 'Calle Mayor 1',
  postalCode: '28001',
  city: 'Madrid',
  country: 'ES',
};

async function refused(parts: Record<string, unknown> = {}): Promise<string> {
  const lines = { line_items: [aLine({ description: 'SIMULATE-REJECT' })] };
  const { id } = await night.issue({ ...parts, ...lines });
  await night.send();
  return id;
}

async function registered(): Promise<string> {
  const { id } = await night.issue();
  await night.send();
  return id;
}

/** An exchange invoice that the agency has. */
async function exchanged(): Promise<string> {
  const path = `/console/invoices/${await registered()}/exchange`;
  const { location } = await ada.post(path, { ...recipient, reason: 'first' });
  await night.send();
  return /inv_\w+/.exec(location!)![0];
}

async function pending(): Promise<string> {
  return night.recordOf((await night.issue()).id);
}

/** All that an action could change, of this company. */
async function everything(): Promise<unknown> {
  const { rows } = await service.db.pool.query(
    `select (select count(*) from audit_entry)::int as acts,
            (select jsonb_agg(to_jsonb(state) order by record_id) from record_state state where chain_id = $1) as states,
            (select to_jsonb(d) from chain_dispatch d where chain_id = $1) as dispatch,
            (select count(*) from invoice)::int as invoices, (select count(*) from invoice_void)::int as voids,
            (select count(*) from chain)::int as chains`,
    [night.chainId],
  );
  return rows[0];
}

type Case = {
  readonly name: string;
  /** Brings about what the action is for; gives where it is done. */
  readonly at: () => Promise<string>;
  readonly fields?: Record<string, string>;
  readonly action: string;
  readonly flash: string;
};

const cases: readonly Case[] = [
  {
    name: 'trying again',
    at: async () => {
      await simulator.control({ mode: 'down' });
      await night.issue();
      await night.send();
      return `/console/chains/${night.chainId}/retry`;
    },
    action: 'retry_chain',
    flash: 'The chain sends again',
  },
  {
    name: 'pausing',
    at: async () => `/console/chains/${night.chainId}/pause`,
    action: 'pause_chain',
    flash: 'The chain is paused.',
  },
  {
    name: 'resuming',
    at: async () => {
      await ada.post(`/console/chains/${night.chainId}/pause`, { reason: 'first' });
      return `/console/chains/${night.chainId}/resume`;
    },
    action: 'resume_chain',
    flash: 'The chain sends again.',
  },
  {
    name: 'parking',
    at: async () => `/console/records/${await pending()}/park`,
    action: 'park_record',
    flash: 'The record is parked.',
  },
  {
    name: 'putting back',
    at: async () => {
      const record = await pending();
      await ada.post(`/console/records/${record}/park`, { reason: 'first' });
      return `/console/records/${record}/unpark`;
    },
    action: 'unpark_record',
    flash: 'The record is pending again',
  },
  {
    name: 'skipping',
    at: async () => `/console/records/${await pending()}/skip`,
    action: 'skip_record',
    flash: 'The record is skipped.',
  },
  {
    name: 'voiding',
    at: async () => `/console/invoices/${await registered()}/void`,
    action: 'void_invoice',
    flash: 'The invoice is voided',
  },
  {
    name: 'amending',
    at: async () => `/console/invoices/${await refused(aCompleteInvoice())}/amend`,
    fields: { description: 'Reparación de un motor', taxIdType: '' },
    action: 'amend_record',
    flash: 'The amendment is sealed',
  },
  {
    name: 'exchanging',
    at: async () => `/console/invoices/${await registered()}/exchange`,
    fields: recipient,
    action: 'exchange_invoices',
    flash: 'was issued in exchange.',
  },
  {
    name: 'taking back after an exchange',
    at: async () => `/console/invoices/${await exchanged()}/return`,
    fields: { line: '0', amount: '0.10' },
    action: 'return_on_exchange',
    flash: 'was issued for the return.',
  },
  {
    name: 'replacing an exchange invoice',
    at: async () => `/console/invoices/${await exchanged()}/replacement`,
    fields: recipient,
    action: 'replace_exchange',
    flash: 'was issued to the right recipient.',
  },
  {
    name: 'opening a new installation',
    at: async () => {
      await service.db.pool.query("update chain set hold = 'forked', held_at = now() where id = $1", [
        night.chainId,
      ]);
      return `/console/environments/${night.company.live.environmentId}/open-installation`;
    },
    action: 'open_installation',
    flash: 'is open.',
  },
  {
    name: 'closing a company',
    at: async () => `/console/companies/${night.company.companyId}/close`,
    action: 'close_company',
    flash: 'Closed.',
  },
];

describe.each(cases)('$name', ({ at, fields = {}, action, flash }) => {
  test('is requested, done with its reason, logged with who did it, and reported once', async () => {
    const path = await at();
    const form = await ada.get(path);
    expect(form.status).toBe(200);
    expect(form.text).toContain('Noche SL');
    expect(form.text).toContain('<label for="reason">Reason</label>');
    const done = await ada.post(path, { ...fields, reason: REASON });
    expect([done.status, done.text]).toEqual([303, '']);
    const next = await ada.get(done.location!);
    expect(next.status).toBe(200);
    expect(next.text).toMatch(new RegExp(`<p class="card done" role="status">[^<]*${flash}`));
    expect((await ada.get(done.location!)).text).not.toContain('class="card done"');
    const { rows } = await service.db.pool.query(
      'select actor, reason from audit_entry where action = $1 order by at desc, id desc limit 1',
      [action],
    );
    expect(rows).toEqual([{ actor: operator.id, reason: REASON }]);
  });

  test('is refused without a reason, the token or a session', async () => {
    const path = await at();
    const token = await ada.token();
    const before = await everything();
    for (const reason of ['', '  ', 'x'.repeat(501), 'bell\u0007']) {
      const answer = await ada.post(path, { ...fields, reason, token });
      expect(answer.status, JSON.stringify(reason.slice(0, 5))).toBe(400);
      expect(answer.text).toMatch(/id="reason-fault">Reason (is required|must)/);
      expect(answer.text).toContain('<title>Error: ');
    }
    const forged = await ada.post(path, { ...fields, reason: REASON, token: 'x' });
    expect([forged.status, forged.text.includes('Nothing was changed')]).toEqual([403, true]);
    const stranger = await anonymousVisitor(service).post(path, { ...fields, reason: REASON, token });
    expect([stranger.status, stranger.text.includes('nothing was changed')]).toEqual([401, true]);
    expect(await everything()).toEqual(before);
  });
});

describe('a refusal', () => {
  test('of a field is shown beside it, with what was written', async () => {
    const path = `/console/invoices/${await registered()}/exchange`;
    const before = await everything();
    const answer = await ada.post(path, { ...recipient, taxId: '12345678A', reason: REASON });
    expect(answer.status).toBe(422);
    expect(answer.text).toMatch(/<p class="fault" id="taxId-fault">/);
    expect(answer.text).toContain('value="12345678A"');
    expect(answer.text).toContain('value="Asked for by the merchant: ticket &lt;b&gt;4711&lt;/b&gt;"');
    const empty = await ada.post(path, { ...recipient, line1: '', name: '"><script>', reason: REASON });
    expect(empty.text).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(empty.text).not.toContain('<script');
    expect(await everything()).toEqual(before);
  });

  test('of the whole action is shown with its code and the request’s id', async () => {
    const path = `/console/invoices/${await registered()}/void`;
    await ada.post(path, { reason: REASON });
    await night.send();
    const before = await everything();
    const answer = await ada.post(path, { reason: REASON });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('Nothing was done');
    expect(answer.text).toContain('<code>invoice_already_voided</code>');
    expect(answer.text).toMatch(/Invoice F-2026-1 is voided\./);
    expect(answer.text).toContain(answer.headers.get('x-request-id'));
    expect(await everything()).toEqual(before);
  });

  test('of a record that is settled meanwhile changes nothing', async () => {
    const record = await pending();
    await night.send();
    const before = await everything();
    for (const act of ['park', 'unpark', 'skip']) {
      const answer = await ada.post(`/console/records/${record}/${act}`, { reason: REASON });
      expect(answer.status, act).toBe(400);
      expect(answer.text).toContain('Nothing was done');
    }
    expect(await everything()).toEqual(before);
  });

  test.each([
    '/console/chains/999999/retry',
    '/console/chains/0/pause',
    '/console/chains/x/resume',
    '/console/chains/99999999999999999999/retry',
    '/console/environments/999999/open-installation',
    '/console/records/rec_nobody/skip',
    '/console/records/%00/park',
    '/console/invoices/inv_nobody/void',
    "/console/invoices/' or true --/amend",
  ])('of something that does not exist is an error page: %s', async (path) => {
    const before = await everything();
    expect((await ada.get(path)).status).toBe(404);
    const answer = await ada.post(path, { reason: REASON });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain('Not found');
    expect(await everything()).toEqual(before);
  });
});

test('a parked record stays while the others are sent, and is sent once it is unparked', async () => {
  const record = await pending();
  await night.issue();
  await ada.post(`/console/records/${record}/park`, { reason: REASON });
  await night.send();
  const states = async () => {
    const { rows } = await service.db.pool.query(
      'select status::text from record_state where chain_id = $1 order by position',
      [night.chainId],
    );
    return rows.map(({ status }) => status);
  };
  expect((await states())[0]).toBe('pending');
  expect((await states())[1]).not.toBe('pending');
  await ada.post(`/console/records/${record}/unpark`, { reason: REASON });
  await night.send();
  expect(await states()).not.toContain('pending');
});

test('a stopped chain continues after a retry was requested', async () => {
  await night.issue();
  const stop =
    "update chain_dispatch set stopped_at = now(), stopped_reason = '4104: El NIF no está identificado' where chain_id = $1";
  await service.db.pool.query(stop, [night.chainId]);
  const page = await ada.get(`/console/chains/${night.chainId}`);
  expect(page.text).toContain('<strong>4104</strong>');
  expect(page.text).toContain('El NIF no está identificado');
  await ada.post(`/console/chains/${night.chainId}/retry`, { reason: REASON });
  const chain = { environmentId: night.company.live.environmentId, chainId: night.chainId };
  expect((await dispatchOf(service.db, chain)).stopped).toBeNull();
});

test('all failed jobs that match run again on one request', async () => {
  const { rows } = await service.db.pool.query(
    `select id from graphile_worker.add_job('render_pdf', '{}'::json, max_attempts => 1)`,
  );
  await service.db.pool.query(
    "update graphile_worker._private_jobs set attempts = 1, last_error = 'no font' where id = $1",
    [rows[0].id],
  );
  expect((await ada.get('/console/jobs')).text).toContain('href="/console/jobs/retry-failed"');
  expect((await ada.get('/console/jobs/retry-failed')).status).toBe(200);
  const form = { task: 'render_pdf', state: 'given_up', error: 'FONT', companyId: '', reason: REASON };
  expect((await ada.post('/console/jobs/retry-failed', form)).location).toBe('/console/jobs');
  const jobs = 'select attempts from graphile_worker.jobs where id = $1';
  expect((await service.db.pool.query(jobs, [rows[0].id])).rows).toEqual([{ attempts: 0 }]);
});
