import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Guard } from './guards.ts';
import type { Parameters } from './query.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
/** `parameters`: those of the query; if null, the query is ignored. */
export type Route = readonly [
  method: Method,
  path: string,
  guards: readonly Guard[],
  parameters: Parameters | null,
  handler: Handler,
];

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Those of the query, by which a refusal names its fields. */
    readonly parameters?: Parameters | null;
  }
}
