/**
 * For Workers. There a timer or a stream belongs to the request in which it was made and ends with it, so the client that
 * all requests share must not rely on what another of them has made.
 */
import { LacreClient } from '@lacre/client';
import { runFlow } from './flow.mjs';

/** The client that all requests share. */
let shared;

export default {
  async fetch(request, { LACRE_URL: baseUrl, LACRE_KEY: key, LACRE_LIVE_KEY: liveKey, NO_ANSWER: none }) {
    try {
      if (new URL(request.url).pathname === '/run') {
        return new Response(await runFlow({ baseUrl, key, liveKey }));
      }
      const never = (url, init) => fetch(url.endsWith('/never') ? none : url, init);
      shared ??= new LacreClient({ baseUrl, key, fetch: never, timeoutMs: 500, maxRetries: 0 });
      const id = new URL(request.url).pathname.slice(1);
      const read = await shared.invoices.retrieve(id).then(
        () => 'read',
        ({ code, message }) => `${code}: ${message}`,
      );
      return new Response(`${read}\n`);
    } catch (error) {
      return new Response(`${error?.stack}\n`, { status: 500 });
    }
  },
};
