import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownerOf } from '../src/faces/graphql/charged-rows.ts';
import { formatRefusal } from '../src/faces/graphql/errors.ts';
import { COMPLETE, nextFrame } from '../src/faces/graphql/live/frames.ts';
import type { Subscription } from '../src/faces/graphql/live/subscribe.ts';
import { refusalFor } from '../src/faces/graphql/permissions.ts';
import { permissionNeeded } from '../src/faces/graphql/schema.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../src/ground/errors/refusal.ts';
import { type Authority, EventStream } from '../src/ground/lib/event-streams.ts';
import type { Services } from '../src/services.ts';
import { type Caller, isBoundToDocuments, type Operator } from '../src/subjects/accounts/entry/caller.ts';
import { type BrowserRules, NOT_NAMED } from './browsers.ts';

/** Serves a subscription as a stream of server-sent events: null if it does, else why it does not. */
export type Serve = (
  request: FastifyRequest,
  reply: FastifyReply,
  subscription: Subscription,
) => Promise<Refusal | null>;

/**
 * GraphQL over server-sent events, in distinct connections mode: one request for each subscription. The other mode, one
 * connection for several, would require its requests to reach the process that has the connection.
 */
export function liveUpdates(
  services: Pick<Services, 'streams' | 'feed' | 'authenticator' | 'config'>,
  browsers: BrowserRules,
): Serve {
  const { streams } = services;
  return async (request, reply, subscription) => {
    const { caller } = request;
    if (caller === null) throw new Error('a caller without a key has subscribed');
    const lastEventId = readLastEventId(request);
    if (isRefusal(lastEventId)) return lastEventId;
    const owner = ownerOf({ caller });
    const full = refusalOfFull(streams.fullFor(owner));
    if (full !== null) return full;
    const entered = subscription.enter();
    if (isRefusal(entered)) return entered;
    const { broadcast, leave } = entered;
    try {
      const reached = await broadcast.position();
      const position = lastEventId ?? subscription.after ?? reached;
      const isBeyond =
        position > reached && position > (await services.feed.head(subscription.environmentId));
      // Other streams were opened while this one waited.
      const refusal = isBeyond ? BEYOND : refusalOfFull(streams.fullFor(owner));
      if (refusal !== null) {
        leave();
        return refusal;
      }
      const authority = authorityOf(services, browsers, request, { caller, field: subscription.field });
      reply.hijack();
      request.server.becomesStream(request);
      const stream = new EventStream(reply.raw, { owner, authority, position });
      stream.onClosed(() => {
        broadcast.leave(stream);
        leave();
      });
      stream.start(reply.getHeaders() as Record<string, string>);
      streams.add(stream);
      void broadcast.join(stream);
      return null;
    } catch (error) {
      leave();
      throw error;
    }
  };
}

const BEYOND = new Refusal(
  'invalid_request',
  'The sequence to continue from is beyond the end of the environment’s journal: it belongs to another one.',
);

function refusalOfFull(full: 'owner' | 'process' | null): Refusal | null {
  if (full === null) return null;
  return full === 'process'
    ? new Refusal('service_unavailable', 'The process serves the maximum number of streams.')
    : new Refusal('rate_limited', 'The maximum number of streams is open.', { retryAfter: 30 });
}

const HEADER = 'Last-Event-ID';

/** Null if there is none, as from a browser that connects for the first time. */
function readLastEventId({ headers }: FastifyRequest): Outcome<number | null> {
  const sent = headers['last-event-id'];
  if (sent === undefined || sent === '') return null;
  const isSequence = typeof sent === 'string' && /^\d{1,10}$/.test(sent);
  return isSequence ? Number(sent) : invalidField(HEADER, 'invalid_type', 'must be the id of a message');
}

/** The key or token with which a stream was requested, looked up again by its text. */
function authorityOf(
  { authenticator, config }: Pick<Services, 'authenticator' | 'config'>,
  browsers: BrowserRules,
  request: FastifyRequest,
  { caller, field }: { readonly caller: Caller | Operator; readonly field: string },
): Authority {
  const { authorization, origin = '' } = request.headers;
  const before = mayOf(caller);
  const end = (refusal: Refusal) =>
    Buffer.concat([nextFrame({ errors: [formatRefusal(refusal, undefined, config.baseUrl)] }), COMPLETE]);
  return {
    key: JSON.stringify([authorization, origin, field, before]),
    expiresAt: expiryOf(caller),
    async check() {
      const found = await authenticator[caller.kind](authorization);
      if (found === null) return end(authenticator.isExpiredToken(authorization) ? TOKEN_EXPIRED : KEY_OVER);
      const refusal = refusalFor({ caller: found }, permissionNeeded(field));
      if (refusal !== null) return end(refusal);
      if (!browsers.stillAllows(request, found)) return end(new Refusal('forbidden', NOT_NAMED));
      // Its permissions have changed: the client reconnects by itself, and receives what it may see now.
      return mayOf(found) === before ? null : NOTHING;
    },
  };
}

const NOTHING = Buffer.alloc(0);
const KEY_OVER = new Refusal('unauthorized', 'The API key is expired or revoked.');

/** What a stream ends with when its access token expires, and what answers a subscription with such a token. */
export const TOKEN_EXPIRED = new Refusal(
  'token_expired',
  'The access token has expired: request another one, and continue with `Last-Event-ID`.',
);

/** With whether it is bound to published documents: a stream of another document ends, and is refused when it is resumed. */
const mayOf = (caller: Caller | Operator): string =>
  caller.kind === 'operator'
    ? caller.role
    : [...caller.scopes, ...(isBoundToDocuments(caller) ? ['published'] : [])].sort().join(' ');

function expiryOf(caller: Caller | Operator): Date | null {
  if (caller.kind === 'operator') return null;
  return caller.accessToken?.expiresAt ?? caller.keyExpiresAt;
}
