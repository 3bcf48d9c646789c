import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Lacre } from './lacre.ts';

/** What the page does: it reads and issues. A page that only shows requests `read` alone. */
const SCOPES = ['read', 'issue'];
const TTL_SECONDS = 600;
const TIMEOUT_MS = 10_000;

/**
 * `POST /token`: a token for the page that asks. Whoever gets one may do what its scopes say, so before this stands what
 * tells who somebody is: your application's own session. Pages of other origins cannot read the answer.
 */
export function tokenRoute({ url, key }: Lacre) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const respond = (status: number, body: object) =>
      response
        .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
        .end(JSON.stringify(body));
    if (request.method !== 'POST') return void respond(405, {});
    try {
      const answer = await fetch(`${url}/v1/access_tokens`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ scopes: SCOPES, ttl_seconds: TTL_SECONDS }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!answer.ok) throw new Error(`Lacre gave no token: ${answer.status}`);
      const { token } = (await answer.json()) as { token: string };
      // No time of day: the clock of a visitor's computer may be wrong.
      respond(200, { graphqlUrl: `${url}/graphql`, token, goodForMs: TTL_SECONDS * 1_000 });
    } catch (error) {
      console.error(error);
      respond(502, {});
    }
  };
}
