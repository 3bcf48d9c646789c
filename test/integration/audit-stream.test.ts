import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditWebhook } from '../../src/faces/cli/doctor/audit-webhook.ts';
import { inTransaction } from '../../src/ground/db/transaction.ts';
import { addAuditEntry } from '../../src/ground/journal/audit-log.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { sendAuditLog } from '../../src/subjects/operations/send-audit-log.ts';
import { signedHeaders, signingKey } from '../../src/subjects/webhooks/signature.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { type CommandLine, commandLine } from '../support/processes/command-line.ts';

/** What operators do, as a stream: JSON lines, and the webhook of the installation. */

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

let database: TestDatabase;
let lacre: CommandLine;
let actor: string;
beforeAll(async () => {
  database = await testDatabase();
  lacre = commandLine(database.db);
  actor = (await createOperatorKey(database.db.pool, 'Ada')).id;
});
afterAll(() => database.close());

const act = (subject: string, milliseconds = 0) =>
  inTransaction(database.db.pool, async (client) => {
    await addAuditEntry(client, {
      ...{ actor, action: 'pause_chain', subject, environmentId: null, reason: 'a “reason”' },
      details: { n: 1 },
    });
    // The transaction lasts while others begin.
    await client.query('select pg_sleep($1)', [milliseconds / 1_000]);
  });

type Line = { readonly position: number; readonly id: string; readonly subject: string };

async function followed(from: number): Promise<Line[]> {
  const { exit, stdout, stderr } = await lacre(['audit', 'follow', '--from', String(from), '--until-now']);
  expect([exit, stderr]).toEqual([0, '']);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

const last = async (): Promise<number> => (await followed(0)).at(-1)?.position ?? 0;

test('a line has the entry, its position and the name of the operator', async () => {
  const from = await last();
  await act('chain 7');
  expect(await followed(from)).toEqual([
    {
      ...{ position: from + 1, id: expect.stringMatching(/^aud_/), at: expect.stringMatching(/^\d{4}-.*Z$/) },
      ...{ actor, actor_name: 'Ada', action: 'pause_chain', subject: 'chain 7', environment_id: null },
      ...{ reason: 'a “reason”', details: { n: 1 } },
    },
  ]);
  expect(await followed(from + 1)).toEqual([]);
  expect((await lacre(['audit', 'follow', '--from', 'x'])).exit).toBe(2);
});

test('whoever goes on after the last position misses nothing, whoever acts at the same time', async () => {
  const from = await last();
  const seen: string[] = [];
  let position = from;
  let writing = true;
  const writers = Promise.all(
    [0, 1, 2, 3].map(async (writer) => {
      for (let n = 0; n < 15; n += 1) await act(`${writer}/${n}`, (n % 3) * 4);
    }),
  ).finally(() => {
    writing = false;
  });
  const read = async () => {
    for (const line of await followed(position)) {
      expect(line.position).toBeGreaterThan(position);
      position = line.position;
      seen.push(line.subject);
    }
  };
  while (writing) await read();
  await writers;
  await read();
  const wanted = [0, 1, 2, 3].flatMap((writer) => Array.from({ length: 15 }, (_, n) => `${writer}/${n}`));
  expect(seen.toSorted()).toEqual(wanted.toSorted());
});

/** A receiver that answers what it is told, and keeps what it accepts. */
class Receiver {
  status = 200;
  readonly accepted: string[] = [];
  readonly signed: boolean[] = [];
  #server: Server | null = null;
  port = 0;

  async open(): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const {
          'webhook-id': id,
          'webhook-timestamp': seconds,
          'webhook-signature': signature,
        } = request.headers;
        const at = new Date(Number(seconds) * 1_000);
        const own = signedHeaders([signingKey(SECRET)], { id: String(id), at, body });
        this.signed.push(own['webhook-signature'] === signature && JSON.parse(body).id === id);
        if (this.status === 200) this.accepted.push(JSON.parse(body).subject);
        response.writeHead(this.status).end();
      });
    });
    await new Promise<void>((done) => server.listen(this.port, '127.0.0.1', done));
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async close(): Promise<void> {
    const server = this.#server!;
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

const send = (receiver: Receiver, webhooksAllowPrivate = true) => {
  const url = `http://127.0.0.1:${receiver.port}/audit`;
  return sendAuditLog({
    db: database.db,
    config: { auditWebhook: { url, secret: SECRET }, webhooksAllowPrivate },
  });
};

const due = () => database.owner.query('update audit_webhook set next_at = now() where next_at is not null');

async function finding() {
  const [found] = await auditWebhook({ auditWebhook: { url: 'http://x/', secret: SECRET } }, database.db);
  return found!;
}

beforeEach(async () => {
  await database.owner.query(
    `insert into audit_webhook (id, position) select 1, position from journal_head where environment_id = 0
     on conflict (id) do update set position = excluded.position, attempts = 0, next_at = null, failing_since = null,
       last_error = null, lease = null, lease_until = null`,
  );
});

test('the webhook gets each entry in order, signed; a receiver that dies gets the rest when it is back', async () => {
  const receiver = new Receiver();
  await receiver.open();
  try {
    await act('one');
    await act('two');
    expect(await send(receiver)).toBeNull();
    expect((await finding()).result).toBe('ok');
    await receiver.close();
    await act('three');
    await act('four');
    expect(await send(receiver)).toBeInstanceOf(Date);
    expect(await finding()).toMatchObject({
      result: 'failure',
      summary: expect.stringContaining('2 entries'),
    });
    // Before its next attempt is due nothing is sent.
    await receiver.open();
    expect(await send(receiver)).toBeNull();
    expect(receiver.accepted).toEqual(['one', 'two']);
    await due();
    receiver.status = 503;
    expect(await send(receiver)).toBeInstanceOf(Date);
    await due();
    receiver.status = 200;
    expect(await send(receiver)).toBeNull();
    expect(receiver.accepted).toEqual(['one', 'two', 'three', 'four']);
    expect(new Set(receiver.signed)).toEqual(new Set([true]));
    expect((await finding()).result).toBe('ok');
  } finally {
    await receiver.close();
  }
});

test('several senders and writers at once deliver everything, in order and by one sender at a time', async () => {
  const receiver = new Receiver();
  await receiver.open();
  try {
    let writing = true;
    const writers = Promise.all(
      [0, 1, 2].map(async (writer) => {
        for (let n = 0; n < 10; n += 1) await act(`${writer}/${n}`, n % 3);
      }),
    ).finally(() => {
      writing = false;
    });
    while (writing) await Promise.all([send(receiver), send(receiver)]);
    await writers;
    await send(receiver);
    const { accepted } = receiver;
    expect(accepted).toHaveLength(30);
    expect(new Set(accepted).size).toBe(30);
    for (const writer of ['0', '1', '2'])
      expect(accepted.filter((subject) => subject.startsWith(`${writer}/`))).toEqual(
        Array.from({ length: 10 }, (_, n) => `${writer}/${n}`),
      );
  } finally {
    await receiver.close();
  }
});

test('private addresses are refused as those of any webhook, and the failure is kept', async () => {
  const receiver = new Receiver();
  await receiver.open();
  try {
    await act('hidden');
    expect(await send(receiver, false)).toBeInstanceOf(Date);
    expect(receiver.accepted).toEqual([]);
    expect(await finding()).toMatchObject({ summary: expect.stringContaining('https') });
  } finally {
    await receiver.close();
  }
});
