import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ownerOf } from '../../src/faces/graphql/charged-rows.ts';
import type { Context } from '../../src/faces/graphql/context.ts';
import { storedQuery } from '../../src/faces/graphql/stored.ts';
import { acceptBody } from '../../src/ground/errors/issues.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../src/ground/errors/refusal.ts';
import { atEnvironmentTime, MADRID_TIME } from '../../src/subjects/accounts/entry/environment-time.ts';
import { sendRefusal } from '../answer.ts';
import { isList, isPage, itemOf, type Operation, type Values } from '../contract/operation.ts';
import { type Connection, listPage } from '../list-page.ts';
import { type HandlerServices, sendJson, sendText } from '../operation.ts';
import { placeOf } from '../query.ts';
import type { Handler } from '../route.ts';
import { argumentOf, storedText } from './stored-text.ts';

/** The route's handler: reads the body, executes the stored query, and answers. */
export function handlerOf(operation: Operation, { baseUrl, contextOf, eventLoop }: HandlerServices): Handler {
  const execute = executing(operation);
  const optional = optionalFields(operation.answer.schema);
  return async (request, reply) => {
    const body = bodyOf(operation, request);
    if (isRefusal(body)) return sendRefusal(reply, body, baseUrl);
    const missing = operation.required?.find((name) => !(name in (request.query as Values)));
    if (missing !== undefined)
      return sendRefusal(reply, invalidField(missing, 'required', 'is required'), baseUrl, 'of REST');
    const paged = placeOf(request.variables as { first?: number; after?: string; before?: string });
    if (isRefusal(paged)) return sendRefusal(reply, paged, baseUrl);
    const expected = expectedState(operation, request.headers['if-match']);
    if (isRefusal(expected)) return sendRefusal(reply, expected, baseUrl);
    const context = contextOf(request);
    const found = await execute(context, {
      params: request.params as Values,
      query: { ...paged.place, ...paged.rest, ...expected },
      body,
      idempotencyKey: request.idempotencyKey,
    });
    if (context.replayed) reply.header('idempotent-replayed', 'true');
    if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
    const from = { place: paged.place, params: request.params as Values };
    const selected = operation.picked?.(found, from) ?? found;
    if (isRefusal(selected)) return sendRefusal(reply, selected, baseUrl);
    return answered(
      operation,
      { baseUrl, optional, turn: () => eventLoop.waitTurn(ownerOf(context)) },
      { request, reply, selected },
    );
  };
}

/** The body as it was sent, known to match its schema; its days are compared with the time of the environment. */
function bodyOf({ body }: Operation, { caller, body: sent }: FastifyRequest): Outcome<Values> {
  if (body === undefined) return {};
  const given = body.mayBeEmpty ? (sent ?? {}) : sent;
  const scope = caller?.kind === 'merchant' ? caller : MADRID_TIME;
  const accepted = atEnvironmentTime(scope, () => acceptBody(body.schema, body.read?.(given) ?? given));
  return isRefusal(accepted) ? accepted : (accepted.sent as Values);
}

/** The argument for the state that `If-Match` names, its quotes left out; `*` and no header are any state. */
function expectedState({ ifMatch }: Operation, header: string | undefined): Outcome<Values> {
  if (ifMatch === undefined || header === undefined || header.trim() === '*') return {};
  const [, state = ''] = /^(?:W\/)?"?([^"]*)"?$/.exec(header.trim()) ?? [];
  if (z.iso.datetime({ offset: true }).safeParse(state).success) return { [ifMatch]: state };
  return new Refusal('conflict', 'If-Match names no state of this object; nothing was done.');
}

type Given = {
  readonly params: Values;
  readonly query: Values;
  readonly body: Values;
  readonly idempotencyKey: string | null;
};

/** The stored query as a function of what was sent; made at its first execution. Returns what the last of its fields has. */
function executing(operation: Operation) {
  const prepare = () => {
    const { text, variables, input } = storedText(operation);
    return { run: storedQuery(text), variables, input };
  };
  let prepared: ReturnType<typeof prepare> | null = null;
  const steps = operation.field.split('.').slice(1);
  return async (
    context: Context,
    { params, query, body, idempotencyKey }: Given,
  ): Promise<Outcome<unknown>> => {
    prepared ??= prepare();
    const { run, variables, input } = prepared;
    const ids = Object.entries(params).map(([name, id]) => [argumentOf(operation, name), id] as const);
    const ofInput = [...ids, ...Object.entries(query)].filter(([name]) => input.has(name));
    const found = await run(context, {
      ...{ ...query, ...operation.constant },
      ...Object.fromEntries(ids.filter(([name]) => variables.has(name))),
      ...(variables.has('input') ? { input: { ...body, ...Object.fromEntries(ofInput) } } : body),
      ...(operation.isKeyed ? { idempotencyKey } : {}),
    });
    if (isRefusal(found)) return found;
    const answer = steps.reduce<unknown>((value, step) => (value as Values | null)?.[step], found['answer']);
    if (answer == null) throw new Error(`${operation.id} was answered with neither a value nor a refusal`);
    return answer;
  };
}

type Answering = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly selected: unknown;
};

type Surroundings = {
  readonly baseUrl: string;
  /** Fields of the answer that it has only where they apply. */
  readonly optional: readonly string[];
  readonly turn: () => Promise<void>;
};

async function answered(
  { answer: { status, schema }, path, location, isSecret, within, shown, entityTag }: Operation,
  { baseUrl, optional, turn }: Surroundings,
  { request, reply, selected }: Answering,
): Promise<FastifyReply> {
  if (schema === undefined) return reply.code(status).send();
  if (isSecret) reply.header('cache-control', 'no-store');
  const own = path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => (request.params as Record<string, string>)[name]!,
  );
  const one = (node: object): object => {
    const { [within ?? '']: inner, ...own } = node as Values;
    const whole = within === undefined ? node : { ...(inner as object), ...own };
    return without(optional, shown?.(whole, baseUrl) ?? whole);
  };
  if (isPage(schema)) {
    const list = selected as Connection<{ readonly id: string }>;
    const shownList = { ...list, edges: list.edges.map(({ node }) => ({ node: one(node) as typeof node })) };
    return sendText(reply, status, await listPage(own, request.query as object, shownList, turn));
  }
  if (isList(schema)) return sendJson(reply, status, { data: (selected as object[]).map(one) });
  const body = one(selected as object) as { readonly id?: string };
  if (entityTag !== undefined) reply.header('etag', `"${entityTag(body)}"`);
  if (status === 201) {
    const below = body.id === undefined ? own : `${own}/${body.id}`;
    reply.header('location', location?.(body) ?? `${baseUrl}${below}`);
  }
  return sendJson(reply, status, body);
}

/** The fields that an answer has only where they apply: REST leaves out what GraphQL has as null or false. */
function optionalFields(schema: z.ZodObject | undefined): readonly string[] {
  if (schema === undefined) return [];
  const item = itemOf(schema);
  if (!(item instanceof z.ZodObject)) return [];
  return Object.keys(item.shape).filter((name) => item.shape[name] instanceof z.ZodOptional);
}

function without(optional: readonly string[], body: object): object {
  const absent = optional.filter((name) => ((body as Values)[name] ?? false) === false);
  if (absent.length === 0) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !absent.includes(name)));
}
