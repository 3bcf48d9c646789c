import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Db } from '../ground/db/client.ts';
import { isRefusal } from '../ground/errors/refusal.ts';
import type { Logger } from '../ground/lib/logger.ts';
import type { Services } from '../services.ts';
import {
  changeEndpoint,
  createEndpoint,
  rotateSecret,
  type Webhooks,
} from '../subjects/webhooks/endpoints.ts';
import { listEndpoints } from '../subjects/webhooks/store/read-endpoints.ts';
import type { Closing } from './closing.ts';

const NAME = 'Demo receiver';

/**
 * Receives the events of the demo company's environments on the loopback address and logs them, so that webhooks
 * can be seen to work and the console shows deliveries. Its port changes at each start, and so does its secret,
 * because the previous one cannot be read.
 */
export async function startDemoReceiver(
  services: Pick<Services, 'db' | 'config' | 'encryptionKeys' | 'log' | 'authenticator'>,
  keys: readonly string[],
  closing: Closing,
): Promise<void> {
  const { db, config, log } = services;
  if (!config.webhooksAllowPrivate) return;
  const webhooks = { db, keys: services.encryptionKeys, allowPrivate: true };
  const secrets = new Map<string, string>();
  const server = createServer(async (request, response) => {
    const secret = secrets.get(request.url ?? '');
    const body = await text(request).catch(() => '');
    const taken = secret !== undefined && isSigned(secret, request.headers, body);
    if (taken) logDelivery(log, body);
    response.writeHead(taken ? 204 : 400).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  closing.add('demo receiver', () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  for (const key of keys) {
    const caller = await services.authenticator.merchant(`Bearer ${key}`);
    if (caller === null) throw new Error('the demo has no key that works');
    const path = `/${caller.environment}`;
    secrets.set(path, await listenAt(webhooks, caller.environmentId, `http://127.0.0.1:${port}${path}`));
  }
}

/** Registers an endpoint for the environment's events; returns its signing secret. */
async function listenAt(
  webhooks: Webhooks & { readonly db: Db },
  environmentId: number,
  url: string,
): Promise<string> {
  const before = (await listEndpoints(webhooks.db, environmentId)).find(
    ({ description }) => description === NAME,
  );
  if (before === undefined) {
    const request = { url, eventTypes: ['*' as const], description: NAME };
    const made = await createEndpoint(webhooks, environmentId, request);
    if (isRefusal(made)) throw new Error(`the demo's endpoint was refused: ${made.detail}`);
    return made.secret;
  }
  const rotated = await rotateSecret(webhooks, environmentId, before.id, 0);
  if (isRefusal(rotated)) throw new Error(`the demo's secret was refused: ${rotated.detail}`);
  const moved = await changeEndpoint(webhooks, environmentId, before.id, { url });
  if (isRefusal(moved)) throw new Error(`the demo's endpoint was refused: ${moved.detail}`);
  return rotated.secret;
}

/** As any receiver would check it: a signature of Standard Webhooks, with the secret in force. */
function isSigned(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`,
  );
  const sent = Buffer.from(String(signature));
  return expected.length === sent.length && timingSafeEqual(expected, sent);
}

function logDelivery(log: Logger, body: string): void {
  const { id, type, sequence, environment } = JSON.parse(body) as Record<string, unknown>;
  log.info({ event: id, type, sequence, environment }, 'webhook received by the demo');
}
