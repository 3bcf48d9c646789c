import { readFileSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../src/faces/graphql/context.ts';
import { refusalOf } from '../src/faces/graphql/errors.ts';
import { storedDocument } from '../src/faces/graphql/execute.ts';
import { schema } from '../src/faces/graphql/schema.ts';
import type { Services } from '../src/services.ts';

const DIRECTORY = new URL('./operations/', import.meta.url);
const FRAGMENTS = [
  'event-fields',
  'invoice-fields',
  'series-fields',
  'webhook-delivery-fields',
  'webhook-endpoint-fields',
];

/** A stored document by the name of its file: run with variables, it gives the field `answer` or a refusal. */
export function operation(name: string) {
  const source = readFileSync(new URL(`${name}.graphql`, DIRECTORY), 'utf8');
  const fragments = FRAGMENTS.map((fragment) =>
    readFileSync(new URL(`${fragment}.graphql`, DIRECTORY), 'utf8'),
  );
  const used = fragments.filter((fragment) => source.includes(`...${/fragment (\w+)/.exec(fragment)![1]}`));
  const run = storedDocument(schema, [source, ...used].join('\n'));
  return async (variables: Record<string, unknown>, context: Context): Promise<unknown> => {
    const { data, errors } = await run(variables, context);
    const error = errors?.[0];
    return error === undefined ? data!['answer'] : refusalOf(error, context);
  };
}

/** What the request brings to an operation. */
export function contextOf(services: Services, request: FastifyRequest): Context {
  return {
    services,
    caller: request.caller,
    requestId: request.id,
    log: services.log,
    bounded: false,
    counted: request.counted,
    ...(request.repeatable ? { isGone: () => request.raw.socket.destroyed } : {}),
  };
}

/** A body of text or JSON, as it goes out. */
export function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return sendText(reply, status, JSON.stringify(body));
}

/** JSON that is text already. */
export function sendText(reply: FastifyReply, status: number, text: string | Buffer): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(text);
}
