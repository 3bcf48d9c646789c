import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { isDatabaseFailure } from '../../src/ground/db/condition/failures.ts';

test('a server that accepts a connection and sends nothing is a failure of the database', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new pg.Client({ host: '127.0.0.1', port, connectionTimeoutMillis: 20 });
  const failure = await client.connect().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(isDatabaseFailure(failure)).toBe(true);
  server.close();
});

test('a programming error is none', () => {
  expect(isDatabaseFailure(new TypeError('undefined is not a function'))).toBe(false);
});
