import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { EMAIL_LIMITS } from '../../src/subjects/emails/limits.ts';
import { smtpTransport } from '../../src/subjects/emails/smtp.ts';
import type { OutgoingMessage } from '../../src/subjects/emails/transport.ts';
import { newAuthority } from '../support/agency/certificates.ts';
import { MAIL_PASSWORD, MAIL_USER, mailServer } from '../support/mail/mail-server.ts';
import { FROM, Sending } from '../support/mail/sending.ts';
import { eventually, runProgram } from '../support/processes/running-program.ts';

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.open();
});
afterAll(() => sending?.close());
beforeEach(() => sending.renew());
afterEach(() => clock.reset());

describe('a mail server', () => {
  test('that requests a retry is tried again later, under the same Message-ID', async () => {
    const { id } = await sending.issue();
    const email = await sending.sent(id);
    sending.server.refuseMessage = () => ({ code: 451, text: '4.7.1 greylisted, come back' });
    const next = await sending.deliver(email.id);
    expect((await sending.emails(id))[0]).toMatchObject({
      ...{ status: 'queued', attempts: 1, next_attempt_at: next?.toISOString() },
      last_error: 'the mail server answered 451',
      deliveries: [{ status: 'queued', response: expect.stringContaining('greylisted') }],
    });
    // Not before its time.
    expect(await sending.deliver(email.id)).toEqual(next);
    sending.server.refuseMessage = () => null;
    await sending.pass(61_000);
    expect(await sending.deliver(email.id)).toBeNull();
    expect(sending.server.received[0]!.header('message-id')).toContain(email.id);
    expect((await sending.emails(id))[0]).toMatchObject({ status: 'sent', attempts: 2, last_error: null });
  });

  test('that refuses one recipient for good has the message for the others, once', async () => {
    const { id } = await sending.issue();
    const email = await sending.sent(id, { to: ['a@example.com', 'gone@example.com', 'full@example.com'] });
    sending.server.refuse = (address) => {
      if (address.startsWith('gone')) return { code: 550, text: '5.1.1 no such user' };
      return address.startsWith('full') ? { code: 452, text: '4.2.2 mailbox full' } : null;
    };
    await sending.deliver(email.id);
    expect(sending.server.received.map(({ to }) => to)).toEqual([['a@example.com']]);
    sending.server.refuse = () => null;
    await sending.pass(61_000);
    expect(await sending.deliver(email.id)).toBeNull();
    expect(sending.server.received.map(({ to }) => to)).toEqual([['a@example.com'], ['full@example.com']]);
    const [found] = await sending.emails(id);
    expect(found).toMatchObject({ status: 'failed', reason: 'refused' });
    expect(found.deliveries.map(({ status }: { status: string }) => status)).toEqual([
      'sent',
      'refused',
      'sent',
    ]);
    expect(
      (await sending.events('invoice.email_failed')).map(
        ({ data }: { data: { email: object } }) => data.email,
      ),
    ).toEqual([{ id: email.id, kind: 'invoice', reason: 'refused' }]);
  });

  test('that refuses the company’s own copy has sent the message all the same', async () => {
    const copy_to = 'archivo@emisora.example';
    await sending.call('PATCH', '/v1/email_settings', { copy_to });
    const { id } = await sending.issue();
    const email = await sending.sent(id);
    sending.server.refuse = (address) =>
      address === copy_to ? { code: 550, text: '5.1.1 no such user' } : null;
    expect(await sending.deliver(email.id)).toBeNull();
    const [found] = await sending.emails(id);
    expect(found).toMatchObject({ status: 'sent', reason: null });
    expect(found.deliveries).toMatchObject([
      { status: 'sent', copy: false },
      { address: copy_to, status: 'refused', copy: true },
    ]);
    expect(await sending.events('invoice.email_failed')).toEqual([]);
  });

  test('that refuses the message for good ends it at once', async () => {
    const { id } = await sending.issue();
    const email = await sending.sent(id);
    sending.server.refuseMessage = () => ({ code: 554, text: '5.7.1 looks like spam' });
    expect(await sending.deliver(email.id)).toBeNull();
    expect((await sending.emails(id))[0]).toMatchObject({ status: 'failed', reason: 'refused', attempts: 1 });
  });

  test('that never accepts it is tried eight times within a day, and then the e-mail has failed', async () => {
    const { id } = await sending.issue();
    const email = await sending.sent(id);
    sending.server.refuse = () => ({ code: 450, text: '4.2.1 later' });
    let attempts = 0;
    let passed = 0;
    for (let pause = 0; ; passed += pause) {
      await sending.pass(pause);
      const next = await sending.deliver(email.id);
      attempts += 1;
      if (next === null) break;
      pause = Math.max(0, next.getTime() - Date.now()) + 1_000;
    }
    expect(attempts).toBe(8);
    expect(passed).toBeLessThan(24 * 3_600_000);
    expect((await sending.emails(id))[0]).toMatchObject({ status: 'failed', reason: 'gave_up', attempts: 8 });
  });

  test.each([
    ['fast', 600_000],
    ['slow', -600_000],
  ])('is asked again when the pause is over by a process whose clock is ten minutes %s', async (_, wrong) => {
    clock.shift(wrong);
    const { id } = await sending.issue();
    const email = await sending.sent(id);
    sending.server.refuseMessage = () => ({ code: 451, text: '4.7.1 greylisted, come back' });
    const before = Date.now();
    const next = await sending.deliver(email.id);
    expect(next!.getTime()).toBeGreaterThan(before);
    expect(next!.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
    expect(await sending.deliver(email.id)).toEqual(next);
    sending.server.refuseMessage = () => null;
    await sending.pass(61_000);
    expect(await sending.deliver(email.id)).toBeNull();
    const [settled] = await sending.emails(id);
    expect(Math.abs(Date.parse(settled.settled_at) - Date.now())).toBeLessThan(300_000);
  });

  test('that drops the connection after the message may have it: it is handed over again under the same Message-ID', async () => {
    const { id } = await sending.issue();
    const email = await sending.sent(id);
    sending.server.beforeAnswer = async () => sending.server.drop();
    expect(await sending.deliver(email.id)).not.toBeNull();
    expect((await sending.emails(id))[0]).toMatchObject({
      ...{ status: 'queued', last_error: 'the connection to the mail server was refused or lost' },
    });
    sending.server.beforeAnswer = async () => {};
    await sending.pass(61_000);
    expect(await sending.deliver(email.id)).toBeNull();
    const ids = sending.server.received.map((message) => message.header('message-id'));
    expect(ids).toHaveLength(2);
    expect(ids[0]).toContain(email.id);
    expect(ids[1]).toBe(ids[0]);
  });
});

const MESSAGE: OutgoingMessage = {
  ...{
    id: 'eml_1',
    from: FROM,
    to: ['a@example.com'],
    envelopeId: null,
    bytes: Buffer.from('Subject: x\r\n\r\nx\r\n'),
  },
  parts: { from: FROM, to: [], subject: '', text: '', html: '', attachments: [] },
};

describe('the connection to the mail server', () => {
  const login = { user: MAIL_USER, pass: MAIL_PASSWORD };
  const at = (port: number, more: object = {}) => ({
    ...{ server: { host: 'localhost', port, secure: false, login, ...more }, requireTls: true },
  });
  const begun = async () => true;

  test('uses TLS where required, with a trusted certificate, or nothing is sent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lacre-mail-'));
    const authority = newAuthority();
    authority.equip(folder);
    const read = (name: string) => readFileSync(join(folder, 'tls', name), 'utf8');
    const offering = await mailServer({ key: read('server-key.pem'), cert: read('server.pem') });
    const plain = await mailServer();
    try {
      const never = async () => expect.unreachable('the message was begun');
      for (const { port } of [plain, offering]) {
        const refused = await smtpTransport(at(port)).handOver(MESSAGE, never);
        expect(refused).toMatchObject({ replies: [{ status: 'queued' }] });
        expect(refused!.error).toMatch(/TLS|lost/);
      }
      const trusted = smtpTransport(at(offering.port), { tls: { ca: read('ca.pem') } });
      expect(await trusted.handOver(MESSAGE, begun)).toMatchObject({
        replies: [{ status: 'sent' }],
        error: null,
      });
      expect(offering.received.map(({ secure }) => secure)).toEqual([true]);
      expect(plain.received).toEqual([]);
    } finally {
      await Promise.all([offering.close(), plain.close()]);
      rmSync(folder, { recursive: true });
    }
  });

  test('that is not reachable, refuses the login or does not answer only postpones the message', async () => {
    const wrong = {
      ...at(sending.server.port, { login: { user: MAIL_USER, pass: 'no' } }),
      requireTls: false,
    };
    const outcomes = [
      [smtpTransport(wrong), /refuses the login/],
      [smtpTransport({ ...at(1), requireTls: false }), /refused or lost/],
    ] as const;
    for (const [transport, words] of outcomes) {
      const outcome = await transport.handOver(MESSAGE, begun);
      expect(outcome).toMatchObject({ replies: [{ status: 'queued' }] });
      expect(outcome!.error).toMatch(words);
      expect(await transport.check()).toMatch(words);
    }
    sending.server.beforeAnswer = () => new Promise(() => {});
    const config = { ...at(sending.server.port), requireTls: false };
    const silent = await smtpTransport(config, { silenceMs: 100 }).handOver(MESSAGE, begun);
    expect(silent).toMatchObject({
      replies: [{ status: 'queued' }],
      error: expect.stringMatching(/in time|lost/),
    });
    const slow = await smtpTransport(config, { attemptMs: 100 }).handOver(MESSAGE, begun);
    expect(slow!.error).toMatch(/in time/);
  });

  test('is never logged: neither the password nor an address', async () => {
    const { id } = await sending.issue();
    const email = await sending.sent(id);
    sending.server.refuseMessage = () => ({ code: 451, text: `4.7.1 ${MAIL_PASSWORD} ana@example.com` });
    await sending.deliver(email.id);
    expect(sending.logged.some((line) => line.includes('an e-mail waits'))).toBe(true);
    for (const line of sending.logged) {
      expect(line).not.toContain(MAIL_PASSWORD);
      expect(line).not.toContain(encodeURIComponent(MAIL_PASSWORD));
      expect(line).not.toContain('ana@example.com');
    }
  });
});

test('a worker that is killed before the message loses nothing, and after it the message is sent again under the same id', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lacre-worker-'));
  newAuthority().equip(folder);
  // What other tests have left would be done first.
  await sending.service.owner.query('delete from graphile_worker._private_jobs');
  const { id } = await sending.issue();
  const email = await sending.sent(id);
  const state = async () =>
    (
      await sending.service.db.pool.query<{ attempts: number; began: boolean }>(
        'select attempts, attempt_began_at is not null as began from invoice_email_state where email_id = $1',
        [email.id],
      )
    ).rows[0]!;
  let reached = () => {};
  const whole = new Promise<void>((resolve) => {
    reached = resolve;
  });
  sending.server.beforeAnswer = () => {
    reached();
    return new Promise(() => {});
  };
  const worker = runProgram('jobs/main.ts', {
    ...{
      DATABASE_URL: sending.service.databaseUrl,
      DATA_DIR: folder,
      SMTP_URL: sending.server.url,
      EMAIL_FROM: FROM,
    },
    ...{ LINK_SECRETS: 'x'.repeat(32), CHECKPOINT_KEY: 'x'.repeat(32) },
    ...{
      SIMULATOR_URL: 'http://127.0.0.1:9',
      SIMULATOR_TLS_URL: 'https://127.0.0.1:9',
      SIMULATOR_TLS_DIR: join(folder, 'tls'),
    },
  });
  try {
    const ended = once(worker.process, 'exit').then(() => expect.unreachable(worker.output()));
    await Promise.race([whole, ended]);
    // Noted before anything was said about it.
    expect(await eventually(state, ({ began }) => began)).toEqual({ attempts: 1, began: true });
  } finally {
    await worker.end('SIGKILL');
  }
  sending.server.beforeAnswer = async () => {};
  const next = await sending.deliver(email.id);
  expect(next!.getTime()).toBeGreaterThan(Date.now());
  expect(sending.server.received).toEqual([]);
  await sending.pass(EMAIL_LIMITS.emailAttempt.value + 1_000);
  expect(await sending.deliver(email.id)).toBeNull();
  expect(sending.server.received.map((message) => message.header('message-id'))).toEqual([
    expect.stringContaining(email.id),
  ]);
  expect((await sending.emails(id))[0]).toMatchObject({ status: 'sent', attempts: 2 });
  rmSync(folder, { recursive: true, force: true });
});
