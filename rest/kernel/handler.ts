import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ownerOf } from '../../src/faces/graphql/charged-rows.ts';
import type { Context } from '../../src/faces/graphql/context.ts';
import { storedQuery } from '../../src/faces/graphql/stored.ts';
import { acceptBody } from '../../src/ground/errors/issues.ts';
import { isRefusal, type Outcome, Refusal } from '../../src/ground/errors/refusal.ts';
import { camelCase } from '../../src/ground/lib/case.ts';
import { atEnvironmentTime, MADRID_TIME } from '../../src/subjects/accounts/entry/environment-time.ts';
import { sendRefusal } from '../answer.ts';
import { isList, isPage, itemOf } from '../contract/lists.ts';
import { mayBeEmpty, type Operation, type Values } from '../contract/operation.ts';
import { type Connection, listPage } from '../list-page.ts';
import { type HandlerServices, sendJson, sendText } from '../operation.ts';
import { placeOf } from '../query.ts';
import type { Handler } from '../route.ts';
import { argumentOf, storedText } from './stored-text.ts';

/** The route's handler: reads the request, executes the stored query, and answers. */
export function handlerOf(operation: Operation, { baseUrl, contextOf, eventLoop }: HandlerServices): Handler {
  const { answer, path, state, location, isSecret } = operation;
  const execute = executing(operation);
  const one = showing(operation, baseUrl);
  return async (request, reply) => {
    const context = contextOf(request);
    const found = await execute(context, request);
    if (context.replayed) reply.header('idempotent-replayed', 'true');
    if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
    if (answer.schema === undefined) return reply.code(answer.status).send();
    if (isSecret) reply.header('cache-control', 'no-store');
    const own = path.replace(/\{(\w+)\}/g, (_, name: string) => String((request.params as Values)[name]));
    if (isPage(answer.schema)) {
      const { edges, pageInfo } = found as Connection<Item>;
      const list = { edges: edges.map(({ node }) => ({ node: one(node) as Item })), pageInfo };
      const turn = () => eventLoop.waitTurn(ownerOf(context));
      return sendText(reply, answer.status, await listPage(own, request.query as object, list, turn));
    }
    if (isList(answer.schema)) return sendJson(reply, answer.status, { data: (found as Item[]).map(one) });
    const body = one(found as Item) as Values;
    if (state !== undefined) reply.header('etag', `"${body[state]}"`);
    if (answer.status === 201) {
      const below = `${baseUrl}${own}${body['id'] === undefined ? '' : `/${body['id']}`}`;
      reply.header('location', location === undefined ? below : String(body[location]));
    }
    return sendJson(reply, answer.status, body);
  };
}

type Item = { readonly id: string };

/** What was selected of an object as REST shows it: without what is optional and null or false. */
function showing({ answer, shown }: Operation, baseUrl: string): (selected: object) => object {
  const item = answer.schema && itemOf(answer.schema);
  const shape = item instanceof z.ZodObject ? item.shape : {};
  const optional = Object.keys(shape).filter((name) => shape[name] instanceof z.ZodOptional);
  const isThere = ([name, value]: [string, unknown]) =>
    (value ?? false) !== false || !optional.includes(name);
  return (selected) =>
    Object.fromEntries(Object.entries(shown?.(selected, baseUrl) ?? selected).filter(isThere));
}

/** The stored query as a function of a request. Returns what the last of its fields has. */
function executing(operation: Operation) {
  const { text, input } = storedText(operation);
  const run = storedQuery(text);
  const [, ...steps] = operation.field.split('.');
  return async (context: Context, request: FastifyRequest): Promise<Outcome<unknown>> => {
    const body = bodyOf(operation, request);
    if (isRefusal(body)) return body;
    const given = givenBy(operation, request);
    if (isRefusal(given)) return given;
    const ofInput = Object.entries(given).filter(([name]) => input?.has(name));
    const sent = input === null ? body : { input: { ...body, ...Object.fromEntries(ofInput) } };
    // What the query has no variable for is not passed.
    const found = await run(context, { ...given, ...sent, idempotencyKey: request.idempotencyKey });
    if (isRefusal(found)) return found;
    const last = steps.reduce<unknown>((value, step) => (value as Values | null)?.[step], found['answer']);
    if (last == null) throw new Error(`${operation.id} was answered with neither a value nor a refusal`);
    return last;
  };
}

/** The body as it was sent, known to match its schema; its days are compared with the time of the environment. */
function bodyOf(operation: Operation, { caller, body: sent }: FastifyRequest): Outcome<Values> {
  const { body } = operation;
  if (body === undefined) return {};
  const given = sent ?? (mayBeEmpty(operation) ? {} : sent);
  const scope = caller?.kind === 'merchant' ? caller : MADRID_TIME;
  const accepted = atEnvironmentTime(scope, () => acceptBody(body.schema, body.read?.(given) ?? given));
  return isRefusal(accepted) ? accepted : (accepted.sent as Values);
}

/** What the path, the query and `If-Match` give, as arguments. An `If-Match` has its state in quotes; `*` is any. */
function givenBy(operation: Operation, { params, variables, headers }: FastifyRequest): Outcome<Values> {
  const paged = placeOf(variables as { first?: number; after?: string; before?: string });
  if (isRefusal(paged)) return paged;
  const ids = Object.entries(params as Values).map(([name, id]) => [argumentOf(operation, name), id]);
  const given = { ...paged.place, ...paged.rest, ...Object.fromEntries(ids) };
  const header = headers['if-match']?.trim() ?? '*';
  if (operation.state === undefined || operation.method === 'GET' || header === '*') return given;
  const [, state = ''] = /^(?:W\/)?"?([^"]*)"?$/.exec(header) ?? [];
  if (z.iso.datetime({ offset: true }).safeParse(state).success)
    return { ...given, [camelCase(`expected_${operation.state}`)]: state };
  return new Refusal('conflict', 'If-Match names no state of this object; nothing was done.');
}
