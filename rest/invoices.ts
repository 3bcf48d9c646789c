import type { FastifyRequest } from 'fastify';
import { ownerOf } from '../src/faces/graphql/charged-rows.ts';
import type { Context } from '../src/faces/graphql/context.ts';
import { type Expanded, invoiceOperations } from '../src/faces/graphql/invoice-operations.ts';
import { EMPTY_RANGE } from '../src/faces/graphql/schema/invoice-filter.ts';
import { parseForValidation } from '../src/faces/graphql/schema/issuing.ts';
import { acceptBody, sentBody } from '../src/ground/errors/issues.ts';
import { invalidField, isRefusal, Refusal } from '../src/ground/errors/refusal.ts';
import { atEnvironmentTime, MADRID_TIME } from '../src/subjects/accounts/entry/environment-time.ts';
import { invoiceChange } from '../src/subjects/invoices/metadata-request.ts';
import { invoiceRequest } from '../src/subjects/issuing/request.ts';
import { sendRefusal } from './answer.ts';
import { invoiceBody, paymentBody, validatedBody } from './invoice-body.ts';
import type { Expansion } from './invoice-expansions.ts';
import { listPage } from './list-page.ts';
import { type HandlerServices, sendJson, sendText } from './operation.ts';
import { placeOf } from './query.ts';
import type { Handler } from './route.ts';

type Filter = Omit<
  NonNullable<Parameters<typeof invoiceOperations.list>[1]['filter']>,
  'issuedOn' | 'dueOn' | 'amountDue'
>;

/** What the parameters of the query have become, by the names of the operations' arguments. */
type Variables = Filter & {
  readonly expand?: readonly Expansion[];
  readonly issuedFrom?: string;
  readonly issuedTo?: string;
  readonly dueFrom?: string;
  readonly dueTo?: string;
  readonly amountDueMin?: number;
  readonly amountDueMax?: number;
  readonly first?: number;
  readonly after?: string;
  readonly before?: string;
};

/** POST /v1/invoices. */
export function issueInvoice({ baseUrl, eventLoop, contextOf }: HandlerServices): Handler {
  return async (request, reply) => {
    const context = contextOf(request);
    const turn = turns(eventLoop, context, request.body);
    const accepted = await inTurn(request, turn, (body) => acceptBody(invoiceRequest, body));
    if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
    const { expand } = request.variables as Variables;
    const { idempotencyKey: key } = request;
    const issued = await invoiceOperations.issue(context, { accepted, key, expanded: expandedBy(expand) });
    if (context.replayed) reply.header('idempotent-replayed', 'true');
    if (isRefusal(issued)) return sendRefusal(reply, issued, baseUrl);
    await turn();
    const body = invoiceBody(issued, context, expand);
    return sendJson(reply.header('location', `${baseUrl}/v1/invoices/${body.id}`), 201, body);
  };
}

/** POST /v1/invoices/validate. */
export function validateInvoice({ baseUrl, eventLoop, contextOf }: HandlerServices): Handler {
  return async (request, reply) => {
    const context = contextOf(request);
    const turn = turns(eventLoop, context, request.body);
    const { partial = false } = request.variables as { readonly partial?: boolean };
    const parsed = await inTurn(request, turn, (body) => {
      const sent = sentBody(invoiceRequest, body);
      return isRefusal(sent) ? sent : parseForValidation(sent, partial);
    });
    if (isRefusal(parsed)) return sendRefusal(reply, parsed, baseUrl);
    const validated = await invoiceOperations.validate(context, parsed);
    await turn();
    if (isRefusal(validated)) return sendRefusal(reply, validated, baseUrl);
    return sendJson(reply, 200, validatedBody(validated));
  };
}

/** GET /v1/invoices/{id}. */
export function getInvoice({ baseUrl, contextOf }: HandlerServices): Handler {
  return async (request, reply) => {
    const context = contextOf(request);
    const { expand } = request.variables as Variables;
    const found = await invoiceOperations.get(context, {
      id: idOf(request),
      expanded: expandedBy(expand),
    });
    if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
    return sendJson(reply, 200, invoiceBody(found, context, expand));
  };
}

/** GET /v1/invoices/{id}/payments/{payment_id}. */
export function getPayment({ baseUrl, contextOf }: HandlerServices): Handler {
  return async (request, reply) => {
    const expanded = { payments: true };
    const found = await invoiceOperations.get(contextOf(request), { id: idOf(request), expanded });
    if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
    const { payment_id: paymentId } = request.params as { payment_id: string };
    const payment = found.payments?.find(({ id }) => id === paymentId);
    if (payment === undefined) return sendRefusal(reply, NO_PAYMENT, baseUrl);
    return sendJson(reply, 200, paymentBody(payment));
  };
}

const NO_PAYMENT = new Refusal('payment_not_found', 'No payment of this id was recorded of the invoice.');

/** PATCH /v1/invoices/{id}. */
export function changeInvoice({ baseUrl, contextOf }: HandlerServices): Handler {
  return async (request, reply) => {
    const accepted = acceptBody(invoiceChange, request.body);
    if (isRefusal(accepted)) return sendRefusal(reply, accepted, baseUrl);
    const context = contextOf(request);
    const changed = await invoiceOperations.change(context, {
      id: idOf(request),
      request: accepted.request,
    });
    if (isRefusal(changed)) return sendRefusal(reply, changed, baseUrl);
    return sendJson(reply, 200, invoiceBody(changed, context));
  };
}

/** GET /v1/invoices. */
export function listInvoices({ baseUrl, eventLoop, contextOf }: HandlerServices): Handler {
  return async (request, reply) => {
    const where = placeOf(request.variables as Variables);
    if (isRefusal(where)) return sendRefusal(reply, where, baseUrl);
    const { expand, ...narrowed } = where.rest;
    const filter = filterOf(narrowed);
    if (isRefusal(filter)) return sendRefusal(reply, filter, baseUrl);
    const context = contextOf(request);
    const found = await invoiceOperations.list(context, {
      page: where.place,
      filter,
      expanded: expandedBy(expand),
    });
    if (isRefusal(found)) return sendRefusal(reply, found, baseUrl);
    const edges = found.invoices.map((invoice) => ({ node: invoiceBody(invoice, context, expand) }));
    const list = { edges, pageInfo: found.pageInfo };
    const turn = () => eventLoop.waitTurn(ownerOf(context));
    return sendText(reply, 200, await listPage('/v1/invoices', request.query as object, list, turn));
  };
}

/** The ranges of two parameters each; one that nothing is in is refused by the name of its end. */
function filterOf(variables: Omit<Variables, 'expand' | 'first' | 'after' | 'before'>) {
  const {
    issuedFrom,
    issuedTo,
    dueFrom,
    dueTo,
    amountDueMin: min,
    amountDueMax: max,
    ...narrowed
  } = variables;
  const empty =
    emptyRange(issuedFrom, issuedTo, 'issued_to') ??
    emptyRange(dueFrom, dueTo, 'due_to') ??
    emptyRange(min, max, 'amount_due_max');
  if (empty !== null) return empty;
  return {
    ...narrowed,
    issuedOn: { from: issuedFrom, to: issuedTo },
    dueOn: { from: dueFrom, to: dueTo },
    amountDue: { min, max },
  };
}

function emptyRange<T extends string | number>(
  from: T | undefined,
  to: T | undefined,
  end: string,
): Refusal | null {
  const isEmpty = from !== undefined && to !== undefined && to < from;
  return isEmpty ? invalidField(end, 'empty_range', EMPTY_RANGE) : null;
}

/** Reads the body in a turn; its dates are compared with the time of the environment. */
async function inTurn<T>(
  { caller, body }: FastifyRequest,
  turn: () => Promise<void>,
  read: (body: unknown) => T,
): Promise<T> {
  await turn();
  const scope = caller?.kind === 'merchant' ? caller : MADRID_TIME;
  const accepted = atEnvironmentTime(scope, () => read(body));
  await turn();
  return accepted;
}

/** Before each step of processing a body, waits until it is the caller's turn for work of this size. */
function turns(
  eventLoop: HandlerServices['eventLoop'],
  context: Context,
  body: unknown,
): () => Promise<void> {
  const { line_items: lines } = (body ?? {}) as { line_items?: unknown };
  const count = Array.isArray(lines) ? lines.length : 0;
  return () => eventLoop.waitIfLarge(ownerOf(context), count);
}

/** What is to be read beside the invoice for what `expand[]` adds to it. */
function expandedBy(expansions: readonly Expansion[] = []): Expanded {
  return {
    records: expansions.includes('records'),
    family: expansions.includes('rectification'),
    payments: expansions.includes('payments'),
  };
}

/** The `id` of the path, whatever it holds. */
export function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}
