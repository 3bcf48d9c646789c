import { type DocumentNode, Kind, type OperationDefinitionNode } from 'graphql';
import type { Outcome } from '../../ground/errors/refusal.ts';
import { inSpan, isTracing } from '../../ground/lib/tracing.ts';
import { endWork } from './charged-rows.ts';
import type { Context } from './context.ts';
import { refusalOf } from './errors.ts';
import { type ReadFrom, runOnStandbyOrPrimary } from './standby.ts';

/** An operation as logs and traces name it, and where it may be run. */
export type Operation = {
  readonly type: string;
  readonly name: string | null;
  readonly readFrom: ReadFrom;
};

/**
 * Runs an operation in process: on the server that may answer it, in a span of its own where traces are kept. What `work`
 * throws becomes a refusal: `refusalOf` says which.
 */
export async function runOperation<Value>(
  operation: Operation,
  context: Context,
  work: (context: Context) => Promise<Value>,
): Promise<Outcome<Value>> {
  const run = async (): Promise<Outcome<Value>> => {
    try {
      const { standby } = context.services;
      const result =
        standby === null
          ? await settled(work, context)
          : await runOnStandbyOrPrimary(standby, operation.readFrom, context, (there) =>
              settled(work, there),
            );
      return 'data' in result ? result.data : refusalOf(result.errors[0], context);
    } finally {
      endWork(context);
    }
  };
  return isTracing() ? inOperationSpan(operation, run) : run();
}

type Settled<Value> = { readonly data: Value } | { readonly errors: readonly [unknown] };

async function settled<Value>(
  work: (context: Context) => Promise<Value>,
  context: Context,
): Promise<Settled<Value>> {
  try {
    return { data: await work(context) };
  } catch (error) {
    return { errors: [error] };
  }
}

/** Runs an operation in a span with the name that its author gave it. The text is left out: it may contain values. */
export function inOperationSpan<Result>(
  { type, name }: Pick<Operation, 'type' | 'name'>,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  const attributes = {
    'graphql.operation.type': type,
    ...(name === null ? {} : { 'graphql.operation.name': name }),
  };
  return inSpan(`graphql ${name ?? type}`, { attributes }, async () => run());
}

/** Names appear in the log and in spans; a request has room for a name of a million letters. */
const LONGEST_NAME = 100;

/** The type and the name of a document's first operation; the name is cut to a readable length. */
export function operationOf(document: DocumentNode): { readonly type: string; readonly name: string | null } {
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const { operation: type = 'unknown', name } = (operation ?? {}) as Partial<OperationDefinitionNode>;
  return { type, name: name?.value.slice(0, LONGEST_NAME) ?? null };
}
