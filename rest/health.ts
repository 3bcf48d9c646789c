import type { FastifyReply, FastifyRequest } from 'fastify';
import { isMigrated } from '../src/db/migrate.ts';
import type { Services } from '../src/services.ts';
import { sendJson } from './operation.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * /healthz: the process answers. /readyz: it shall also be sent requests, its database being reachable and migrated and
 * the process not about to stop.
 */
export function healthHandlers(services: Services): { alive: Handler; ready: Handler } {
  return {
    async alive(_request, reply) {
      return sendJson(reply, 200, { status: 'alive' });
    },

    async ready({ server }, reply) {
      const { pool, lineage } = services.db;
      // A database that is away may take its time to say so.
      const mayBe = !server.leaving && lineage.away === null;
      const ready = mayBe && (await isMigrated(pool).catch(() => false));
      return sendJson(reply, ready ? 200 : 503, { status: ready ? 'ready' : 'not_ready' });
    },
  };
}
