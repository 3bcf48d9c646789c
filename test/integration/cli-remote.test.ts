import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LacreClient, verifyWebhook } from '@lacre/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../src/ground/journal/entry.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { workBatches } from '../../src/subjects/batches/work-batches.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { decideRecords } from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { type CommandLine, commandLineOn } from '../support/processes/command-line.ts';
import { Receiver } from '../support/webhooks/receiver.ts';

/** What the command line does over REST, with nothing of the service at hand but its address and a key. */

let service: TestService;
let lacre: CommandLine;
let receiver: Receiver;
let hook: string;
const folder = mkdtempSync(join(tmpdir(), 'lacre-remote-'));
const profiles = join(folder, 'config', 'profiles.json');

const none = (): never => {
  throw new Error('neither settings nor a database are wanted');
};

beforeAll(async () => {
  service = await testService();
  lacre = commandLineOn({ config: none, database: none, profiles });
  receiver = new Receiver();
  hook = await receiver.open();
  await login('live', service.company.live.key);
  await login('shop', service.company.test.key);
});
afterAll(async () => {
  receiver.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const login = (name: string, key: string) =>
  lacre(['login', '--profile', name, '--url', `${service.url}/`, '--key-file', '-'], `${key}\n`);

const client = () => new LacreClient({ baseUrl: service.url, key: service.company.test.key });

const ticket = JSON.stringify(aSimplifiedInvoice());

describe('logins', () => {
  test('are stored readable by their owner only, and are listed without their keys', async () => {
    const { exit, stdout } = await login('shop', service.company.test.key);
    expect({ exit, stdout }).toMatchObject({ exit: 0, stdout: expect.stringContaining('environment: test') });
    expect(statSync(profiles).mode & 0o777).toBe(0o600);
    const listed = await lacre(['profiles', '--json']);
    expect(listed.json()).toEqual([
      expect.objectContaining({ profile: 'live', environment: 'live', current: false }),
      expect.objectContaining({ profile: 'shop', environment: 'test', url: service.url, current: true }),
    ]);
    expect(stdout + listed.stdout).not.toContain(service.company.test.key);
  });

  test('are refused without a key of an environment that works', async () => {
    expect(await login('wrong', 'sk_test_wrong')).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('unauthorized'),
    });
    expect(await login('none', '')).toMatchObject({ exit: 2 });
    const { key } = await createOperatorKey(service.db.pool, 'Ada');
    expect(await login('operator', key)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('operator'),
    });
    const away = ['login', '--url', 'http://127.0.0.1:9', '--key-file', '-'];
    expect(await lacre(away, 'sk_test_x')).toMatchObject({ exit: 5 });
    expect((await lacre(['profiles', '--json'])).json()).toHaveLength(2);
  });

  test('are deleted by logout', async () => {
    await login('old', service.company.test.key);
    expect(await lacre(['logout', '--profile', 'old'])).toMatchObject({
      exit: 0,
      stdout: 'deleted: old\n',
    });
    expect(await lacre(['logout', '--profile', 'old'])).toMatchObject({ exit: 4 });
    expect(readFileSync(profiles, 'utf8')).not.toContain('"old"');
    await login('shop', service.company.test.key);
  });

  test('are required for commands over REST', async () => {
    const nobody = commandLineOn({ config: none, database: none, profiles: join(folder, 'none.json') });
    expect(await nobody(['invoices', 'list'])).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('lacre login'),
    });
    expect(await lacre(['invoices', 'list', '--profile', 'nowhere'])).toMatchObject({ exit: 2 });
  });
});

describe('invoices', () => {
  test('are issued from a file or from standard input, once for a key, and read again', async () => {
    const file = join(folder, 'ticket.json');
    writeFileSync(file, ticket);
    const first = (await lacre(['invoices', 'create', '-f', file, '--json'])).json();
    expect(first).toMatchObject({ status: 'issued', verifactu: { status: 'registered' } });
    const keyed = ['invoices', 'create', '-f', '-', '--idempotency-key', 'once', '--json'];
    const [one, other] = [(await lacre(keyed, ticket)).json(), (await lacre(keyed, ticket)).json()];
    expect(other.id).toBe(one.id);
    const read = await lacre(['invoices', 'get', one.id, '--expand', 'payments,records', '--json']);
    expect(read.json()).toMatchObject({ number: one.number, payments: [], records: [expect.anything()] });
    expect(await lacre(['invoices', 'get', one.id, '--expand', 'all'])).toMatchObject({ exit: 2 });
    const listed = await lacre(['invoices', 'list', '--limit', '1', '--type', 'simplified', '--json']);
    expect(listed.json()).toMatchObject({
      invoices: [{ id: one.id, registration: 'registered' }],
      hasMore: true,
    });
    const byNumber = await lacre(['invoices', 'list', '--number', first.number, '--json']);
    expect(byNumber.json().invoices).toEqual([expect.objectContaining({ id: first.id })]);
    expect(await lacre(['invoices', 'list', '--text', 'x'])).toMatchObject({ exit: 2 });
  });

  test('are issued by the line from a file, in its order and once, with the faults of single lines', async () => {
    const file = join(folder, 'tickets.jsonl');
    const line = (external_id: string, parts: object = {}) =>
      JSON.stringify(aSimplifiedInvoice({ external_id, ...parts }));
    const lines = [line('l-1'), '', line('l-2', { line_items: [] }), line('l-3')];
    writeFileSync(file, lines.join('\n'));
    const create = ['invoices', 'create', '--batch', file, '--json'];
    let sending = true;
    const working = (async () => {
      // As the job does whenever it is woken.
      for (; sending; await pause(20))
        await workBatches(service.services, service.company.test.environmentId, undefined);
    })();
    try {
      const fault = { line: 3, externalId: 'l-2', code: 'invalid_request', detail: expect.any(String) };
      for (const again of [false, true]) {
        const summary = { again, ...(await lacre(create)).json() };
        expect(summary).toEqual({ again, invoices: 3, issued: 2, failed: 1, errors: [fault] });
      }
      writeFileSync(file, lines.with(2, line('l-2')).join('\n'));
      expect((await lacre(create)).json()).toMatchObject({ issued: 3, failed: 0 });
    } finally {
      sending = false;
      await working;
    }
    const issued = await client()
      .invoices.list({ external_id: ['l-1', 'l-2', 'l-3'] })
      .first();
    expect(issued.data.map(({ external_id }) => external_id)).toEqual(['l-2', 'l-3', 'l-1']);
    for (const [text, why] of [
      ['{', 'line 1 must be a JSON object'],
      ['{}', 'line 1 must have an external_id'],
      [`${line('x')}\n\n${line('x')}`, 'line 3 has the external_id of line 1'],
      ['', 'contains no invoice'],
    ] as const) {
      writeFileSync(file, text);
      expect(await lacre(create)).toMatchObject({ exit: 3, stderr: expect.stringContaining(why) });
    }
    expect(await lacre(['invoices', 'create'])).toMatchObject({ exit: 2 });
    const live = ['invoices', 'create', '--batch', file, '--profile', 'live'];
    expect(await lacre(live)).toMatchObject({ exit: 7 });
  });

  test('are issued live with --live, and their registration is awaited', async () => {
    const live = ['invoices', 'create', '--profile', 'live', '-f', '-', '--json'];
    const refused = await lacre(live, ticket);
    expect(refused.exit).toBe(7);
    expect(refused.stderr).toContain('Talleres Ñandú SL');
    expect((await lacre(['invoices', 'list', '--profile', 'live', '--json'])).json().invoices).toEqual([]);
    const waiting = lacre([...live, '--live', '--wait'], ticket);
    let pending: { id: string } | undefined;
    while (pending === undefined)
      pending = (await lacre(['invoices', 'list', '--profile', 'live', '--json'])).json().invoices[0];
    await decideRecords(service.db, pending.id, 'registered');
    expect((await waiting).json()).toMatchObject({ id: pending.id, verifactu: { status: 'registered' } });
  });

  test('that are refused show why, by code and field', async () => {
    const { exit, stderr } = await lacre(
      ['invoices', 'create', '-f', '-', '--json'],
      '{"type":"simplified"}',
    );
    expect(exit).toBe(3);
    expect(JSON.parse(stderr)).toMatchObject({
      ...{ error: 'refused', code: 'invalid_request' },
      errors: [expect.objectContaining({ field: 'line_items' })],
    });
    expect(await lacre(['invoices', 'create', '-f', '-'], 'no JSON')).toMatchObject({ exit: 3 });
    expect(await lacre(['invoices', 'get', 'inv_none'])).toMatchObject({ exit: 4 });
  });
});

/** The sequence of the newest event. */
async function newest(): Promise<string> {
  const { data } = await client().events.list({ limit: 1, order: 'desc' }).first();
  return String(data[0]?.sequence ?? 0);
}

describe('events', () => {
  test('are shown as they happen', async () => {
    const from = await newest();
    const following = lacre([
      'events',
      'tail',
      '--after-sequence',
      from,
      '--types',
      'invoice.issued',
      '--limit',
      '2',
    ]);
    const numbers = [
      await client().invoices.create(JSON.parse(ticket)),
      await client().invoices.create(JSON.parse(ticket)),
    ];
    const { exit, stdout } = await following;
    expect(exit).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ').slice(2));
    expect(lines).toEqual(numbers.map(({ id }) => ['invoice.issued', id]));
    expect(await lacre(['events', 'tail', '--types', 'invoice.unheard'])).toMatchObject({ exit: 3 });
  });

  test('are forwarded as a webhook endpoint would get them, signed', async () => {
    const from = await newest();
    const { id } = await client().invoices.create(JSON.parse(ticket));
    const words = [
      'listen',
      '--forward-to',
      hook,
      '--after-sequence',
      from,
      '--types',
      'invoice.issued',
      '--limit',
      '1',
    ];
    const { exit, stdout } = await lacre(words);
    expect(exit).toBe(0);
    const [, secret = ''] = /^Signed with (whsec_\S+)\n/.exec(stdout) ?? [];
    expect(stdout).toMatch(/ invoice\.issued inv_\w+ -> 204\n$/);
    const { headers, body } = receiver.received.at(-1)!;
    const event = await verifyWebhook(body, headers, secret);
    expect(event).toMatchObject({ type: 'invoice.issued', data: { object: { id, pdf_url: null } } });
    // The same secret the next time, and whoever does not listen is told of.
    const deaf = [
      'listen',
      '--forward-to',
      'http://127.0.0.1:9/',
      '--after-sequence',
      from,
      '--limit',
      '1',
      '--json',
    ];
    const [first, second] = (await lacre(deaf)).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toEqual({ secret });
    expect(second.result).toEqual(expect.any(String));
  });
});

describe('trigger', () => {
  /** Of these something happens in a test environment. */
  const HAPPENING = [
    ...['invoice.issued', 'invoice.registered', 'invoice.document_ready', 'invoice.voided'],
    ...['invoice.payment_recorded', 'invoice.paid', 'invoice.payment_removed'],
    ...['invoice.recipient_paid', 'invoice.recipient_rejected', 'invoice.recipient_status_withdrawn'],
    ...['number_series.created', 'number_series.deleted'],
  ];

  test.each(HAPPENING)('%s makes that event', async (type) => {
    const from = Number(await newest());
    const { exit, stderr } = await lacre(['trigger', type, '--json']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const types: string[] = [];
    for await (const event of client().events.list({ after_sequence: from })) types.push(event.type);
    expect(types).toContain(type);
  });

  test.each(EVENT_TYPES.filter((type) => !HAPPENING.includes(type)))(
    'a sample event of %s is posted',
    async (type) => {
      const { exit, stdout } = await lacre(['trigger', type, '--forward-to', hook, '--json']);
      expect({ exit, ...JSON.parse(stdout) }).toEqual({
        exit: 0,
        type,
        done: 'sample event posted',
        answer: 204,
      });
      const { headers, body } = receiver.received.at(-1)!;
      const secret = JSON.parse(readFileSync(profiles, 'utf8')).profiles.shop.listen_secret;
      const event = await verifyWebhook(body, headers, secret);
      expect(event).toMatchObject({ type, sequence: 0, environment: 'test' });
    },
  );

  test('posts sample events to the URL of the last `listen`, and requires a URL if there was none', async () => {
    const listening = ['listen', '--forward-to', hook, '--after-sequence', '0', '--limit', '1'];
    expect(await lacre(listening)).toMatchObject({ exit: 0 });
    const { exit, stdout } = await lacre(['trigger', 'invoice.rejected', '--json']);
    expect({ exit, ...JSON.parse(stdout) }).toMatchObject({
      exit: 0,
      done: 'sample event posted',
      answer: 204,
    });
    expect(JSON.parse(receiver.received.at(-1)!.body)).toMatchObject({ type: 'invoice.rejected' });
    const kept = JSON.parse(readFileSync(profiles, 'utf8'));
    const { listen_to, ...deaf } = kept.profiles.shop;
    expect(listen_to).toBe(hook);
    writeFileSync(profiles, JSON.stringify({ ...kept, profiles: { ...kept.profiles, shop: deaf } }));
    const refused = await lacre(['trigger', 'invoice.rejected']);
    expect(refused).toMatchObject({ exit: 2, stderr: expect.stringContaining('--forward-to') });
  });

  test('shows a rejection as the agency would pronounce it', async () => {
    await lacre(['trigger', 'invoice.rejected', '--forward-to', hook]);
    expect(JSON.parse(receiver.received.at(-1)!.body).data).toMatchObject({
      object: { verifactu: { status: 'rejected', error: { code: '1110' } } },
      previous: { verifactu: { status: 'pending' } },
    });
  });
});
