import type { ServerResponse } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerTooLarge } from '../src/faces/graphql/answer-size.ts';
import { formatRefusal } from '../src/faces/graphql/errors.ts';
import { graphiqlPage } from '../src/faces/graphql/graphiql.ts';
import { needsKey } from '../src/faces/graphql/public-access.ts';
import { createGraphQLServer, type RequestContext } from '../src/faces/graphql/server.ts';
import { inSpanish } from '../src/ground/errors/in-spanish.ts';
import { isRefusal, Refusal } from '../src/ground/errors/refusal.ts';
import { preferredLanguage } from '../src/ground/lib/language.ts';
import { SHARED_LIMITS } from '../src/ground/lib/limits.ts';
import type { Services } from '../src/services.ts';
import { identify } from '../src/subjects/accounts/entry/authenticate.ts';
import { sendAllowance } from './answer.ts';
import { type BrowserRules, browserRules } from './browsers.ts';
import { bodyRefusal, parametersRefusal, settleAccept } from './graphql-request.ts';
import { idempotencyKeyOf } from './guards.ts';
import { HttpError, logError, refusalOfError } from './http-errors.ts';
import { REQUEST_LIMITS } from './limits.ts';
import { liveUpdates, TOKEN_EXPIRED } from './live.ts';
import { recordRefusal } from './request-observer.ts';

type Refuse = (reply: FastifyReply, refusal: Refusal) => FastifyReply;

const NO_KEY = 'The API key is missing, malformed, expired or revoked.';

/**
 * GraphQL at /graphql, on the same terms as REST: the key is looked up first, bodies are JSON in UTF-8 of limited size, and
 * errors before a query is read are refused in GraphQL's own form. Without a key only as much of a body is read as a query
 * that needs no key may have.
 */
export function addGraphQL(server: FastifyInstance, services: Services): void {
  const { baseUrl, graphql } = services.config;
  const schemaIsOpen = graphql.introspection === 'everyone';
  const refuse: Refuse = (reply, refusal) => {
    recordRefusal(reply.request, refusal);
    if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter));
    const { code, detail, errors, status } = refusal;
    const plain = { code, detail, errors, status, retryAfter: refusal.retryAfter };
    const isSpanish = preferredLanguage(reply.request.headers['accept-language']) === 'es';
    if (isSpanish) reply.header('content-language', 'es');
    const said = isSpanish ? inSpanish(plain) : plain;
    return reply
      .code(refusal.status)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ errors: [formatRefusal(said, undefined, baseUrl)] }));
  };
  const browsers = browserRules(services);
  const answer = answering(services, refuse, browsers);
  server.register(async (scope) => {
    scope.setErrorHandler((error: Error, request, reply) => {
      const refusal = refusalOfError(error);
      logError(services, refusal, error, request);
      return refuse(reply, refusal);
    });
    scope.route({ url: '/graphql', method: 'OPTIONS', handler: browsers.preflight });
    scope.route({
      url: '/graphql',
      method: ['GET', 'POST'],
      onRequest: async (request, reply) => {
        const caller = await identify(services, request.headers.authorization, request.ip, [
          'merchant',
          'operator',
        ]);
        if (isRefusal(caller)) {
          await browsers.refusalFor(request, reply);
          return refuse(reply, caller);
        }
        request.caller = caller;
        const refusal = await browsers.refusalFor(request, reply);
        if (refusal !== null) return refuse(reply, refusal);
        if (request.caller !== null || lengthOf(request) <= REQUEST_LIMITS.anonymousBody.value)
          return undefined;
        return refuse(reply, new Refusal('unauthorized', NO_KEY));
      },
      preParsing: (request, _reply, payload, done) => {
        const isBounded = request.caller !== null || request.headers['content-length'] !== undefined;
        done(null, isBounded ? payload : bounded(payload as Readable));
      },
      handler: async (request, reply) => {
        if (graphql.graphiql && isBrowser(request)) return (await graphiqlPage()).send(request, reply);
        const isPosted = request.method === 'POST';
        const fault = isPosted ? bodyRefusal(request.body) : parametersRefusal(request.raw.url ?? '');
        if (fault !== null) return refuse(reply, fault);
        settleAccept(request.raw.headers);
        if (subscribesWithExpiredToken(request, services)) return refuse(reply, TOKEN_EXPIRED);
        return isRefusedAtOnce(request, schemaIsOpen)
          ? refuse(reply, new Refusal('unauthorized', NO_KEY))
          : answer(request, reply);
      },
    });
  });
}

/** Only subscriptions are told apart: whatever else a token that is over sends is `unauthorized`, over REST and GraphQL alike. */
function subscribesWithExpiredToken(
  { caller, headers }: FastifyRequest,
  { authenticator }: Pick<Services, 'authenticator'>,
): boolean {
  // Clients that would take a stream too, as urql's do of queries, name other media types first.
  const subscribes = headers.accept?.trimStart().startsWith('text/event-stream') ?? false;
  return caller === null && subscribes && authenticator.isExpiredToken(headers.authorization);
}

function lengthOf(request: FastifyRequest): number {
  return Number(request.headers['content-length'] ?? 0);
}

/** A body without a stated length, up to the limit for anonymous ones. */
function bounded(body: Readable): Transform {
  let read = 0;
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      read += chunk.length;
      if (read > REQUEST_LIMITS.anonymousBody.value) next(new HttpError('unauthorized', NO_KEY));
      else next(null, chunk);
    },
  });
  // Of a caller who leaves: the request would wait for the rest.
  body.once('error', (error) => limited.destroy(error));
  return body.pipe(limited);
}

/**
 * Whether a request without a key selects fields that need one: determined from the names in its query, for a fifth of the
 * cost of executing it. Clients that request GraphQL's own media type get the complete GraphQL answer in it.
 */
function isRefusedAtOnce(
  { method, caller, headers, body, query }: FastifyRequest,
  schemaIsOpen: boolean,
): boolean {
  if (caller !== null || headers.accept?.includes('graphql-response')) return false;
  const { query: text = '' } = (method === 'POST' ? body : query) as { query?: unknown };
  return typeof text === 'string' && needsKey(text, schemaIsOpen);
}

function isBrowser({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept?.includes('text/html') ?? false);
}

function answering(services: Services, refuse: Refuse, browsers: BrowserRules) {
  const yoga = createGraphQLServer(services);
  const serve = liveUpdates(services, browsers);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { id: requestId, caller } = request;
    const idempotencyKey = idempotencyKeyOf(request);
    if (isRefusal(idempotencyKey)) return refuse(reply, idempotencyKey);
    const statesCost = request.headers['x-cost'] === '1';
    const observed: RequestContext['observed'] = {
      ...{ changes: false, replayed: false, statesCost, subscription: null, allowance: null },
    };
    const language = preferredLanguage(request.headers['accept-language']);
    const context: RequestContext = { requestId, language, caller, idempotencyKey, observed };
    const before = listenersOf(reply.raw);
    const response = await yoga.handleNodeRequestAndResponse(request, reply, context);
    if (observed.subscription !== null && response.status === 200) {
      removeListenersOfYoga(reply.raw, before);
      const refusal = await serve(request, reply, observed.subscription);
      return refusal === null ? reply : refuse(reply, refusal);
    }
    const text = await response.text();
    request.repeatable = !observed.changes;
    if (Buffer.byteLength(text) > SHARED_LIMITS.answer.value)
      return refuse(reply, answerTooLarge(observed.changes));
    if (observed.replayed) reply.header('idempotent-replayed', 'true');
    sendAllowance(reply, observed.allowance ?? undefined);
    for (const [name, value] of response.headers) reply.header(name, value);
    return reply.code(response.status).send(text);
  };
}

const ENDS = ['close', 'finish', 'error'] as const;

const listenersOf = (response: ServerResponse) => new Set(ENDS.flatMap((event) => response.listeners(event)));

/**
 * Removes the listeners that Yoga has added to the response. It has answered, but waits for the end of the response to release
 * its request, and would therefore keep everything about the request in memory for as long as a stream is open.
 */
function removeListenersOfYoga(response: ServerResponse, before: ReturnType<typeof listenersOf>): void {
  for (const event of ENDS) {
    for (const listener of response.listeners(event)) {
      if (!before.has(listener)) response.off(event, listener as () => void);
    }
  }
}
