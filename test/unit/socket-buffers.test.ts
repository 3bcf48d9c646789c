import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { acceptedBytes, unacknowledged } from '../../rest/socket-buffers.ts';

/** More than the kernel's buffers of both ends hold together. */
const MUCH = Buffer.alloc(32 * 1024 * 1024);

test('what the kernel holds and its reader has not read is distinguished, until it is read', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  const [writer] = await accepted;
  try {
    writer.write(MUCH);
    const held = async () => (await unacknowledged([writer])).get(writer) ?? 0;
    await expect.poll(held, { timeout: 30_000 }).toBeGreaterThan(0);
    expect(acceptedBytes(writer)).toBeLessThan(MUCH.length);
    reader.resume();
    await expect
      .poll(async () => acceptedBytes(writer) - (await held()), { timeout: 30_000 })
      .toBe(MUCH.length);
  } finally {
    reader.destroy();
    writer.destroy();
    server.close();
  }
});
