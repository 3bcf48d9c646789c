import type { FastifyReply, FastifyRequest } from 'fastify';
import { writesRefused } from '../src/ground/db/condition/write-state.ts';
import { coalesce } from '../src/ground/lib/single-flight.ts';
import type { Services } from '../src/services.ts';
import { sendJson } from './operation.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * /healthz: the process answers. /readyz: it should also receive requests, because its database is reachable and migrated
 * and the process is not about to stop. A database that only answers reads is still useful, and all processes share it:
 * this is reported in the body, with 200, so that no load balancer removes the last process that answers.
 */
export function healthHandlers(
  services: Pick<Services, 'db'>,
  isMigrated: () => Promise<boolean>,
): { alive: Handler; ready: Handler } {
  const isReady = coalesce(isMigrated);
  const refusal = coalesce(() => writesRefused(services.db));
  return {
    async alive(_request, reply) {
      return sendJson(reply, 200, { status: 'alive' });
    },

    async ready({ server }, reply) {
      const { lineage } = services.db;
      // An unavailable database may take long to fail.
      const mayBe = !server.draining && lineage.away === null;
      const ready = mayBe && (await isReady().catch(() => false));
      if (!ready) return sendJson(reply, 503, { status: 'not_ready' });
      const refused = await refusal().catch(() => null);
      if (refused === null) return sendJson(reply, 200, { status: 'ready' });
      return sendJson(reply, 200, { status: 'read_only', reason: refused });
    },
  };
}
