import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { createApiKey, createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { EMAIL_LIMITS } from '../../src/subjects/emails/limits.ts';
import { processBounce } from '../../src/subjects/emails/process-bounce.ts';
import { BOUNCE_MARKS, readReport } from '../../src/subjects/emails/read-report.ts';
import { Sending } from '../support/mail/sending.ts';
import { commandLine } from '../support/processes/command-line.ts';
import { type Delivered, exchange, gmail, postfix } from './bounce-reports.ts';

/** What mail servers report later: for whom an e-mail that they had taken did not arrive. */

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.open({ EMAIL_BOUNCES: 'rebotes@emisora.example' });
});
afterAll(() => sending?.close());
beforeEach(() => sending.renew());

/** An e-mail that was handed over, and what a report on it would name. */
async function handedOver(
  to: string | string[] = 'ana@example.com',
): Promise<Delivered & { id: string; invoice: string }> {
  const { id: invoice } = await sending.issue();
  const { id } = await sending.sent(invoice, { to });
  await sending.deliver(id);
  const { from: returnPath, header } = sending.server.received.at(-1)!;
  const address = Array.isArray(to) ? to[0]! : to;
  return { id, invoice, returnPath, messageId: header('message-id')!, address };
}

async function take(message: string) {
  const taken = await processBounce(sending.service.services, Buffer.from(message));
  if (isRefusal(taken)) throw new Error(taken.detail);
  return taken;
}

const failures = async (emailId: string) =>
  (await sending.events('invoice.email_failed'))
    .map(({ data }) => data.email)
    .filter(({ id }: { id: string }) => id === emailId);

describe('a report that an e-mail did not arrive', () => {
  test.each([
    ['Postfix', postfix, '5.1.1', /User unknown in virtual mailbox table$/],
    ['Exchange', exchange, '5.2.2', /^554 5\.2\.2 mailbox full/],
    ['Gmail', gmail, '5.1.1', /^550-5\.1\.1 The email account .* typos$/],
  ] as const)(
    'of %s is seen at the e-mail, as an event and on the console',
    async (_of, report, code, message) => {
      const delivered = await handedOver();
      expect((await sending.emails(delivered.invoice))[0].status).toBe('sent');
      expect((await take(report(delivered))).outcome).toBe('bounced');
      const [email] = await sending.emails(delivered.invoice);
      expect(email).toMatchObject({ status: 'failed', reason: 'bounced', next_attempt_at: null });
      expect(email.deliveries).toEqual([
        {
          ...{ address: delivered.address, status: 'bounced', status_code: code, copy: false },
          response: expect.stringMatching(message),
        },
      ]);
      expect(await failures(delivered.id)).toEqual([
        { id: delivered.id, kind: 'invoice', reason: 'bounced' },
      ]);
      // The same report again, as mail servers that are unsure hand it in.
      expect((await take(report(delivered))).outcome).toBe('already_known');
      expect(await failures(delivered.id)).toHaveLength(1);
    },
  );

  test('is matched by the return path, by the id of the envelope, or by the returned headers', async () => {
    const elsewhere = { returnPath: 'rebotes@emisora.example', messageId: '<x@relay.example>' };
    const pathOf = await handedOver();
    expect((await take(postfix({ ...pathOf, messageId: '<x@relay.example>' }))).outcome).toBe('bounced');
    const envelopeOf = await handedOver();
    const [, envelopeId = ''] = /\+(.+)@/.exec(envelopeOf.returnPath)!;
    expect((await take(postfix({ ...envelopeOf, ...elsewhere, envelopeId }))).outcome).toBe('bounced');
    const headOf = await handedOver();
    const { returnPath } = elsewhere;
    expect((await take(postfix({ ...headOf, returnPath }))).outcome).toBe('bounced');
    expect((await take(postfix({ ...headOf, ...elsewhere }))).outcome).toBe('unknown_email');
  });

  test('names those of several for whom it did not arrive, and stays with them', async () => {
    const delivered = await handedOver(['ana@example.com', 'info@españa.example', 'eva@example.com']);
    expect((await take(postfix({ ...delivered, address: 'info@xn--espaa-rta.example' }))).outcome).toBe(
      'bounced',
    );
    const statuses = async () =>
      (await sending.emails(delivered.invoice))[0].deliveries.map(({ status }: { status: string }) => status);
    expect(await statuses()).toEqual(['sent', 'bounced', 'sent']);
    expect((await take(postfix(delivered))).outcome).toBe('bounced');
    expect(await statuses()).toEqual(['bounced', 'bounced', 'sent']);
    expect(await failures(delivered.id)).toHaveLength(2);
    // Mail of the third is forwarded: it is not told which of them it was.
    await take(postfix({ ...delivered, address: 'private@elsewhere.example' }));
    expect(await statuses()).toEqual(['bounced', 'bounced', 'sent']);
    expect((await sending.emails(delivered.invoice))[0].last_error).toContain('forwards');
  });

  test('of one recipient counts for it, wherever its mail is forwarded to', async () => {
    const delivered = await handedOver();
    await take(postfix({ ...delivered, address: 'private@elsewhere.example' }));
    expect((await sending.emails(delivered.invoice))[0].deliveries).toMatchObject([
      { address: 'ana@example.com', status: 'bounced' },
    ]);
  });

  test('is for good even where its status is for now; a delay is no failure', async () => {
    const delivered = await handedOver();
    const delay = await take(postfix(delivered, { action: 'delayed', status: '4.4.1' }));
    expect(delay.outcome).toBe('delayed');
    expect((await sending.emails(delivered.invoice))[0]).toMatchObject({
      status: 'sent',
      deliveries: [{ status: 'sent', status_code: '4.4.1' }],
    });
    expect(await failures(delivered.id)).toEqual([]);
    expect((await take(postfix(delivered, { status: '4.4.7' }))).outcome).toBe('bounced');
    // A warning that was under way for longer.
    expect((await take(postfix(delivered, { action: 'delayed', status: '4.4.1' }))).outcome).toBe(
      'already_known',
    );
    expect((await take(postfix(delivered, { action: 'delivered', status: '2.0.0' }))).outcome).toBe(
      'no_failure',
    );
    expect((await sending.emails(delivered.invoice))[0]).toMatchObject({
      status: 'failed',
      reason: 'bounced',
    });
  });

  test('for one recipient is not overwritten by the attempt for another one that still waits', async () => {
    const { id: invoice } = await sending.issue();
    const { id } = await sending.sent(invoice, { to: ['ana@example.com', 'eva@example.com'] });
    sending.server.refuse = (address) =>
      address.startsWith('eva') ? { code: 450, text: '4.2.1 later' } : null;
    await sending.deliver(id);
    const { from: returnPath, header } = sending.server.received[0]!;
    const delivered = { returnPath, messageId: header('message-id')!, address: 'ana@example.com' };
    sending.server.refuse = () => null;
    // In the middle of the next attempt.
    sending.server.beforeAnswer = async () => {
      expect((await take(postfix(delivered))).email).toMatchObject({ status: 'queued' });
    };
    await sending.pass(61_000);
    expect(await sending.deliver(id)).toBeNull();
    sending.server.beforeAnswer = async () => {};
    const [email] = await sending.emails(invoice);
    expect(email).toMatchObject({ status: 'failed', reason: 'bounced' });
    expect(email.deliveries.map(({ status }: { status: string }) => status)).toEqual(['bounced', 'sent']);
    expect(await failures(id)).toEqual([{ id, kind: 'invoice', reason: 'bounced' }]);
  });
});

describe('what is no such report', () => {
  test('is ignored: a forged report, an automatic reply, a plain text, an empty message', async () => {
    const delivered = await handedOver();
    const other = (text: string) => text.replace(/\.[0-9a-f]{16}@/, '.0123456789abcdef@');
    const forged = {
      ...delivered,
      returnPath: other(delivered.returnPath),
      messageId: other(delivered.messageId),
    };
    expect(forged.messageId).toContain(delivered.id);
    expect((await take(postfix(forged))).outcome).toBe('unknown_email');
    // Who knows the id alone, as the API tells it.
    expect((await take(postfix({ ...forged, messageId: `<${delivered.id}@emisora.example>` }))).outcome).toBe(
      'unknown_email',
    );
    const away = `To: ${delivered.returnPath}\r\nIn-Reply-To: ${delivered.messageId}\r\nAuto-Submitted: auto-replied\r\n\r\nAway.`;
    expect((await take(away)).outcome).toBe('not_a_report');
    for (const text of [
      '',
      'x',
      '\r\n\r\n',
      '\u0000\u0000',
      'Content-Type: message/delivery-status\r\n\r\n\r\n',
    ])
      expect((await take(text)).outcome).toMatch(/not_a_report|no_failure/);
    expect((await sending.emails(delivered.invoice))[0]).toMatchObject({ status: 'sent', reason: null });
    expect(await failures(delivered.id)).toEqual([]);
  });

  test('is bounded at any nesting, and its content is treated as text', async () => {
    const nested = Array.from(
      { length: 60 },
      (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`,
    ).join('');
    expect((await take(nested)).outcome).toBe('unreadable');
    expect((await take(`X: ${'x'.repeat(EMAIL_LIMITS.bounceHead.value)}\r\n\r\n`)).outcome).toBe(
      'unreadable',
    );
    const delivered = await handedOver();
    const late = postfix(delivered).replace(
      'This is the mail system',
      'x'.repeat(EMAIL_LIMITS.bounceBytes.value),
    );
    expect((await take(late)).outcome).toBe('not_a_report');
    // Beyond the bound nothing is read; what stands before it counts.
    expect(
      (await take(`${postfix(delivered)}${'x'.repeat(3 * EMAIL_LIMITS.bounceBytes.value)}`)).outcome,
    ).toBe('bounced');
    const many = postfix(delivered).replace(
      'Final-Recipient',
      `${Array.from({ length: 5_000 }, (_, at) => `Final-Recipient: rfc822;${at}@x.example\r\nAction: failed`).join('\r\n\r\n')}\r\n\r\nFinal-Recipient`,
    );
    const read = await readReport(Buffer.from(many));
    expect(typeof read === 'string' || read.recipients.length <= EMAIL_LIMITS.emailRecipients.value).toBe(
      true,
    );
    const hostile = await handedOver();
    const markup = postfix(hostile).replace('Recipient address', '<img src=x onerror=alert(1)>\u0000\u202e');
    expect((await take(markup)).outcome).toBe('bounced');
  });
});

test('of the e-mails that a report may be about only the first few are looked up: secrets cannot be guessed by the list', async () => {
  const delivered = await handedOver();
  const among = (guesses: number) => {
    const wrong = Array.from({ length: guesses }, (_, at) =>
      delivered.returnPath.replace(/\.[0-9a-f]{16}@/, `.${at.toString(16).padStart(16, '0')}@`),
    );
    const returnPath = [...wrong, delivered.returnPath].join(', ');
    return take(postfix({ ...delivered, returnPath, messageId: '<x@relay.example>' }));
  };
  expect((await among(BOUNCE_MARKS)).outcome).toBe('unknown_email');
  expect((await among(BOUNCE_MARKS - 1)).outcome).toBe('bounced');
});

describe('a report is handed in', () => {
  test('by a mail server that runs the command line, which exits with 0 for any input', async () => {
    const lacre = commandLine(sending.service.db);
    const delivered = await handedOver();
    const done = await lacre(['emails', 'read-bounce', '--json'], postfix(delivered));
    expect(done).toMatchObject({ exit: 0, stderr: '' });
    expect(done.json()).toMatchObject({
      outcome: 'bounced',
      email: delivered.id,
      invoice: delivered.invoice,
      status: 'failed',
    });
    expect(await lacre(['emails', 'read-bounce'], 'no report')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('not_a_report'),
    });
  });

  test('by GraphQL with an operator’s key only', async () => {
    const delivered = await handedOver();
    const { pool } = sending.service.db;
    const takeBounce = (key: string) =>
      sending.service.graphql(
        'mutation ($message: String!) { takeBounce(message: $message) { outcome email { id status reason } } }',
        { message: exchange(delivered) },
        { key },
      );
    const { environmentId } = sending.company.test;
    const merchant = await createApiKey(pool, { environmentId, environment: 'test', name: 'all' });
    expect((await takeBounce(merchant.key)).body.errors[0].extensions.code).toBe('forbidden');
    const viewer = await createOperatorKey(pool, 'Vi', { role: 'viewer' });
    expect((await takeBounce(viewer.key)).body.errors[0].extensions.code).toBe('forbidden');
    const { body } = await takeBounce((await createOperatorKey(pool, 'Ada')).key);
    expect(body.data.takeBounce).toEqual({
      outcome: 'bounced',
      email: { id: delivered.id, status: 'failed', reason: 'bounced' },
    });
  });
});

describe('the company’s own copy', () => {
  test('is sent with each message as a blind copy, and does not affect the status of the e-mail', async () => {
    const copyTo = 'archivo@emisora.example';
    expect((await sending.call('PATCH', '/v1/email_settings', { copy_to: copyTo })).body.copy_to).toBe(
      copyTo,
    );
    const delivered = await handedOver();
    const { to, raw } = sending.server.received.at(-1)!;
    expect(to).toEqual(['ana@example.com', copyTo]);
    expect(raw).not.toContain(copyTo);
    expect((await take(postfix({ ...delivered, address: copyTo }))).outcome).toBe('bounced');
    const [email] = await sending.emails(delivered.invoice);
    expect(email).toMatchObject({ status: 'sent', reason: null, to: ['ana@example.com'] });
    expect(email.deliveries).toMatchObject([
      { address: 'ana@example.com', status: 'sent', copy: false },
      { address: copyTo, status: 'bounced', copy: true },
    ]);
    expect(await failures(delivered.id)).toEqual([]);
    expect((await take(postfix({ ...delivered, address: 'private@elsewhere.example' }))).outcome).toBe(
      'bounced',
    );
    expect((await sending.emails(delivered.invoice))[0]).toMatchObject({
      status: 'failed',
      reason: 'bounced',
    });
    // Once the e-mail has failed, a report on the copy is no further failure, nor is what is known beside it.
    expect(await failures(delivered.id)).toHaveLength(1);
    const both = await handedOver();
    await take(postfix(both));
    expect((await take(postfix({ ...both, address: copyTo }))).outcome).toBe('bounced');
    expect((await sending.emails(both.invoice))[0].deliveries).toMatchObject([
      { address: 'ana@example.com', status: 'bounced' },
      { address: copyTo, status: 'bounced' },
    ]);
    expect(await failures(both.id)).toHaveLength(1);
    // Whoever gets it anyway gets it once.
    await handedOver('Archivo@emisora.example');
    expect(sending.server.received.at(-1)!.to).toEqual(['Archivo@emisora.example']);
    const refused = await sending.call('PATCH', '/v1/email_settings', {
      copy_to: 'a@example.com\nBcc: b@x.es',
    });
    expect(refused.body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'copy_to' }] });
  });
});
