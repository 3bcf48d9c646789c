import type { FastifyReply, FastifyRequest } from 'fastify';
import { refusalFor } from '../src/faces/graphql/permissions.ts';
import { refusalOfBatch } from '../src/faces/graphql/schema/invoice-batches.ts';
import { permissionNeeded } from '../src/faces/graphql/schema.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../src/ground/errors/refusal.ts';
import type { Services } from '../src/services.ts';
import { identify } from '../src/subjects/accounts/entry/authenticate.ts';
import { isBoundToDocuments } from '../src/subjects/accounts/entry/caller.ts';
import type { LimitedOperation } from '../src/subjects/accounts/entry/rate-limit.ts';
import { parseKey } from '../src/subjects/idempotency/keys.ts';
import { sendAllowance, sendRefusal } from './answer.ts';
import { type Parameters, readQuery } from './query.ts';

/** Checks the headers of a request before its body is read. If it sends a reply, the request ends. */
export type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/**
 * Requires a valid key (401) that may query the root field of the route, and no access token that is bound to published
 * documents (403). Charges the request to its share (429). A
 * refused caller learns nothing else.
 */
export function requireKey(
  services: Pick<Services, 'config' | 'authenticator' | 'attempts' | 'shares'>,
  field: string,
): Guard {
  const { config, shares } = services;
  // REST is for merchants: operators use GraphQL, where they name the environment.
  const { role: _ofOperators, ...permission } = permissionNeeded(field);
  const kinds = permission.scope === 'read' ? READING : CHANGING;
  return async (request, reply) => {
    const caller = await identify(services, request.headers.authorization, request.ip, kinds);
    if (isRefusal(caller)) return sendRefusal(reply, caller, config.baseUrl);
    const refusal = isBoundToDocuments(caller) ? NO_REST : refusalFor({ caller }, permission);
    if (refusal !== null) return sendRefusal(reply, refusal, config.baseUrl);
    request.caller = caller;
    const share = caller?.kind === 'merchant' ? shares.take(caller.environmentId, kindOf(request)) : null;
    return share === null ? undefined : sendRefusal(reply, share, config.baseUrl);
  };
}

/** No operation of REST is a published document. */
const NO_REST = new Refusal(
  'forbidden',
  'The environment takes published documents alone from access tokens: send them to /graphql. REST needs the API key itself.',
);

const READING = ['reader', 'operator'] as const;
const CHANGING = ['merchant', 'operator'] as const;

/** Validating counts as reading. */
function kindOf({ method, routeOptions }: FastifyRequest): 'reading' | 'issuing' {
  const reads = method === 'GET' || method === 'HEAD' || routeOptions.url?.endsWith('/validate') === true;
  return reads ? 'reading' : 'issuing';
}

const LEFT = new Refusal('service_unavailable', 'The caller has left before it was answered.');

/** Reads the query parameters of a route that takes these. */
export function readParameters({ config }: Pick<Services, 'config'>, parameters: Parameters): Guard {
  return async (request, reply) => {
    // Callers that disconnect and repeat their request would have answers built that are never read.
    if (request.repeatable && request.raw.socket.destroyed) return sendRefusal(reply, LEFT, config.baseUrl);
    if (!request.url.includes('?')) {
      request.variables = {};
      return undefined;
    }
    const variables = readQuery(request.url, request.query as object, parameters);
    if (isRefusal(variables)) return sendRefusal(reply, variables, config.baseUrl, 'of REST');
    request.variables = variables;
    return undefined;
  };
}

const KEY_HEADER = 'Idempotency-Key';

/** Reads the `Idempotency-Key` header; refuses like `idempotencyKeyOf`, which leaves keys unused. */
export function readIdempotencyKey({ config }: Pick<Services, 'config'>): Guard {
  return async (request, reply) => {
    const key = idempotencyKeyOf(request);
    if (isRefusal(key)) return sendRefusal(reply, key, config.baseUrl, 'of REST');
    request.idempotencyKey = key;
    return undefined;
  };
}

/** The `Idempotency-Key` header, null without one. A malformed or repeated one is `invalid_request`. */
export function idempotencyKeyOf({ headers, raw }: FastifyRequest): Outcome<string | null> {
  if (headers['idempotency-key'] === undefined) return null;
  const [sent = '', another] = headersNamed('idempotency-key', raw.rawHeaders);
  if (another === undefined) return parseKey(sent, KEY_HEADER);
  return invalidField(KEY_HEADER, 'invalid_type', 'must be given once');
}

/** The values of all headers with that name, as they were sent: names and values alternate. */
function headersNamed(name: string, rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === name);
}

/** Refuses a batch before its long body is read if the environment has as many as it may. */
export function requireRoomForBatch(services: Pick<Services, 'config' | 'db'>): Guard {
  return async (request, reply) => {
    const { caller, idempotencyKey } = request;
    if (caller?.kind !== 'merchant') throw new Error('a batch was looked at before its key was checked');
    const refusal = await refusalOfBatch(services, caller.environmentId, idempotencyKey);
    return refusal === null ? undefined : sendRefusal(reply, refusal, services.config.baseUrl);
  };
}

/** Counts the request against its key's limit; the answer states the remainder in any case. */
export function countAgainstLimit(
  services: Pick<Services, 'config' | 'rateLimits'>,
  operation: LimitedOperation,
): Guard {
  return async (request, reply) => {
    const { caller } = request;
    if (caller?.kind !== 'merchant') throw new Error('a request was counted before its key was checked');
    const { allowance, outcome } = await services.rateLimits.take(caller, operation);
    sendAllowance(reply, allowance);
    return isRefusal(outcome) ? sendRefusal(reply, outcome, services.config.baseUrl) : undefined;
  };
}
