import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Reads what it is sent and does nothing for it: answers follow each other by the milliseconds of its argument. */
const everyMs = Number(process.argv[2]);
let next = 0;

const server = createServer((request, response) => {
  request.resume().once('end', async () => {
    const now = performance.now();
    next = Math.max(now, next + everyMs);
    await pause(next - now);
    response.writeHead(503).end();
  });
  request.once('error', () => {});
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  process.send!((server.address() as AddressInfo).port);
});
process.once('disconnect', () => process.exit());
