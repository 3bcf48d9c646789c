import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { share } from '../../ground/lib/shared-answer.ts';

export type Stylesheet = {
  /** The file's name with a version in it, so that browsers may keep it for ever. */
  readonly address: string;
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
};

/** What pages of every kind look like; later files decide over earlier ones. */
const COMMON = ['base', 'parts', 'content'].map((part) => new URL(`./style/${part}.css`, import.meta.url));

/** The common style with files of one's own after it, read once. */
export function stylesheet(files: readonly URL[]): Stylesheet {
  const text = [...COMMON, ...files].map((file) => readFileSync(file, 'utf8')).join('\n');
  const bytes = share(text);
  const version = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return {
    address: `style.css?v=${version}`,
    send: async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .type('text/css; charset=utf-8')
        .send(bytes),
  };
}
