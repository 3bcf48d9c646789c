import { createServer, type IncomingMessage, type Server } from 'node:http';
import { LacreError, type LacreEvent, verifyWebhook } from '@lacre/client';

/** The largest event has an invoice of 500 lines. */
const LARGEST_BODY = 2 * 1024 * 1024;

/**
 * A server that takes deliveries at `/lacre`. `handle` is called once for each event, with the secret that `secretOf`
 * reads; what it throws makes a 500, and the event comes again.
 */
export function webhookServer(
  secretOf: () => string,
  handle: (event: LacreEvent) => Promise<void> | void,
): Server {
  // A shop keeps these in its database, in the transaction that does what the event requests.
  const seen = new Set<string>();

  async function take(request: IncomingMessage): Promise<number> {
    // The bytes as they came: JSON that was parsed and written again has another signature.
    const body = await bytesOf(request);
    if (body === null) return 413;
    try {
      const event = await verifyWebhook(body, request.headers, secretOf());
      if (!seen.has(event.id)) {
        await handle(event);
        seen.add(event.id);
      }
      return 204;
    } catch (error) {
      return error instanceof LacreError ? 400 : 500;
    }
  }

  return createServer(async (request, response) => {
    const isOurs = request.method === 'POST' && request.url === '/lacre';
    response.writeHead(isOurs ? await take(request) : 404).end();
  });
}

/** What arrived, or null if it is more than any event. */
async function bytesOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
