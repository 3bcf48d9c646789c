import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../src/ground/errors/refusal.ts';
import type { Services } from '../src/services.ts';
import type { Caller, Operator } from '../src/subjects/accounts/entry/caller.ts';
import { allowedOrigins, originLookup } from '../src/subjects/accounts/entry/origins.ts';

export type BrowserRules = ReturnType<typeof browserRules>;

/**
 * What pages of other origins may ask at /graphql (Fetch standard, CORS): nothing, unless an environment names their
 * origin, and then with an access token of that environment alone.
 */
export function browserRules({ db, config }: Pick<Services, 'db' | 'config'>) {
  const isNamedAnywhere = originLookup(db);
  const foreignOrigin = (request: FastifyRequest) => foreignOriginOf(request, config);

  return {
    /**
     * Looks at a request whose key has been looked up: 403 `forbidden` for a key that came from a browser, and for a
     * token from a page that its environment does not name.
     */
    async refusalFor(request: FastifyRequest, reply: FastifyReply): Promise<Refusal | null> {
      reply.header('vary', 'Origin');
      const origin = foreignOrigin(request);
      if (origin === null) return null;
      const token = request.caller?.kind === 'merchant' ? request.caller.accessToken : null;
      const isAllowed = token === null ? await isNamedAnywhere(origin) : token.origins.includes(origin);
      // Also beside a refusal: else the page could not read it, and not learn that its token has expired.
      if (isAllowed) allow(reply, origin);
      if (request.caller !== null && token === null) return new Refusal('forbidden', KEY_IN_BROWSER);
      return token === null || isAllowed ? null : new Refusal('forbidden', NOT_NAMED);
    },

    /** Whether the page that a request came from may still read with the caller's token. */
    stillAllows(request: FastifyRequest, caller: Caller | Operator): boolean {
      const origin = foreignOrigin(request);
      const token = caller.kind === 'merchant' ? caller.accessToken : null;
      return origin === null || token?.origins.includes(origin) === true;
    },

    /** Answers what a browser asks ahead of a request of its own; without the headers it goes no further. */
    async preflight(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      reply.header('vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
      reply.header('allow', 'GET, HEAD, POST, OPTIONS');
      const { origin } = request.headers;
      const isPreflight = request.headers['access-control-request-method'] !== undefined;
      if (isPreflight && origin !== undefined && (await isNamedAnywhere(origin))) {
        allow(reply, origin)
          .header('access-control-allow-methods', 'GET, POST')
          .header(
            'access-control-allow-headers',
            'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Cost, X-Request-Id',
          )
          .header('access-control-max-age', String(PREFLIGHT_CACHE_SECONDS));
      }
      return reply.code(204).send();
    },
  };
}

/**
 * What pages of other origins may do with the PDF behind a signed link: those that the environment of the link names show it in
 * a frame and read it. Other pages do neither (CSP 3, frame-ancestors; Fetch standard, CORS).
 */
export function fileRules({ db, config }: Pick<Services, 'db' | 'config'>) {
  const isNamedAnywhere = originLookup(db);

  /** `environmentId`: null where the link opens nothing; a page that some environment names learns why. */
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    environmentId: number | null,
  ): Promise<void> => {
    const origins = environmentId === null ? [] : await allowedOrigins(db, environmentId);
    reply
      .header('vary', 'Origin')
      .header('content-security-policy', `frame-ancestors ${origins.join(' ') || "'none'"}`);
    // It can name no other origin than the own one, and browsers that know the policy ignore it.
    if (origins.length > 0) reply.removeHeader('x-frame-options');
    const origin = foreignOriginOf(request, config);
    if (origin === null) return;
    const isAllowed = environmentId === null ? await isNamedAnywhere(origin) : origins.includes(origin);
    if (isAllowed) allow(reply, origin, 'Content-Disposition, ');
  };
}

/** Our own pages, such as GraphiQL, ask as programs do. */
function foreignOriginOf(
  { headers, protocol, host }: FastifyRequest,
  { baseUrl }: Services['config'],
): string | null {
  const { origin } = headers;
  const isOwn = origin === new URL(baseUrl).origin || origin === `${protocol}://${host}`;
  return origin === undefined || isOwn ? null : origin;
}

/** A page is spared a question before each request; an origin that is taken away is refused at the request itself. */
const PREFLIGHT_CACHE_SECONDS = 600;

const KEY_IN_BROWSER =
  'This key came from a web page, where whoever opens the page can read it. Revoke it, keep keys on servers, and give pages access tokens (POST /v1/access_tokens).';
export const NOT_NAMED =
  'The environment of the access token does not allow requests from this origin; `setAllowedOrigins` says which it allows.';

function allow(reply: FastifyReply, origin: string, alsoExposed = ''): FastifyReply {
  return reply
    .header('access-control-allow-origin', origin)
    .header(
      'access-control-expose-headers',
      `${alsoExposed}Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id`,
    );
}
