import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind, type SelectionNode } from 'graphql';
import { Counter } from 'prom-client';
import { isFailureOfStandby } from '../../ground/db/standby/read-from.ts';
import { createInvoiceReader, createNewestReader, createPageReader } from '../../subjects/invoices/reader.ts';
import { endWork } from './charged-rows.ts';
import type { Context } from './context.ts';
import type { FROM_STANDBY, REPORTS_JOB } from './from-standby.ts';

const answered = new Counter({
  name: 'lacre_reads_total',
  help: 'Queries that a standby may answer, by the server that answered.',
  labelNames: ['server'],
});
for (const server of ['standby', 'primary']) answered.labels(server).inc(0);

type ContextServices = Context['services'];

type Standby = NonNullable<ContextServices['standby']>;

/**
 * Runs an operation where it may be run: a query that large reads are made for on the standby, when that has replayed whatever
 * was written for the caller's environment, and once more on the primary when it fails there. Before a change is answered, or
 * a query that reports what a job changed for the caller, the position is recorded that a standby must have reached.
 */
export async function runOnStandbyOrPrimary<Result>(
  standby: Standby,
  readFrom: ReadFrom,
  context: Context,
  run: (context: Context) => Result | Promise<Result>,
): Promise<Result> {
  const environmentId = context.caller?.kind === 'merchant' ? context.caller.environmentId : null;
  if (readFrom === 'changed primary') {
    try {
      return await run(context);
    } finally {
      await standby.note(environmentId);
    }
  }
  if (readFrom === 'primary') return run(context);
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
  const { errors } = result as { readonly errors?: readonly unknown[] };
  return (
    errors?.some((error) =>
      isFailureOfStandby(error instanceof GraphQLError ? error.originalError : error),
    ) === true
  );
}

const onStandby = new WeakMap<ContextServices, ContextServices>();

function servicesOn(services: ContextServices, { db }: Standby): ContextServices {
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

/** Which server may answer: the standby too; the primary; or the primary, of which a change is reported. */
export type ReadFrom = 'standby' | 'primary' | 'changed primary';

const known = new WeakMap<DocumentNode, ReadFrom>();

/** Which server may answer a document. */
export function readFromOf(schema: GraphQLSchema, document: DocumentNode): ReadFrom {
  let readFrom = known.get(document);
  if (readFrom === undefined) {
    readFrom = findReadFrom(schema, document);
    known.set(document, readFrom);
  }
  return readFrom;
}

function findReadFrom(schema: GraphQLSchema, { definitions }: DocumentNode): ReadFrom {
  const operations = definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  // The operation is not known yet, so all of them count.
  if (operations.some(({ operation }) => operation === 'mutation')) return 'changed primary';
  const fields = schema.getQueryType()!.getFields();
  const isMarked = (node: SelectionNode, mark: keyof typeof FROM_STANDBY | keyof typeof REPORTS_JOB) =>
    node.kind === Kind.FIELD && fields[node.name.value]?.extensions[mark] === true;
  const [only, ...others] = operations;
  if (only?.operation !== 'query' || others.length > 0) return 'primary';
  const { selections } = only.selectionSet;
  if (selections.some((node) => isMarked(node, 'reportsJob'))) return 'changed primary';
  return selections.every((node) => isMarked(node, 'fromStandby')) ? 'standby' : 'primary';
}
