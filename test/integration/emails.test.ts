import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startJobs } from '../../jobs/runner.ts';
import { writeMail } from '../../src/faces/mail/message.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { createApiKey, createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { deliverEmail } from '../../src/subjects/emails/deliver.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany } from '../support/invoices/company.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import type { Received } from '../support/mail/mail-server.ts';
import { FROM, Sending } from '../support/mail/sending.ts';
import { aSale, aShop } from '../support/pages/portal.ts';

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.open();
});
afterAll(() => sending?.close());
beforeEach(() => sending.renew());
afterEach(() => clock.reset());

const part = ({ parts }: Received, type: string) => parts.find((one) => one.type === type)!.bytes.toString();

describe('an invoice that is sent', () => {
  test('is sent to its recipient with its PDF, in the company’s name, and reports the result', async () => {
    const invoice = await sending.issue({
      due_date: '2027-01-15',
      payment: { means: 'transfer', iban: 'ES9121000418450200051332', reference: 'F 17' },
    });
    const { body: queued, status } = await sending.send(invoice.id, { message: 'Gracias.\nHasta pronto.' });
    expect({ status, queued }).toMatchObject({
      ...{
        status: 202,
        queued: { status: 'queued', kind: 'invoice', to: ['ana@example.com'], language: 'es' },
      },
    });
    expect(await sending.deliver(queued.id)).toBeNull();
    const [message] = sending.server.received;
    expect(message).toMatchObject({ from: FROM, to: ['ana@example.com'] });
    expect(message!.header('from')).toContain(`<${FROM}>`);
    expect(message!.header('to')).toBe('ana@example.com');
    expect(message!.header('message-id')).toMatch(
      new RegExp(`^<${queued.id}\\.[0-9a-f]{16}@emisora\\.example>$`),
    );
    expect(message!.header('auto-submitted')).toBe('auto-generated');
    const pdf = message!.parts.find(({ type }) => type === 'application/pdf')!;
    const { body: link } = await sending.call('GET', `/v1/invoices/${invoice.id}/download`);
    const file = await fetch(
      `${sending.service.url}${new URL(link.download_url).pathname}${new URL(link.download_url).search}`,
    );
    expect(pdf.bytes.equals(Buffer.from(await file.arrayBuffer()))).toBe(true);
    expect(pdf.filename).toBe(`${invoice.number}.pdf`);
    for (const text of [part(message!, 'text/plain'), part(message!, 'text/html')]) {
      for (const expected of [
        '242,00',
        '15/01/2027',
        'ES91',
        'F 17',
        'Gracias.',
        'Hasta pronto.',
        invoice.number,
      ])
        expect(text).toContain(expected);
      // Nobody has a page of an invoice without a customer.
      expect(text).not.toContain('/portal/');
    }
    const [email] = await sending.emails(invoice.id);
    expect(email).toMatchObject({
      ...{ id: queued.id, status: 'sent', attempts: 1, last_error: null, next_attempt_at: null },
      deliveries: [{ address: 'ana@example.com', status: 'sent', response: expect.stringContaining('250') }],
    });
    const [event] = await sending.events('invoice.sent');
    expect(event.data).toMatchObject({
      object: { id: invoice.id },
      email: { id: queued.id, kind: 'invoice', reason: null },
    });
    // Settled, it is not handed over again.
    expect(await sending.deliver(queued.id)).toBeNull();
    expect(sending.server.received).toHaveLength(1);
  });

  test('is sent once to each recipient that the request names, with the structured documents that it names', async () => {
    const { id } = await sending.issue();
    const to = ['a@example.com', 'B@Example.com', 'b@example.com', 'info@españa.example'];
    const email = await sending.sent(id, { to, formats: ['ubl', 'ubl'] });
    expect(email).toMatchObject({ to: ['a@example.com', 'b@example.com', 'info@españa.example'] });
    await sending.deliver(email.id);
    const [message] = sending.server.received;
    // The server writes them in letters.
    expect(message!.to).toEqual(['a@example.com', 'b@example.com', 'info@españa.example']);
    expect(message!.header('to')).toContain('info@xn--espaa-rta.example');
    const files = message!.parts.flatMap(({ filename }) => (filename === null ? [] : [filename]));
    expect(files).toEqual([expect.stringMatching(/\.pdf$/), expect.stringMatching(/\.ubl\.xml$/)]);
    const one = await sending.sent(id, { to: 'solo@example.com' });
    await sending.deliver(one.id);
    expect(sending.server.received[1]!.to).toEqual(['solo@example.com']);
    expect((await sending.emails(id)).map((found: { id: string }) => found.id)).toEqual([one.id, email.id]);
  });

  test('is sent by the worker, once, however often it is woken', async () => {
    const { id } = await sending.issue();
    const email = await sending.sent(id);
    const jobs = await startJobs(sending.service.services, () => {});
    try {
      await expect.poll(async () => (await sending.emails(id))[0].status, { timeout: 60_000 }).toBe('sent');
    } finally {
      await jobs.stop();
    }
    await Promise.all([sending.deliver(email.id), sending.deliver(email.id)]);
    expect(sending.server.received).toHaveLength(1);
  });

  test('of two that hand it over at once one does', async () => {
    const { id } = await sending.issue();
    const email = await sending.sent(id);
    const again = await Promise.all([sending.deliver(email.id), sending.deliver(email.id)]);
    expect(again.filter((next) => next === null)).toHaveLength(1);
    expect(sending.server.received).toHaveLength(1);
  });

  test('is requested once under an idempotency key', async () => {
    const { id } = await sending.issue();
    const headers = { 'idempotency-key': 'once' };
    const first = await sending.send(id, { to: 'a@example.com' }, headers);
    const again = await sending.send(id, { to: 'a@example.com' }, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await sending.emails(id)).toHaveLength(1);
    expect((await sending.send(id, { to: 'b@example.com' }, headers)).body.code).toBe('idempotency_conflict');
  });

  test('with a customer leads to the customer’s page, unless others get the message', async () => {
    const shop = await aShop({ ...sending.service, company: sending.company });
    const own: TestService = { ...sending.service, company: sending.company };
    const sale = await aSale(own, shop, 'c-1', {
      type: 'complete',
      recipient: {
        ...aCompleteInvoice().recipient,
        taxId: '12345678Z',
        tax_id: undefined,
        address: { line1: 'Calle 1', postalCode: '28001', city: 'Madrid', country: 'ES' },
      },
    });
    const email = await sending.sent(sale.id);
    await sending.deliver(email.id);
    const [, path = ''] =
      /http:\/\/lacre\.test(\/portal\/[\w-]{44,49})/.exec(part(sending.server.received[0]!, 'text/plain')) ??
      [];
    expect(part(sending.server.received[0]!, 'text/html')).toContain(path);
    const opened = async () => (await fetch(`${sending.service.url}${path}`, { redirect: 'manual' })).status;
    expect(await opened()).toBe(303);
    clock.shift(89 * 86_400_000);
    expect(await opened()).toBe(303);
    clock.shift(2 * 86_400_000);
    expect(await opened()).not.toBe(303);
    clock.reset();
    const other = await sending.sent(sale.id, { to: ['ana@example.com', 'otro@example.com'] });
    await sending.deliver(other.id);
    expect(part(sending.server.received[1]!, 'text/plain')).not.toContain('/portal/');
  });

  test('of which the PDF is too large has a link to it, and none that a structured document outgrows', async () => {
    const { id } = await sending.issue();
    const linked = await sending.sent(id);
    await sending.deliver(linked.id, { mostBytes: 1_000 });
    const [message] = sending.server.received;
    expect(message!.parts.some(({ type }) => type === 'application/pdf')).toBe(false);
    const [, path = ''] = /http:\/\/lacre\.test(\S+token=[\w-]+)/.exec(part(message!, 'text/plain')) ?? [];
    expect((await fetch(`${sending.service.url}${path}`)).headers.get('content-type')).toBe(
      'application/pdf',
    );
    const outgrown = await sending.sent(id, { formats: ['ubl'] });
    await sending.deliver(outgrown.id, { mostBytes: 1_000 });
    expect((await sending.emails(id))[0]).toMatchObject({
      id: outgrown.id,
      status: 'failed',
      reason: 'too_large',
    });
    expect((await sending.events('invoice.email_failed'))[0].data.email).toEqual({
      ...{ id: outgrown.id, kind: 'invoice', reason: 'too_large' },
    });
  });
});

describe('the request', () => {
  test.each([
    ['eleven addresses', { to: Array.from({ length: 11 }, (_, n) => `a${n}@example.com`) }, 'to'],
    ['ten thousand addresses', { to: Array.from({ length: 10_000 }, (_, n) => `a${n}@example.com`) }, 'to'],
    ['no address in a list', { to: [] }, 'to'],
    ['a header in an address', { to: 'a@example.com\r\nBcc: b@example.com' }, 'to[0]'],
    ['an address with a name', { to: 'Ana <a@example.com>' }, 'to[0]'],
    ['two addresses in one', { to: 'a@example.com, b@example.com' }, 'to[0]'],
    ['a number for an address', { to: 17 }, 'to'],
    ['a text that is too long', { message: 'x'.repeat(2_001) }, 'message'],
    ['a text with control characters', { message: 'a\u0000b' }, 'message'],
    ['a format that there is not', { formats: ['docx'] }, 'formats[0]'],
    ['a field that there is not', { subject: 'x' }, 'subject'],
  ])('is refused with %s', async (_, body, field) => {
    const { id } = await sending.issue();
    const answer = await sending.send(id, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toContain(field);
    expect(await sending.emails(id)).toEqual([]);
  });

  test('is refused for another environment’s invoice, for a ticket without an address, and in a format that it does not have', async () => {
    const { id } = await sending.issue();
    const other = await createCompany(sending.service.db);
    const foreign = await sending.service.call('POST', `/v1/invoices/${id}/send`, { key: other.test.key });
    expect(foreign.body.code).toBe('invoice_not_found');
    const { body: ticket } = await sending.call('POST', '/v1/invoices', aSimplifiedInvoice());
    expect((await sending.send(ticket.id)).body.code).toBe('recipient_email_missing');
    expect((await sending.send(ticket.id, { to: 'a@example.com', formats: ['ubl'] })).body.code).toBe(
      'format_not_applicable',
    );
    expect(await sending.emails(ticket.id)).toEqual([]);
  });

  test('is refused beyond 30 messages an hour, of this test environment alone', async () => {
    const { id } = await sending.issue();
    for (let n = 0; n < 30; n += 1) await sending.sent(id, { to: `a${n}@example.com` });
    const refused = await sending.send(id, { to: 'a@example.com' });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    sending.company = await createCompany(sending.service.db);
    await sending.sent((await sending.issue()).id);
  });

  test('is refused beyond 300 addresses a minute, of this environment alone', async () => {
    const { rateLimits } = sending.service.services;
    const [one, other] = [sending.company, await createCompany(sending.service.db)];
    const take = ({ live }: typeof one) =>
      rateLimits.takeEmails({ environmentId: live.environmentId, environment: 'live' }, 10);
    for (let n = 0; n < 30; n += 1) expect(await take(one)).toBeNull();
    expect(await take(one)).toMatchObject({ code: 'rate_limited' });
    expect(await take(other)).toBeNull();
  });

  test('needs the scope issue, or an operator with a reason', async () => {
    const { id } = await sending.issue();
    const { environmentId } = sending.company.test;
    const owner = { environmentId, environment: 'test', name: 'reader', scopes: ['read'] } as const;
    const { key } = await createApiKey(sending.service.db.pool, owner);
    expect((await sending.service.call('POST', `/v1/invoices/${id}/send`, { key })).body.code).toBe(
      'forbidden',
    );
    const operator = (await createOperatorKey(sending.service.db.pool, 'Ada')).key;
    const send = (reason?: string) =>
      sending.service.graphql(
        'mutation ($input: SendInvoiceInput!, $reason: String) { sendInvoice(input: $input, reason: $reason) { id to invoice { id emails(first: 1) { totalCount edges { node { id invoice { number } } } } } } }',
        { input: { invoiceId: id, to: ['a@example.com'] }, reason },
        { key: operator },
      );
    expect((await send()).body.errors[0].extensions.code).toBe('invalid_request');
    const sent = (await send('the customer asked')).body.data.sendInvoice;
    expect(sent.to).toEqual(['a@example.com']);
    // The list that it was added to comes with it, so that caches need not read it again.
    expect(sent.invoice).toMatchObject({ id, emails: { totalCount: 1, edges: [{ node: { id: sent.id } }] } });
    expect(sent.invoice.emails.edges[0].node.invoice.number).toMatch(/^F/);
    const { rows } = await sending.service.db.pool.query(
      "select reason from audit_entry where action = 'send_invoice' and subject = $1",
      [id],
    );
    expect(rows).toEqual([{ reason: 'the customer asked' }]);
  });

  test('is sealed: neither it nor to whom it went can be changed', async () => {
    const { id } = await sending.sent((await sending.issue()).id);
    for (const change of [
      `update invoice_email set recipients = '{x@example.com}'`,
      'delete from invoice_email',
    ]) {
      await expect(sending.service.owner.query(`${change} where id = $1`, [id])).rejects.toThrow(/sealed/);
    }
  });
});

describe('the sender', () => {
  test('may name who gets a copy of every message only with the right to read', async () => {
    const { environmentId } = sending.company.test;
    const owner = { environmentId, environment: 'test', name: 'manager', scopes: ['manage'] } as const;
    const { key } = await createApiKey(sending.service.db.pool, owner);
    const change = (body: object) => sending.service.call('PATCH', '/v1/email_settings', { key, body });
    expect(await change({ copy_to: 'b@example.com' })).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: expect.stringContaining('`read`') },
    });
    expect((await change({ copy_to: null })).status).toBe(200);
  });

  test('is set by the company: its name and where answers go', async () => {
    const { id } = await sending.issue();
    expect((await sending.call('GET', '/v1/email_settings')).body).toMatchObject({
      sender_name: null,
      ...{ reply_to: null, copy_to: null },
    });
    const name = 'Núñez (Talleres), S.L. & l’Hereu';
    const changed = await sending.call('PATCH', '/v1/email_settings', {
      sender_name: name,
      reply_to: 'hola@ñandú.example',
    });
    expect(changed.body).toMatchObject({ sender_name: name, reply_to: 'hola@ñandú.example' });
    expect((await sending.call('PATCH', '/v1/email_settings', { sender_name: null })).body).toMatchObject({
      ...{ sender_name: null, reply_to: 'hola@ñandú.example' },
    });
    await sending.call('PATCH', '/v1/email_settings', { sender_name: name });
    await sending.deliver((await sending.sent(id)).id);
    const [message] = sending.server.received;
    expect(message!.header('reply-to')).toBe('hola@xn--and-6ma2c.example');
    expect(message!.raw).toContain(`<${FROM}>`);
    expect(message!.raw.split('\r\n').filter((line) => /^(bcc|from):/i.test(line))).toHaveLength(1);
  });

  test.each([
    'Banco "Santander" <ceo@bank.es>',
    'Banco “Santander”',
    'ceo@bank.es',
    'ceo＠bank.es',
    'Banco ＜ceo',
    'Banco \u202eredrO',
    'Banco\u200bX',
    'Banco \u2066x\u2069',
    'Banco\u00adX',
    '\u3164',
    'https://bank.es',
  ])('a sender’s name that could be taken for another address is refused: %j', async (name) => {
    const { status, body } = await sending.call('PATCH', '/v1/email_settings', { sender_name: name });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ field: 'sender_name', code: 'invalid_characters' }]);
  });

  test.each([
    [{ sender_name: 'A\r\nBcc: b@example.com' }, 'sender_name'],
    [{ sender_name: 'x'.repeat(101) }, 'sender_name'],
    [{ reply_to: 'nobody' }, 'reply_to'],
    [{ reply_to: 'a@example.com\nBcc: b@example.com' }, 'reply_to'],
  ])('is refused as %j', async (body, field) => {
    const { status, body: refused } = await sending.call('PATCH', '/v1/email_settings', body);
    expect({ status, field: refused.errors[0].field }).toEqual({ status: 400, field });
  });
});

describe('without a mail server', () => {
  test('the demo writes what it would send, and shows it to operators', async () => {
    const demo = await testService({}, { beside: sending.service });
    try {
      const invoice = await sending.issue();
      const { body } = await demo.call('POST', `/v1/invoices/${invoice.id}/send`, {
        key: sending.company.test.key,
      });
      await deliverEmail({ ...demo.services, writeMail }, sending.company.test.environmentId, body.id);
      const operator = (await createOperatorKey(sending.service.db.pool, 'Ada')).key;
      const fields = 'id from to subject text html attachments { filename mediaType content }';
      const execute = async (query: string, key = operator) => (await demo.graphql(query, {}, { key })).body;
      const { data } = await execute(`{ writtenEmails { id } writtenEmail(id: "${body.id}") { ${fields} } }`);
      expect(data.writtenEmails).toEqual([{ id: body.id }]);
      expect(data.writtenEmail).toMatchObject({
        ...{ to: ['ana@example.com'], subject: expect.stringContaining(invoice.number) },
        attachments: [{ filename: `${invoice.number}.pdf`, mediaType: 'application/pdf' }],
      });
      expect(Buffer.from(data.writtenEmail.attachments[0].content, 'base64').subarray(0, 5).toString()).toBe(
        '%PDF-',
      );
      const eml = readFileSync(join(demo.services.config.dataDir, 'mail', `${body.id}.eml`), 'latin1');
      expect(eml).toMatch(new RegExp(`^Message-ID:\\s+<${body.id}\\.`, 'm'));
      expect((await execute('{ writtenEmail(id: "../../x") { id } }')).data.writtenEmail).toBeNull();
      expect(
        (await execute('{ writtenEmails { id } }', sending.company.test.key)).errors[0].extensions.code,
      ).toBe('forbidden');
      expect((await sending.emails(invoice.id))[0].status).toBe('sent');
    } finally {
      await demo.close();
    }
  });
});
