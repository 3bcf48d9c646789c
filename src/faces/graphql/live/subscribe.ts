import {
  createSourceEventStream,
  type DefinitionNode,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { addLogFields } from '../../../ground/lib/logger.ts';
import { answerTooLarge, isTooLarge } from '../answer-size.ts';
import { errorsOfOperation } from '../bounds.ts';
import { endWork, ownerOf } from '../charged-rows.ts';
import type { Context } from '../context.ts';
import { formatRefusal, refusalOf, refusedError } from '../errors.ts';
import { operationOf } from '../execute.ts';
import { GRAPHQL_LIMITS } from '../limits.ts';
import {
  type Answer,
  type Broadcast,
  type BroadcastServices,
  Broadcasts,
  type SharedSubscription,
} from './broadcast.ts';
import { type StoredSubscription, SubscriptionDocuments } from './documents.ts';
import { LiveSource, type Payload } from './source.ts';

/** An authorised subscription. Whoever serves it enters its broadcast, and leaves that when the client has disconnected. */
export type Subscription = {
  /** Its root field. */
  readonly field: string;
  readonly environmentId: number;
  readonly after: number | null;
  /** Refuses if there are too many different subscriptions. */
  enter(): Outcome<{ readonly broadcast: Broadcast; leave(): void }>;
};

/** Where the plugin stores the subscription for the HTTP handler. */
type WithSubscription = { readonly observed: { subscription: Subscription | null } };

/**
 * Has GraphQL validate and authorise subscriptions, and leaves serving them to `rest/live.ts`. A refused subscription is
 * answered like any other refusal.
 */
export function subscriptions(services: BroadcastServices): Plugin<Context> {
  const documents = new SubscriptionDocuments();
  const broadcasts = new Broadcasts(services);

  const subscribe = async (args: ExecutionArgs): Promise<ExecutionResult> => {
    const context = args.contextValue as Context;
    const { type, name } = operationOf(args.document);
    addLogFields({ operation: name ?? type });
    const tooLong = refusalOfVariables(args);
    if (tooLong !== null) return refused(tooLong);
    const errors = errorsOfOperation(args);
    if (errors.length > 0) return { errors };
    if (isConditional(args.document)) return refused(CONDITIONAL);
    const source = await createSourceEventStream({ ...args, contextValue: context });
    if (!(source instanceof LiveSource)) return source as ExecutionResult;
    const { observed } = args.contextValue as WithSubscription;
    observed.subscription = {
      field: source.field,
      environmentId: source.environmentId,
      after: source.after,
      enter() {
        const entry = documents.keep(args.document, ownerOf(context));
        if (isRefusal(entry)) return entry;
        const { kept, release } = entry;
        const { broadcast, leave } = broadcasts.enter(nameOf(source, kept, args), () =>
          sharedSubscription(source, kept, args),
        );
        return { broadcast, leave: both(leave, release) };
      },
    };
    return NO_DATA;
  };

  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(subscribe as never);
    },
    onResultProcess({ request, result, setResult, setResultProcessor, serverContext }) {
      const { observed } = serverContext as unknown as WithSubscription;
      if (observed.subscription !== null) {
        if (acceptsEvents(request)) setResultProcessor((_, { Response }) => new Response(null), EVENTS);
        else {
          observed.subscription = null;
          setResult(refused(NOT_AS_EVENTS));
          setResultProcessor(
            (refusal, { Response }) => answerRefusal(refusal as ExecutionResult, Response),
            JSON_TYPE,
          );
        }
      } else if (request.headers.get('accept')?.includes(EVENTS) && isRefused(result)) {
        // A stream that does not begin has a status of failure: otherwise a browser would reconnect forever.
        setResultProcessor(
          (refusal, { Response }) => answerRefusal(refusal as ExecutionResult, Response),
          EVENTS,
        );
      }
    },
  };
}

/** A function of its own, because a closure in the caller would keep all of the request for as long as the stream is open. */
const both = (one: () => void, other: () => void) => () => {
  one();
  other();
};

/** What Yoga gets as the answer: given the subscription, it would iterate over it itself. */
const NO_DATA: ExecutionResult = { data: {} };

const EVENTS = 'text/event-stream';
const JSON_TYPE = 'application/json';

const NOT_AS_EVENTS = new Refusal(
  'invalid_request',
  'A subscription is answered as text/event-stream: send it with `Accept: text/event-stream`.',
);

function acceptsEvents(request: Request): boolean {
  return /text\/event-stream|text\/\*|\*\/\*/.test(request.headers.get('accept') ?? '*/*');
}

const refused = (refusal: Refusal): ExecutionResult => ({
  errors: [new GraphQLError(refusal.detail, { originalError: refusedError(refusal) })],
});

function isRefused(result: unknown): boolean {
  const { data, errors } = result as ExecutionResult;
  return errors !== undefined && data == null;
}

/** Whole, as any other answer: clients that would take a stream too ask for all else with the same header. */
function answerRefusal(refusal: ExecutionResult, Response: typeof globalThis.Response): Response {
  const extensions = refusal.errors?.[0]?.extensions as { status?: number; retryAfter?: number } | undefined;
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(extensions?.retryAfter === undefined ? {} : { 'retry-after': String(extensions.retryAfter) }),
  };
  const errors = refusal.errors?.map(withoutHttp);
  const body = JSON.stringify({ data: null, ...refusal, errors });
  return new Response(body, { status: extensions?.status ?? 400, headers });
}

/** What tells Yoga the status is for nobody else. */
function withoutHttp(error: GraphQLError): object {
  const { extensions: { http: _, ...extensions } = {}, ...rest } = error.toJSON();
  return { ...rest, extensions };
}

const CONDITIONAL = new Refusal(
  'invalid_request',
  'The root field of a subscription has neither `@skip` nor `@include`, itself or by a fragment.',
);

/**
 * Whether what the root of a subscription selects has directives: without its field there would be nothing to subscribe to
 * (GraphQL of September 2025, 5.2.4.1).
 */
function isConditional({ definitions }: DocumentNode): boolean {
  const has = ({ selections }: SelectionSetNode): boolean =>
    selections.some(
      (node) =>
        (node.directives?.length ?? 0) > 0 || (node.kind === Kind.INLINE_FRAGMENT && has(node.selectionSet)),
    );
  return definitions.some((node) => isAtRoot(node) && has(node.selectionSet));
}

const isAtRoot = (node: DefinitionNode): node is FragmentDefinitionNode | OperationDefinitionNode =>
  node.kind === Kind.OPERATION_DEFINITION
    ? node.operation === 'subscription'
    : node.kind === Kind.FRAGMENT_DEFINITION && node.typeCondition.name.value === 'Subscription';

function refusalOfVariables({ variableValues }: ExecutionArgs): Refusal | null {
  const bytes = Buffer.byteLength(JSON.stringify(variableValues ?? {}));
  if (bytes <= GRAPHQL_LIMITS.subscriptionVariables.value) return null;
  const detail = `must have at most ${GRAPHQL_LIMITS.subscriptionVariables.value} bytes for a subscription`;
  return invalidField('variables', 'too_big', detail);
}

/** Subscriptions to the same field receive the same events. */
function nameOf(
  source: LiveSource,
  kept: StoredSubscription,
  { contextValue, operationName, variableValues }: ExecutionArgs,
) {
  const { caller } = contextValue as Context;
  const variables = Object.entries(variableValues ?? {}).filter(([name]) => name !== kept.resumesBy);
  const may = caller?.kind === 'operator' ? caller.role : [...(caller?.scopes ?? [])].sort();
  return JSON.stringify([source.environmentId, may, kept.id, operationName ?? null, variables.sort()]);
}

function sharedSubscription(
  source: LiveSource,
  { document }: StoredSubscription,
  args: ExecutionArgs,
): SharedSubscription {
  const { services, caller, requestId, log } = args.contextValue as Context;
  const { schema, variableValues, operationName } = args;
  const answer = async ({ root }: Payload): Promise<Answer> => {
    const contextValue: Context = { services, caller, requestId, log, bounded: true };
    const execution = { schema, document, variableValues, operationName, rootValue: root, contextValue };
    try {
      return answerOf((await execute(execution as ExecutionArgs)) as ExecutionResult, contextValue);
    } finally {
      endWork(contextValue);
    }
  };
  return { source, owner: ownerOf({ caller }), answer };
}

function answerOf({ data, errors = [] }: ExecutionResult, context: Context): Answer {
  const { baseUrl } = context.services.config;
  if (isTooLarge(data))
    return { result: { errors: [formatRefusal(answerTooLarge(false), null, baseUrl)] }, isTemporary: false };
  if (errors.length === 0) return { result: { data }, isTemporary: false };
  const refusals = errors.map((error) => [error, refusalOf(error, context)] as const);
  return {
    result: { data, errors: refusals.map(([error, refusal]) => formatRefusal(refusal, error, baseUrl)) },
    isTemporary: refusals.some(([, { code }]) => code === 'service_unavailable'),
  };
}
