import type { FastifyReply, FastifyRequest } from 'fastify';
import { refusalFor } from '../src/faces/graphql/permissions.ts';
import { permissionNeeded } from '../src/faces/graphql/schema.ts';
import { invalidField, isRefusal, type Outcome } from '../src/ground/errors/refusal.ts';
import type { Services } from '../src/services.ts';
import { identify } from '../src/subjects/accounts/entry/identify.ts';
import type { LimitedOperation } from '../src/subjects/accounts/entry/rate-limit.ts';
import { parseKey } from '../src/subjects/idempotency/keys.ts';
import { sendAllowance, sendRefusal } from './answer.ts';

/** Looks at the head of a request before its body is read. A reply ends the matter. */
export type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/**
 * Wants a key in force (401), and one that may ask for the field of the schema's root that the route leads to (403).
 * Takes the request's share (429). Whoever is refused learns nothing else.
 */
export function requireKey(services: Services, field: string): Guard {
  const { config, shares } = services;
  // REST is the merchants': an operator says in GraphQL which environment is meant.
  const { role: _ofOperators, ...permission } = permissionNeeded(field);
  return async (request, reply) => {
    const caller = await identify(services, request.headers.authorization, request.ip, KINDS);
    if (isRefusal(caller)) return sendRefusal(reply, caller, config.baseUrl);
    const refusal = refusalFor({ caller }, permission);
    if (refusal !== null) return sendRefusal(reply, refusal, config.baseUrl);
    request.caller = caller;
    const share = caller?.kind === 'merchant' ? shares.take(caller.environmentId, kindOf(request)) : null;
    return share === null ? undefined : sendRefusal(reply, share, config.baseUrl);
  };
}

const KINDS = ['merchant', 'operator'] as const;

/** To validate is to read. */
function kindOf({ method, routeOptions }: FastifyRequest): 'reading' | 'issuing' {
  const reads = method === 'GET' || method === 'HEAD' || routeOptions.url?.endsWith('/validate') === true;
  return reads ? 'reading' : 'issuing';
}

const KEY_HEADER = 'Idempotency-Key';

/** Reads the `Idempotency-Key` header; refused as `idempotencyKeyOf` does, which leaves keys unused. */
export function readIdempotencyKey({ config }: Services): Guard {
  return async (request, reply) => {
    const key = idempotencyKeyOf(request);
    if (isRefusal(key)) return sendRefusal(reply, key, config.baseUrl, 'of REST');
    request.idempotencyKey = key;
    return undefined;
  };
}

/** The `Idempotency-Key` header, null without one. A malformed one, or two of them, is `invalid_request`. */
export function idempotencyKeyOf({ headers, raw }: FastifyRequest): Outcome<string | null> {
  if (headers['idempotency-key'] === undefined) return null;
  const [sent = '', another] = headersNamed('idempotency-key', raw.rawHeaders);
  if (another === undefined) return parseKey(sent, KEY_HEADER);
  return invalidField(KEY_HEADER, 'invalid_type', 'must be given once');
}

/** The values of all headers of that name, as they came: names and values take turns. */
function headersNamed(name: string, rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === name);
}

/** Counts the request against its key's limit; whatever comes of it, the answer says what is left. */
export function countAgainstLimit(services: Services, operation: LimitedOperation): Guard {
  return async (request, reply) => {
    const { caller } = request;
    if (caller?.kind !== 'merchant') throw new Error('a request was counted before its key was looked at');
    const { allowance, outcome } = await services.rateLimits.take(caller, operation);
    sendAllowance(reply, allowance);
    request.counted = true;
    return isRefusal(outcome) ? sendRefusal(reply, outcome, services.config.baseUrl) : undefined;
  };
}
