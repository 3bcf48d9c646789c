import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LARGE_BODY } from '../src/ground/lib/event-loop-scheduler.ts';
import { LIMITS } from '../src/ground/lib/limits.ts';

/**
 * Closes the connection of a request that is answered before its long body is read: Node would read all of it only to
 * discard it, which takes longer than the answer. The connection stays open for a moment without being read, because a
 * client that is still sending might otherwise lose the answer (RFC 9112, 9.6).
 */
export function closeUnreadBodies(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (!request.raw.readableDidRead && lengthOf(request) > LARGE_BODY) {
      reply.header('connection', 'close');
      closeUnread(request);
    }
    done(null, payload);
  });
}

function lengthOf({ headers }: FastifyRequest): number {
  return headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0)
    : LIMITS.body.value;
}

/** Node calls both once the answer is written, one to read the rest, the other to close. */
function closeUnread({ raw }: FastifyRequest): void {
  const { socket } = raw;
  raw.resume = () => raw;
  socket.destroySoon = () => {
    socket.pause().end();
    setTimeout(() => socket.destroy(), LIMITS.unreadBody.value).unref();
  };
}
