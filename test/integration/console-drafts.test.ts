import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { madridDay, plusDays } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { workBatches } from '../../src/subjects/batches/work-batches.ts';
import { issueDue } from '../../src/subjects/drafts/issue-due.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import type { Visitor } from '../support/http/visitor.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOperator, anonymousVisitor, operatorIn, type TestOperator } from '../support/pages/console.ts';

/** Drafts, schedules and batches in the console. */

const HOSTILE = '<img src=x onerror=alert(1)> "SL"';
const REASON = 'The merchant asked';

let service: TestService;
let operator: TestOperator;
let ada: Visitor;
let company: TestCompany;
let own: string;
beforeAll(async () => {
  service = await testService();
  operator = await anOperator(service);
  ada = await operatorIn(service, operator);
  company = await createCompany(service.db);
  own = `/console/companies/${company.companyId}`;
});
afterAll(() => service?.close());

async function post(path: string, body: object): Promise<string> {
  const answer = await service.call('POST', path, { key: company.test.key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.id;
}

const draft = (invoice: object = aSimplifiedInvoice()) => post('/v1/invoice_drafts', { invoice });
const schedule = (parts: object = {}) =>
  post('/v1/invoice_schedules', {
    invoice: aSimplifiedInvoice(),
    ...{ frequency: 'monthly', starts_on: madridDay(clock.now()), ...parts },
  });

/** The page as people read it: its words in one line. */
async function read(path: string): Promise<string> {
  const { status, text } = await ada.get(path);
  expect(status, path).toBe(200);
  expect(text).not.toContain('<img');
  const words = text.replace(/<(style|script).*?<\/\1>/gs, '').replace(/<[^>]+>/g, ' ');
  return words.replace(/\s+/g, ' ').replaceAll('&#39;', "'").replaceAll('&quot;', '"');
}

/** Does it by its form; where that leads, and what stands there above the page. */
async function perform(path: string): Promise<{ to: string; message: string }> {
  const form = await ada.get(path);
  expect([form.status, form.text.includes('<label for="reason">Reason</label>')]).toEqual([200, true]);
  const stranger = await anonymousVisitor(service).post(path, { reason: REASON });
  const silent = await ada.post(path, { reason: '' });
  expect([stranger.status, silent.status]).toEqual([401, 400]);
  const done = await ada.post(path, { reason: REASON });
  expect([done.status, done.text]).toEqual([303, '']);
  const { text } = await ada.get(done.location!);
  return { to: done.location!, message: /role="status">([^<]*)</.exec(text)?.[1] ?? '' };
}

async function lastAction(): Promise<unknown> {
  const { rows } = await service.db.pool.query(
    'select actor, action, reason from audit_entry order by at desc, id desc limit 1',
  );
  return rows[0];
}

const noted = (action: string) => ({ actor: operator.id, action, reason: REASON });

describe('drafts', () => {
  test('are listed with their missing fields, and shown with their content', async () => {
    const line_items = [aLine({ description: HOSTILE })];
    const ready = await draft(aSimplifiedInvoice({ line_items, notes: HOSTILE }));
    const faulty = await draft({ type: 'complete', recipient: { name: HOSTILE } });
    const page = await read(`${own}/drafts?environment=test`);
    expect(page).toMatch(/onerror=alert\(1\).*Incomplete/);
    expect(page).toMatch(/nobody named Ready .*€242\.00/);
    expect(await read(`${own}/drafts?environment=test&status=issued`)).toContain('There is none.');
    expect(await read(`${own}/drafts?environment=live`)).toContain('There is none.');

    expect(await read(`${own}/drafts/${ready}?environment=test`)).toMatch(/State Ready .*vat 21 %/);
    const lacking = await read(`${own}/drafts/${faulty}?environment=test`);
    expect(lacking).toMatch(/Missing or invalid .*lineItems/);
    expect(lacking).toContain('It has no lines yet.');
    expect((await ada.get(`${own}/drafts/${ready}?environment=live`)).status).toBe(404);
    expect((await ada.get(`${own}/drafts/dft_nobody?environment=test`)).status).toBe(404);
  });

  test('are issued and deleted with a reason, once', async () => {
    const id = await draft();
    const issued = await perform(`${own}/drafts/${id}/issue?environment=test`);
    expect(issued).toMatchObject({
      to: expect.stringContaining('/console/invoices/inv_'),
      message: 'The invoice is issued.',
    });
    expect(await lastAction()).toEqual(noted('issue_invoice_draft'));
    expect(await read(`${own}/drafts?environment=test&status=issued`)).toContain(id.slice(-8));
    const page = await ada.get(`${own}/drafts/${id}?environment=test`);
    expect(page.text).not.toContain(`/drafts/${id}/issue`);
    const again = await ada.post(`${own}/drafts/${id}/issue?environment=test`, { reason: REASON });
    expect(again.location).toBe(issued.to);

    const other = await draft();
    expect((await perform(`${own}/drafts/${other}/delete?environment=test`)).message).toBe(
      'The draft is deleted.',
    );
    expect(await lastAction()).toEqual(noted('delete_invoice_draft'));
    expect((await ada.get(`${own}/drafts/${other}?environment=test`)).status).toBe(404);
    const deleted = await ada.post(`${own}/drafts/${id}/delete?environment=test`, { reason: REASON });
    expect([deleted.status, deleted.text.includes('invoice_draft_already_issued')]).toEqual([409, true]);
  });

  test('that cannot be issued show why in place of the invoice', async () => {
    const id = await draft({ type: 'simplified' });
    const refused = await ada.post(`${own}/drafts/${id}/issue?environment=test`, { reason: REASON });
    expect([refused.status, refused.text.includes('Nothing was done')]).toEqual([400, true]);
  });
});

describe('schedules', () => {
  test('show the next period and the invoices that they made, and are paused, resumed and ended', async () => {
    const today = madridDay(clock.now());
    const id = await schedule({ count: 12, due_in_days: 10 });
    await issueDue(service.services, company.test.environmentId);
    const list = await read(`${own}/schedules?environment=test`);
    expect(list).toMatch(/Every month nobody named Active \d{4}-\d\d-\d\d 1 of 12/);
    const page = `${own}/schedules/${id}?environment=test`;
    expect(await read(page)).toMatch(new RegExp(`Drafts of the schedule .*${today} Issued inv_`));
    for (const [name, message, state] of [
      ['pause', 'The schedule is paused.', 'Paused'],
      ['resume', 'The schedule is active again.', 'Active'],
      ['end', 'The schedule has ended.', 'Ended'],
    ] as const) {
      expect((await perform(`${own}/schedules/${id}/${name}?environment=test`)).message).toBe(message);
      expect(await lastAction()).toEqual(noted(`${name}_invoice_schedule`));
      expect(await read(page)).toContain(`State ${state}`);
    }
    expect((await ada.get(page)).text).not.toContain(`/schedules/${id}/pause`);
  });

  test('whose invoice was refused lead to the draft that waits', async () => {
    const series = await post('/v1/number_series', { prefix: 'CUOTA', type: 'standard' });
    const invoice = aSimplifiedInvoice({ number_series_id: series });
    const id = await schedule({ invoice, count: 2 });
    await service.call('DELETE', `/v1/number_series/${series}`, { key: company.test.key });
    await issueDue(service.services, company.test.environmentId);
    expect(await read(`${own}/schedules/${id}?environment=test`)).toMatch(
      /Drafts of the schedule .* Refused/,
    );
    expect(await read(`${own}/drafts?environment=test`)).toContain(id.slice(-8));
    const { text } = await ada.get(`${own}/schedules/${id}?environment=test`);
    const [, waiting] = /\/drafts\/(dft_\w+)/.exec(text)!;
    expect(await read(`${own}/drafts/${waiting}?environment=test`)).toContain('invalid_number_series');
  });

  test('of days to come show them', async () => {
    const first = plusDays(madridDay(clock.now()), 400);
    const id = await schedule({ frequency: 'yearly', starts_on: first });
    expect(await read(`${own}/schedules/${id}?environment=test`)).toMatch(
      new RegExp(`Every year .*Next ${first}, .*Nothing yet\\.`),
    );
  });
});

describe('batches', () => {
  const ticket = (n: number) =>
    aSimplifiedInvoice({ external_id: `t-${n}`, ...(n % 20 === 7 ? { line_items: [] } : {}) });

  test('show their progress, also as text, and reload until they are done', async () => {
    const id = await post('/v1/invoice_batches', {
      invoices: Array.from({ length: 60 }, (_, n) => ticket(n)),
    });
    const list = `${own}/batches?environment=test`;
    const page = `${own}/batches/${id}?environment=test`;
    for (const path of [list, page]) {
      const { text, headers } = await ada.get(path);
      expect(text).toContain('<progress max="60" value="0" data-unfinished>');
      expect(text).toContain(`data-live="/console/live/${company.companyId}/test"`);
      expect(headers.get('content-security-policy')).toMatch(/script-src 'sha256-/);
      expect(await read(path)).toContain('0 of 60: 0 issued, 0 failed');
    }
    await workBatches(service.services, company.test.environmentId, undefined);
    for (const path of [list, page]) {
      expect(await read(path)).toMatch(/Completed .*60 of 60: 57 issued, 3 failed/);
      expect((await ada.get(path)).text).not.toMatch(/<[^>]+data-unfinished/);
    }
    const first = await ada.get(page);
    expect(first.text.match(/href="\/console\/invoices\/inv_/g)).toHaveLength(47);
    const [, more] = /rel="next" href="([^"]+)"/.exec(first.text)!;
    expect(await read(more!.replaceAll('&amp;', '&'))).toMatch(/51 t-50/);
    const failed = await read(`${page}&state=failed`);
    expect(failed).toMatch(/8 t-7 Failed invalid_request lineItems .*28 t-27 .*48 t-47/);
    expect(failed).not.toContain('Issued F-');
    expect(await read(`${page}&state=pending`)).toContain('There is none.');
    expect((await ada.get(`${own}/batches/${id}?environment=live`)).status).toBe(404);
  });
});
