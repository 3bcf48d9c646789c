import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type SelectionNode,
} from 'graphql';
import { Counter } from 'prom-client';
import { isFailureOfStandby } from '../../ground/db/standby/read-from.ts';
import { createInvoiceReader, createNewestReader, createPageReader } from '../../subjects/invoices/reader.ts';
import { endWork } from './charged-values.ts';
import type { Context } from './context.ts';
import type { FROM_STANDBY, REPORTS_JOB } from './from-standby.ts';

const answered = new Counter({
  name: 'lacre_reads_total',
  help: 'Queries that a standby may answer, by the server that answered.',
  labelNames: ['server'],
});
for (const server of ['standby', 'primary']) answered.labels(server).inc(0);

/**
 * Runs a document where it may be run: a query that large reads are made for on the standby, when that has replayed whatever
 * was written for the caller's environment, and once more on the primary when it fails there. Before a change is answered, or
 * a query that reports what a job changed for the caller, the position is recorded that a standby must have reached.
 */
export async function runOnStandbyOrPrimary<Result>(
  schema: GraphQLSchema,
  document: DocumentNode,
  context: Context,
  run: (context: Context) => Result | Promise<Result>,
): Promise<Result> {
  const { standby } = context.services;
  if (standby === null) return run(context);
  const environmentId = context.caller?.kind === 'merchant' ? context.caller.environmentId : null;
  const kind = kindOf(schema, document);
  if (kind === 'change') {
    try {
      return await run(context);
    } finally {
      await standby.note(environmentId);
    }
  }
  if (kind === 'other') return run(context);
  if (await standby.covers(environmentId)) {
    const there = { ...context, services: servicesOn(context.services, standby) };
    const result = await finishing(there, run);
    if (!hasFailed(result)) {
      answered.labels('standby').inc();
      return result;
    }
    standby.suspect();
  }
  answered.labels('primary').inc();
  return run(context);
}

async function finishing<Result>(context: Context, run: (context: Context) => Result | Promise<Result>) {
  try {
    return await run(context);
  } finally {
    endWork(context);
  }
}

function hasFailed(result: unknown): boolean {
  const { errors } = result as ExecutionResult;
  return (
    errors?.some((error) => error instanceof GraphQLError && isFailureOfStandby(error.originalError)) === true
  );
}

type ContextServices = Context['services'];

const onStandby = new WeakMap<ContextServices, ContextServices>();

function servicesOn(
  services: ContextServices,
  { db }: NonNullable<ContextServices['standby']>,
): ContextServices {
  let known = onStandby.get(services);
  if (known === undefined) {
    const readInvoice = createInvoiceReader(db);
    known = {
      ...{ ...services, db, readInvoice },
      readInvoicePage: createPageReader(db, readInvoice),
      readNewest: createNewestReader(db),
    };
    onStandby.set(services, known);
  }
  return known;
}

/** What of a document matters here: that it reports a change, that the standby may answer it, or neither. */
type DocumentKind = 'change' | 'read' | 'other';

const kinds = new WeakMap<DocumentNode, DocumentKind>();

function kindOf(schema: GraphQLSchema, document: DocumentNode): DocumentKind {
  let kind = kinds.get(document);
  if (kind === undefined) {
    kind = findKind(schema, document);
    kinds.set(document, kind);
  }
  return kind;
}

function findKind(schema: GraphQLSchema, { definitions }: DocumentNode): DocumentKind {
  const operations = definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  // The operation is not known yet, so all of them count.
  if (operations.some(({ operation }) => operation === 'mutation')) return 'change';
  const fields = schema.getQueryType()!.getFields();
  const isMarked = (node: SelectionNode, mark: keyof typeof FROM_STANDBY | keyof typeof REPORTS_JOB) =>
    node.kind === Kind.FIELD && fields[node.name.value]?.extensions[mark] === true;
  const [only, ...others] = operations;
  if (only?.operation !== 'query' || others.length > 0) return 'other';
  const { selections } = only.selectionSet;
  if (selections.some((node) => isMarked(node, 'reportsJob'))) return 'change';
  return selections.every((node) => isMarked(node, 'fromStandby')) ? 'read' : 'other';
}
