import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LacreClient, verifyWebhook } from '@lacre/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startJobs } from '../../jobs/runner.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type CommandLine, commandLineOn } from '../support/processes/command-line.ts';
import { Receiver } from '../support/webhooks/receiver.ts';

/** `lacre trigger` with a login for a live environment: what it does depends on who registers its invoices. */

let service: TestService;
/** The same service when its records go to the tax agency. */
let real: TestService;
let jobs: Awaited<ReturnType<typeof startJobs>>;
let lacre: CommandLine;
const folder = mkdtempSync(join(tmpdir(), 'lacre-trigger-'));

const none = (): never => {
  throw new Error('neither settings nor a database are wanted');
};

beforeAll(async () => {
  service = await testService();
  real = await testService({ AGENCY: 'preproduction' }, { beside: service });
  const wait = { mode: 'ok', wait_seconds: 0, enforce_wait: false };
  expect((await service.simulator.control(wait)).ok).toBe(true);
  jobs = await startJobs(service.services, () => {});
  lacre = commandLineOn({ config: none, database: none, profiles: join(folder, 'profiles.json') });
  for (const [name, { url }] of Object.entries({ real, simulated: service })) {
    const words = ['login', '--profile', name, '--url', url, '--key-file', '-'];
    expect(await lacre(words, service.company.live.key)).toMatchObject({ exit: 0 });
  }
});
afterAll(async () => {
  await jobs.stop();
  await real.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const client = () => new LacreClient({ baseUrl: service.url, key: service.company.live.key });

const newest = async () =>
  (await client().events.list({ limit: 1, order: 'desc' }).first()).data[0]?.sequence ?? 0;

describe('where records go to the simulator', () => {
  test.each([
    ['invoice.registered', 'registered'],
    ['invoice.registered_with_errors', 'registered_with_errors'],
    ['invoice.rejected', 'rejected'],
  ])('%s is what it answers to an invoice that is issued for it', async (type, status) => {
    const from = await newest();
    const { exit, stdout, stderr } = await lacre(['trigger', type, '--json']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const events = [];
    for await (const event of client().events.list({ after_sequence: from })) events.push(event);
    const triggered = events.find((event) => event.type === type)!;
    expect(triggered).toMatchObject({
      environment: 'live',
      data: { object: { verifactu: { status } }, previous: { verifactu: { status: 'pending' } } },
    });
    expect(JSON.parse(stdout).done).toContain((triggered.data.object as { id: string }).id);
  });

  test('an invoice that it has flagged is amended', async () => {
    const from = await newest();
    expect(await lacre(['trigger', 'invoice.amended'])).toMatchObject({ exit: 0, stderr: '' });
    const types: string[] = [];
    for await (const { type } of client().events.list({ after_sequence: from })) types.push(type);
    expect(types).toContain('invoice.amended');
  });

  test('its answer is forwarded by `listen`, signed', async () => {
    const receiver = new Receiver();
    try {
      const from = await newest();
      await lacre(['trigger', 'invoice.rejected']);
      const listening = ['listen', '--forward-to', await receiver.open(), '--after-sequence', String(from)];
      const only = ['--types', 'invoice.rejected', '--limit', '1', '--json'];
      const { stdout } = await lacre([...listening, ...only]);
      const { secret } = JSON.parse(stdout.split('\n')[0]!);
      const [{ headers, body }] = receiver.received as [(typeof receiver.received)[number]];
      expect(await verifyWebhook(body, headers, secret)).toMatchObject({
        ...{ type: 'invoice.rejected', environment: 'live' },
        data: { object: { verifactu: { status: 'rejected', error: { code: '1110' } } } },
      });
    } finally {
      receiver.close();
    }
  });

  test('what does not occur is a sample of that environment', async () => {
    const receiver = new Receiver();
    try {
      const hook = await receiver.open();
      expect(await lacre(['trigger', 'chain.held', '--forward-to', hook])).toMatchObject({ exit: 0 });
      expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
        ...{ type: 'chain.held', environment: 'live', sequence: 0 },
      });
    } finally {
      receiver.close();
    }
  });
});

test('where records go to the tax agency nothing is issued', async () => {
  const newestInvoice = async () => (await client().invoices.list({ limit: 1 }).first()).data[0]?.id;
  const before = await newestInvoice();
  for (const type of ['invoice.issued', 'invoice.rejected', 'chain.held']) {
    expect(await lacre(['trigger', type, '--profile', 'real'])).toMatchObject({
      ...{ exit: 2, stderr: expect.stringContaining('registered with the tax agency') },
    });
  }
  expect(await newestInvoice()).toBe(before);
});
