import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendEmailTask } from '../../jobs/send-email.ts';
import type { InvoiceContent } from '../../src/subjects/documents/content.ts';
import { EMAIL_LIMITS } from '../../src/subjects/emails/limits.ts';
import { Sending } from '../support/mail/sending.ts';

let sending: Sending;
beforeAll(async () => {
  sending = await Sending.open();
});
afterAll(() => sending?.close());
beforeEach(async () => {
  await sending.renew();
  await sending.service.owner.query('delete from graphile_worker._private_jobs');
});

const environmentId = () => sending.company.test.environmentId;
const run = (services = sending.service.services, abortSignal?: AbortSignal) =>
  sendEmailTask(services)({ environmentId: environmentId() }, { abortSignal } as never);
const jobs = async () =>
  (
    await sending.service.owner.query<{ key: string; later: boolean }>(
      `select key, run_at > now() + interval '30 seconds' as later from graphile_worker.jobs
        where task_identifier = 'send_email'`,
    )
  ).rows;
const key = () => `send_email:${environmentId()}`;

/** Runs turns until the environment has no job that is due. */
async function deliver(services = sending.service.services): Promise<void> {
  do {
    await sending.service.owner.query('delete from graphile_worker._private_jobs');
    await run(services);
  } while ((await jobs()).some(({ later }) => !later));
}

/** Invoices, each of which is to be sent. */
async function queued(count: number): Promise<{ id: string; number: string }[]> {
  const invoices: { id: string; number: string }[] = [];
  for (let index = 0; index < count; index += 1) {
    const invoice = await sending.issue();
    await sending.sent(invoice.id);
    invoices.push(invoice);
  }
  return invoices;
}

test('any number of e-mails leaves one job for the environment, which delivers all of them once', async () => {
  await queued(6);
  expect(await jobs()).toEqual([{ key: key(), later: false }]);
  await deliver();
  expect(sending.server.received).toHaveLength(6);
  expect(await jobs()).toEqual([]);
  await deliver();
  expect(sending.server.received).toHaveLength(6);
});

test('what the server refuses for now is tried again by a job at the time of its next attempt', async () => {
  await queued(2);
  sending.server.refuse = () => ({ code: 451, text: 'later' });
  await deliver();
  expect(await jobs()).toEqual([{ key: key(), later: true }]);
  sending.server.refuse = () => null;
  await deliver();
  expect(sending.server.received).toHaveLength(0);
  await sending.pass(60_000);
  await deliver();
  expect(sending.server.received).toHaveLength(2);
});

test('an e-mail that cannot be prepared waits, and does not hold up the others', async () => {
  const [broken] = await queued(2);
  const { services } = sending.service;
  const render = (content: InvoiceContent) =>
    content.number === broken!.number
      ? Promise.reject(new Error('a bug'))
      : services.renderer.render(content);
  await deliver({ ...services, renderer: { ...services.renderer, render } });
  expect(sending.server.received).toHaveLength(1);
  expect((await sending.emails(broken!.id))[0]).toMatchObject({ status: 'queued' });
  await deliver();
  expect(sending.server.received).toHaveLength(1);
  expect(await jobs()).toEqual([{ key: key(), later: true }]);
  await sending.pass(15 * 60_000);
  await deliver();
  expect(sending.server.received).toHaveLength(2);
});

test('a turn that is over leaves the rest to the next job', async () => {
  await queued(2);
  await sending.service.owner.query('delete from graphile_worker._private_jobs');
  await run(sending.service.services, AbortSignal.abort());
  expect(sending.server.received).toHaveLength(0);
  expect(await jobs()).toEqual([{ key: key(), later: false }]);
});

test('a process without a mail server leaves what is due to others', async () => {
  await queued(1);
  await expect(run({ ...sending.service.services, mailer: null })).rejects.toThrow('no mail server');
  expect((await jobs()).map((job) => job.key)).toEqual([key()]);
});

test('jobs that a mail server which hangs leaves without a connection end, and their e-mails wait', async () => {
  await queued(EMAIL_LIMITS.emailsAtOnce.value + 1);
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let reached = 0;
  sending.server.beforeAnswer = () => {
    reached += 1;
    return answered;
  };
  const hanging = run();
  await expect.poll(() => reached).toBe(EMAIL_LIMITS.emailsAtOnce.value);
  await sending.service.owner.query('delete from graphile_worker._private_jobs');
  await run();
  expect(await jobs()).toEqual([{ key: key(), later: false }]);
  expect(sending.server.received).toHaveLength(0);
  answer();
  await hanging;
  await deliver();
  expect(sending.server.received).toHaveLength(EMAIL_LIMITS.emailsAtOnce.value + 1);
});
