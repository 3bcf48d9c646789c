import type { FastifyReply, FastifyRequest } from 'fastify';
import { isMigrated } from '../src/db/migrate.ts';
import type { Services } from '../src/services.ts';
import { sendJson } from './operation.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** /healthz: the process answers. /readyz: it can also work, its database being reachable and migrated. */
export function healthHandlers(services: Services): { alive: Handler; ready: Handler } {
  return {
    async alive(_request, reply) {
      return sendJson(reply, 200, { status: 'alive' });
    },

    async ready(_request, reply) {
      const ready = await isMigrated(services.db.pool).catch(() => false);
      return sendJson(reply, ready ? 200 : 503, { status: ready ? 'ready' : 'not_ready' });
    },
  };
}
