import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import { type DocumentNode, type ExecutionResult, GraphQLError, Kind } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { Refusal } from '../errors/refusal.ts';
import { LIMITS } from '../lib/limits.ts';
import { addLogFields } from '../lib/log-context.ts';
import { keepsTraces } from '../lib/tracing.ts';
import type { Services } from '../services.ts';
import type { Context } from './context.ts';
import { formatRefusal, isFaultOfQuery, refusalOf } from './errors.ts';
import { inOperationSpan, operationOf } from './execute.ts';
import { schema } from './schema.ts';

/** The GraphQL endpoint: any query, bounded; GraphiQL for a browser. The key's environment is its scope. */
export function createGraphQLServer(services: Services) {
  return createYoga<{ requestId: string; caller: Context['caller'] }, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    // GraphiQL comes from the package: nothing is fetched from elsewhere. It takes 50 MB, so not before it is wanted.
    renderGraphiQL: async (options) =>
      (await import('@graphql-yoga/render-graphiql')).renderGraphiQL(options ?? {}),
    logging: false,
    // Errors are written by the plugin below, for bugs and refusals alike.
    maskedErrors: false,
    batching: false,
    // A key is sent by programs; no page of another origin has one to send. Bodies come parsed, as JSON alone.
    cors: false,
    multipart: false,
    maxRequestBodySize: false,
    context: ({ requestId, caller }) => ({
      ...{ services, requestId, caller, log: services.log },
      bounded: true,
      counted: false,
    }),
    plugins: [
      maxTokensPlugin({ n: LIMITS.tokens.value }),
      maxAliasesPlugin({ n: LIMITS.aliases.value }),
      tellingOperation,
      authenticationFirst(services),
      refusals(services),
    ],
  });
}

/** The request's line in the log names the operation; where traces are kept it has a span of its own. */
const tellingOperation: Plugin<Context> = {
  onExecute({ args, executeFn, setExecuteFn }) {
    const { type, name } = operationOf(args.document);
    addLogFields({ operation: name ?? type });
    if (keepsTraces()) setExecuteFn(() => inOperationSpan(args.document, () => executeFn(args)));
  },
};

/** Without a key nothing but the schema itself can be asked; neither are a request's faults discussed. */
function authenticationFirst(services: Services): Plugin<Context> {
  return {
    onExecute({ args, setResultAndStopExecution }) {
      const context = args.contextValue as Context;
      if (context.caller !== null || asksOnlyForSchema(args.document) || isLinkRead(args.document)) return;
      setResultAndStopExecution(unauthorized(services));
    },
    onResultProcess({ result, setResult, serverContext }) {
      if ((serverContext as unknown as Context).caller !== null || Array.isArray(result)) return;
      const { errors } = result as ExecutionResult;
      if (errors?.some((error) => isFaultOfQuery(error) && !isDocumented(error))) {
        setResult(unauthorized(services));
      }
    },
  };
}

function unauthorized({ config }: Services): ExecutionResult {
  const refusal = new Refusal('unauthorized', 'The API key is missing, malformed or revoked.');
  const { message, extensions } = formatRefusal(refusal, undefined, config.baseUrl);
  const http = { status: 401 };
  return { errors: [new GraphQLError(message, { extensions: { ...extensions, http } })] };
}

function rootFields(document: DocumentNode): string[] {
  return document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? definition.selectionSet.selections.map((node) => (node.kind === Kind.FIELD ? node.name.value : ''))
      : [],
  );
}

function asksOnlyForSchema(document: DocumentNode): boolean {
  return rootFields(document).every((name) => name.startsWith('__'));
}

/** A signed link is its own authority. */
function isLinkRead(document: DocumentNode): boolean {
  return rootFields(document).every((name) => name === 'invoiceFile');
}

/** Writes every error of an answer in the documented form, and says when an answer is a replayed one. */
function refusals(services: Services): Plugin<Context> {
  const { baseUrl } = services.config;
  const documented = (result: ExecutionResult, context: Context): ExecutionResult => ({
    ...result,
    ...(context.replayed ? { extensions: { ...result.extensions, idempotentReplayed: true } } : {}),
    ...(result.errors === undefined
      ? {}
      : { errors: result.errors.map((error) => documentedError(error, context, baseUrl)) }),
  });
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result) return;
      const context = serverContext as unknown as Context;
      const told = documented(result as ExecutionResult, { ...context, log: services.log });
      const code = told.errors?.[0]?.extensions['code'];
      if (typeof code === 'string') addLogFields({ code });
      setResult(told);
    },
  };
}

function isDocumented(error: GraphQLError): boolean {
  return typeof error.extensions?.['docUrl'] === 'string';
}

function documentedError(error: GraphQLError, context: Context, baseUrl: string): GraphQLError {
  if (isDocumented(error)) return error;
  const formatted = formatRefusal(refusalOf(error, context), error, baseUrl);
  return new GraphQLError(formatted.message, {
    nodes: error.nodes ?? null,
    path: error.path ?? null,
    extensions: {
      ...formatted.extensions,
      ...(error.extensions['http'] ? { http: error.extensions['http'] } : {}),
    },
  });
}
