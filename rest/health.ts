import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { writesRefused } from '../src/ground/db/condition/write-state.ts';
import { coalesce } from '../src/ground/lib/single-flight.ts';
import type { Services } from '../src/services.ts';
import { sendJson } from './operation.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The answer of /readyz, as far as it depends on the database. */
type Readiness = { readonly status: 'ready' | 'read_only' | 'not_ready'; readonly reason?: string };

const NO_DATABASE: Readiness = { status: 'not_ready', reason: 'no_database' };

/** Load balancers wait two seconds for an answer (deploy/), and a database that hangs is known to be away after three. */
const PATIENCE_MS = 1_000;

/**
 * /healthz: the process answers. /readyz: it should also receive requests, because its database is reachable and migrated
 * and the process is not about to stop; `reason` says which of these fails. `?exclude=database` leaves the first out, as
 * checks are left out of Kubernetes' own /readyz: all processes share the database, and a load balancer that removes all
 * of them answers in their place, without a time to retry. A database that only answers reads is still useful: this is
 * reported in the body, with 200.
 */
export function healthHandlers(
  services: Pick<Services, 'db'>,
  isMigrated: () => Promise<boolean>,
): { alive: Handler; ready: Handler } {
  const schema = coalesce(isMigrated);
  const refusal = coalesce(() => writesRefused(services.db));
  const readiness = async (): Promise<Readiness> => {
    // An unavailable database may take long to fail.
    if (services.db.lineage.away !== null) return NO_DATABASE;
    const migrated = await schema().catch(() => null);
    if (migrated === null) return NO_DATABASE;
    if (!migrated) return { status: 'not_ready', reason: 'schema' };
    const refused = await refusal().catch(() => null);
    return refused === null ? { status: 'ready' } : { status: 'read_only', reason: refused };
  };
  return {
    async alive(_request, reply) {
      return sendJson(reply, 200, { status: 'alive' });
    },

    async ready(request, reply) {
      if (request.server.draining) return sendJson(reply, 503, { status: 'not_ready', reason: 'stopping' });
      if (services.db.lineage.newerMigration !== null)
        return sendJson(reply, 503, { status: 'not_ready', reason: 'newer_schema' });
      const excluded = (request.query as Record<string, unknown>)['exclude'] === 'database';
      const found = await (excluded ? Promise.race([readiness(), silence()]) : readiness());
      const isUp = found.status !== 'not_ready' || (excluded && found.reason === NO_DATABASE.reason);
      return sendJson(reply, isUp ? 200 : 503, found);
    },
  };
}

/** What a database that does not answer in time is taken for. */
function silence(): Promise<Readiness> {
  return pause(PATIENCE_MS, NO_DATABASE, { ref: false });
}
