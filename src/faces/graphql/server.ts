import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { Refusal } from '../../ground/errors/refusal.ts';
import type { Language } from '../../ground/lib/language.ts';
import { addLogFields } from '../../ground/lib/logger.ts';
import { isTracing } from '../../ground/lib/tracing.ts';
import type { Services } from '../../services.ts';
import type { Allowance } from '../../subjects/accounts/entry/rate-limit.ts';
import { answerTooLarge, isTooLarge } from './answer-size.ts';
import { boundedWork, costOfRequest, countMutations } from './bounds.ts';
import { ownerOf } from './charged-rows.ts';
import type { Context } from './context.ts';
import { formatRefusal, inLanguage, isFaultOfQuery, refusalOf, refusedError } from './errors.ts';
import { inOperationSpan, operationOf } from './execute.ts';
import { detailInQuery, issuesInQuery } from './field-paths.ts';
import { boundedIntrospection } from './introspection.ts';
import { GRAPHQL_LIMITS } from './limits.ts';
import { type Subscription, subscriptions } from './live/subscribe.ts';
import { boundedQueries } from './query-cache.ts';
import { schema } from './schema.ts';
import { readFromOf, runOnStandbyOrPrimary } from './standby.ts';
import { trustedDocuments } from './trusted.ts';

/** What a request brings with it, and where it is noted what it turned out to be. */
export type RequestContext = {
  readonly requestId: string;
  readonly language: Language;
  readonly caller: Context['caller'];
  /** The header `Idempotency-Key`, null without one. */
  readonly idempotencyKey: string | null;
  readonly observed: {
    /** Something may have been changed. */
    changes: boolean;
    /** The answer is that of an earlier request with the same idempotency key. */
    replayed: boolean;
    /** What remains of the limit per minute that the request has counted against; of several, of the one of which least remains. */
    allowance: Allowance | null;
    /** Whether the answer is to state what it cost (the header `X-Cost`). */
    statesCost: boolean;
    /** The request's subscription, served by the HTTP handler. */
    subscription: Subscription | null;
  };
};

/** The GraphQL endpoint: any query, bounded. The key's environment is its scope. */
export function createGraphQLServer(services: Services) {
  const schemaIsOpen = services.config.graphql.introspection === 'everyone';
  const refusedDocuments = {
    unauthorized: () => documentedRefusal(services, NO_KEY),
    tooMuch: () => documentedRefusal(services, ONE_FILE),
    misshapen: (fault: string) => documentedRefusal(services, new Refusal('invalid_request', fault)),
  };
  return createYoga<RequestContext, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    graphiql: false,
    logging: false,
    // Errors are written by the plugin below, for bugs and refusals alike.
    maskedErrors: false,
    batching: false,
    extraParamNames: ['documentId', 'doc_id'],
    // A key is sent by programs; no page of another origin has one to send. Bodies come parsed, as JSON alone.
    cors: false,
    multipart: false,
    maxRequestBodySize: false,
    // Its own count documents and not bytes, and remember what anybody asks.
    parserAndValidationCache: false,
    context: ({ requestId, language, caller, idempotencyKey, observed }) => ({
      ...{ services, requestId, language, caller, idempotencyKey, log: services.log },
      bounded: true,
      noteAllowance: (allowance) => {
        const least = observed.allowance?.remaining ?? Number.POSITIVE_INFINITY;
        if (allowance.remaining <= least) observed.allowance = allowance;
      },
    }),
    plugins: [
      maxTokensPlugin({ n: GRAPHQL_LIMITS.tokens.value }),
      boundedQueries(schemaIsOpen, refusedDocuments),
      maxAliasesPlugin({ n: GRAPHQL_LIMITS.aliases.value }),
      schemaInBounds,
      noteOperation,
      trustedDocuments(services, (refusal) => documentedRefusal(services, refusal)),
      nothingWithoutKey(services),
      oneMutationForKey,
      boundedWork,
      subscriptions(services),
      refusals(services),
    ],
  });
}

const NO_KEY = new Refusal('unauthorized', 'The API key is missing, malformed, expired or revoked.');
const ONE_FILE = new Refusal('invalid_request', 'Without a key a query asks for one file.');

/** Made once: it counts what the schema holds. */
const introspectionBound = boundedIntrospection(schema);

const schemaInBounds: Plugin<Context> = {
  onValidate({ addValidationRule }) {
    addValidationRule(introspectionBound);
  },
};

/** The request's line in the log names the operation; where traces are kept it has a span of its own. */
const noteOperation: Plugin<Context> = {
  onExecute({ args, executeFn, setExecuteFn }) {
    const operation = operationOf(args.document);
    const { type, name } = operation;
    addLogFields({ operation: name ?? type });
    const { observed } = args.contextValue as unknown as RequestContext;
    observed.changes = type === 'mutation' || args.document.definitions.length > 1;
    const { standby } = (args.contextValue as Context).services;
    if (standby === null && !isTracing()) return;
    const run = () =>
      standby === null
        ? executeFn(args)
        : runOnStandbyOrPrimary(
            standby,
            readFromOf(schema, args.document),
            args.contextValue,
            (contextValue) => executeFn({ ...args, contextValue }),
          );
    setExecuteFn(isTracing() ? () => inOperationSpan(operation, run) : run);
  },
};

/** An idempotency key identifies one mutation, so a request with several is refused. */
const oneMutationForKey: Plugin<Context> = {
  onExecute({ args, setResultAndStopExecution }) {
    const { idempotencyKey } = args.contextValue as Context;
    if (idempotencyKey == null || countMutations(args as ExecutionArgs) < 2) return;
    const detail = `${KEY_HEADER} is for a request of one mutation; send each in a request of its own.`;
    const errors = [
      { field: KEY_HEADER, code: 'invalid_value', message: 'is for a request of one mutation' },
    ];
    const refusal = new Refusal('invalid_request', detail, { errors });
    setResultAndStopExecution({
      errors: [new GraphQLError(refusal.detail, { originalError: refusedError(refusal) })],
    });
  },
};

const KEY_HEADER = 'Idempotency-Key';

/** Without a key, errors of a query are not explained: they would reveal the schema. */
function nothingWithoutKey(services: Pick<Services, 'config'>): Plugin<Context> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if ((serverContext as unknown as Context).caller !== null || Array.isArray(result)) return;
      const { errors } = result as ExecutionResult;
      const [first] = errors ?? [];
      // Yoga marks what parsing refuses so that its status is only for those who request GraphQL's own media type.
      if (first?.extensions['code'] === 'invalid_request' && isDocumented(first)) {
        setResult({ errors: [documentedRefusal(services, ONE_FILE)] });
      } else if (errors?.some(isFaultOfQuery)) {
        setResult({ errors: [documentedRefusal(services, NO_KEY)] });
      }
    },
  };
}

function documentedRefusal({ config }: Pick<Services, 'config'>, refusal: Refusal): GraphQLError {
  const { message, extensions } = formatRefusal(refusal, undefined, config.baseUrl);
  return new GraphQLError(message, { extensions: { ...extensions, http: { status: refusal.status } } });
}

/** Writes every error of an answer in the documented form, and marks a replayed answer. */
function refusals(services: Pick<Services, 'config' | 'log' | 'shares'>): Plugin<Context> {
  const { baseUrl } = services.config;
  const documented = (result: ExecutionResult, context: Context): ExecutionResult => ({
    ...result,
    ...(result.errors === undefined
      ? {}
      : {
          // A document that is refused as a whole has none.
          data: result.data ?? null,
          errors: result.errors.map((error) => inLanguage(documentedError(error, context, baseUrl), context)),
        }),
  });
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result) return;
      const context = serverContext as unknown as Context;
      const whole = boundedAnswer(
        result as ExecutionResult,
        (serverContext as unknown as RequestContext).observed.changes,
      );
      (serverContext as unknown as RequestContext).observed.replayed = context.replayed === true;
      const answer = withExtensions(documented(whole, { ...context, log: services.log }), context, services);
      const code = answer.errors?.[0]?.extensions['code'];
      if (typeof code === 'string') addLogFields({ code });
      setResult(answer);
    },
  };
}

/** What stands beside an answer: that it is replayed, and what it cost, if asked for. */
function withExtensions(
  result: ExecutionResult,
  context: Context,
  services: Pick<Services, 'shares'>,
): ExecutionResult {
  const { observed } = context as unknown as RequestContext;
  const extensions = {
    ...result.extensions,
    ...(context.replayed ? { idempotentReplayed: true } : {}),
    ...(observed.statesCost && context.caller !== null ? { cost: statedCost(context, services) } : {}),
  };
  return Object.keys(extensions).length === 0 ? result : { ...result, extensions };
}

const SHARES = ['reading', 'issuing', 'searching'] as const;

/** The cost of the request beside the limits, and what is left of the shares; null of one that was refused before it was measured. */
function statedCost(context: Context, { shares }: Pick<Services, 'shares'>): object {
  const cost = costOfRequest(context as unknown as RequestContext);
  const owner = ownerOf(context);
  const left = SHARES.map((kind) => [kind, shares.left(owner, kind)] as const);
  return {
    ...{ points: cost?.complexity ?? null, maxPoints: GRAPHQL_LIMITS.cost.value },
    ...{ fields: cost?.breadth ?? null, maxFields: GRAPHQL_LIMITS.breadth.value },
    left: Object.fromEntries(left),
  };
}

/** The answer, or why it is not given: what of it had been requested is in memory already, its text is not. */
function boundedAnswer(result: ExecutionResult, changes: boolean): ExecutionResult {
  if (!isTooLarge(result.data)) return result;
  const refusal = answerTooLarge(changes);
  return { errors: [new GraphQLError(refusal.detail, { originalError: refusedError(refusal) })] };
}

function isDocumented(error: GraphQLError): boolean {
  return typeof error.extensions?.['docUrl'] === 'string';
}

function documentedError(error: GraphQLError, context: Context, baseUrl: string): GraphQLError {
  if (isDocumented(error)) return error;
  const refusal = refusalOf(error, context);
  const formatted = formatRefusal(refusal, error, baseUrl);
  const errors = issuesInQuery(refusal, error, schema, context.idempotencyKey != null);
  return new GraphQLError(detailInQuery(refusal, errors), {
    nodes: error.nodes ?? null,
    path: error.path ?? null,
    extensions: {
      ...formatted.extensions,
      errors,
      ...(error.extensions['http'] ? { http: error.extensions['http'] } : {}),
    },
  });
}
