import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { share } from '../../ground/lib/shared-answer.ts';

export type Script = {
  /** The file's name with a version in it, so that browsers may keep it for ever. */
  readonly address: string;
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
};

/** A script of the pages' own, read once and served under `name`. */
export function script(name: string, file: URL): Script {
  const text = readFileSync(file, 'utf8');
  const bytes = share(text);
  const version = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return {
    address: `${name}?v=${version}`,
    send: async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .type('text/javascript; charset=utf-8')
        .send(bytes),
  };
}
