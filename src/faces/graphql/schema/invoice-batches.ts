import { parseRequest } from '../../../ground/errors/issues.ts';
import type { FieldIssue, Refusal } from '../../../ground/errors/refusal.ts';
import { issuingCaller } from '../../../subjects/accounts/entry/caller.ts';
import {
  acceptBatch,
  refusalBeforeReading,
  statusOf,
  tooManyOpen,
  unknownBatch,
} from '../../../subjects/batches/accept-batch.ts';
import { type BatchRequest, batchRequest } from '../../../subjects/batches/request.ts';
import type { Batch, BatchItem, ItemRefusal } from '../../../subjects/batches/shapes.ts';
import { listItems } from '../../../subjects/batches/store/read-batches.ts';
import { builder } from '../builder.ts';
import { connectionOf, namesOf } from '../connections.ts';
import type { Context } from '../context.ts';
import { environmentArguments, environmentFromArguments } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { REPORTS_JOB } from '../from-standby.ts';
import { keyOf } from '../idempotency.ts';
import { pageCost } from '../paging.ts';
import type { AuthContexts } from '../permissions.ts';
import { NEWEST_FIRST, prismaListOf } from '../prisma-list.ts';
import { prismaRowOf } from '../prisma-row.ts';
import { ErrorCodeEnum } from './error-codes.ts';
import { Invoice } from './invoice.ts';
import { READING, relatedInvoices } from './invoice-edges.ts';
import { IssueInvoiceInput } from './issuing.ts';
import { Node } from './node-interface.ts';

const BatchStatusEnum = builder.enumType('InvoiceBatchStatus', {
  description: 'The progress of a batch.',
  values: {
    pending: { description: 'No invoice has a result yet.' },
    running: { description: 'Some of the invoices have a result.' },
    completed: { description: 'All invoices have a result.' },
  } as const,
});

const BatchResultEnum = builder.enumType('InvoiceBatchResultStatus', {
  description: 'The result of an invoice of a batch.',
  values: {
    pending: { description: 'It has not been processed yet, or will be tried again.' },
    issued: { description: 'It was issued.' },
    failed: { description: 'It was refused; `error` states why.' },
  } as const,
});

export const pendingOf = ({ size, issued, failed }: Pick<Batch, 'size' | 'issued' | 'failed'>): number =>
  size - issued - failed;

export const InvoiceBatch = builder.prismaObject('InvoiceBatch', {
  interfaces: [Node],
  description: 'Invoices that were sent together and are issued one after the other. Kept for 30 days.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id, `bat_…`.' }),
    status: t.field({ type: BatchStatusEnum, description: 'The progress of the batch.', resolve: statusOf }),
    size: t.exposeInt('size', { description: 'Number of invoices in the request.' }),
    pending: t.int({
      description: 'Number of invoices without a result yet.',
      resolve: pendingOf,
    }),
    issued: t.exposeInt('issued', { description: 'Number of issued invoices.' }),
    failed: t.exposeInt('failed', { description: 'Number of refused invoices.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was requested.' }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last result was stored; null before that.',
    }),
  }),
});

const BatchFieldIssue = builder.objectRef<FieldIssue>('InvoiceBatchFieldIssue').implement({
  description: 'A field that made an invoice of a batch fail.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Its path within the invoice.' }),
    code: t.exposeString('code', { description: 'A short code for the rule.' }),
    message: t.exposeString('message', { description: 'The rule as text.' }),
  }),
});

const BatchItemError = builder.objectRef<ItemRefusal>('InvoiceBatchError').implement({
  description: 'Why an invoice of a batch was not issued: the error that issuing it alone would have given.',
  fields: (t) => ({
    code: t.expose('code', { type: ErrorCodeEnum, description: 'The code.' }),
    detail: t.exposeString('detail', { description: 'A message for people.' }),
    errors: t.field({
      type: [BatchFieldIssue],
      complexity: { multiplier: 5 },
      description: 'The fields that it concerns.',
      resolve: ({ errors }) => errors,
    }),
  }),
});

export const InvoiceBatchResult = builder.objectRef<BatchItem>('InvoiceBatchResult').implement({
  interfaces: [Node],
  description: 'The result of one invoice of a batch.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the result, `bar_…`.' }),
    position: t.exposeInt('position', { description: 'The position in the request, from 1.' }),
    externalId: t.exposeString('externalId', { description: 'Your own reference, as sent.' }),
    status: t.expose('state', { type: BatchResultEnum, description: 'The result.' }),
    invoice: t.field({
      type: Invoice,
      nullable: true,
      complexity: READING,
      description: 'The invoice; null unless it was issued.',
      resolve: async ({ environmentId, invoiceId }, _args, context, info) =>
        invoiceId === null ? null : (await relatedInvoices(context, info, environmentId, [invoiceId]))[0]!,
    }),
    number: t.exposeString('number', {
      nullable: true,
      description: 'The number of the invoice, without reading the whole invoice; null unless it was issued.',
    }),
    error: t.expose('refusal', {
      type: BatchItemError,
      nullable: true,
      description: 'The reason for the failure; null if it did not fail.',
    }),
  }),
});

builder.queryFields((t) => ({
  invoiceBatch: t.withAuth({ scope: 'read', role: 'viewer' }).prismaField({
    type: InvoiceBatch,
    description: 'One batch; `invoice_batch_not_found` if no batch with this id is kept.',
    args: { id: t.arg.id({ required: true, description: 'The id.' }), ...environmentArguments },
    extensions: REPORTS_JOB,
    resolve: async (query, _root, { id, ...args }, context) => {
      const environmentId = await environmentFromArguments(context, args);
      const found = await prismaRowOf(context, 'InvoiceBatch', query, { environmentId, id });
      return valueOrThrow(found ?? unknownBatch());
    },
  }),
  invoiceBatches: t.withAuth({ scope: 'read', role: 'viewer' }).connection(
    {
      type: InvoiceBatch,
      description:
        'The batches of the environment, newest first. `first` and `last` are 1 to 100, 25 by default.',
      args: { ...environmentArguments },
      complexity: (args) => pageCost(args),
      extensions: REPORTS_JOB,
      resolve: async (_root, { companyId, environment, ...paging }, context, info) => {
        const environmentId = await environmentFromArguments(context, { companyId, environment });
        const list = { model: 'InvoiceBatch', where: { environmentId }, order: NEWEST_FIRST } as const;
        return prismaListOf(context, info, paging, list);
      },
    },
    ...namesOf('InvoiceBatch'),
  ),
  invoiceBatchResults: t.withAuth({ scope: 'read', role: 'viewer' }).connection(
    {
      type: InvoiceBatchResult,
      description:
        'The results of the invoices of a batch, in the order of the request. `first` and `last` are 1 to 100, 25 by default.',
      args: {
        batchId: t.arg.id({ required: true, description: 'The batch.' }),
        status: t.arg({ type: BatchResultEnum, description: 'Only results with this status.' }),
        ...environmentArguments,
      },
      complexity: (args) => pageCost(args),
      extensions: REPORTS_JOB,
      resolve: async (_root, { batchId, status, companyId, environment, ...paging }, context) => {
        const environmentId = await environmentFromArguments(context, { companyId, environment });
        const query = { select: { id: true } };
        const key = { environmentId, id: batchId };
        valueOrThrow((await prismaRowOf(context, 'InvoiceBatch', query, key)) ?? unknownBatch());
        const list = listItems(context.services.db.pool, environmentId, batchId, status ?? null);
        return connectionOf(context, paging, list, {
          idOf: ({ id }) => id,
          filter: { batchId, status },
        });
      },
    },
    ...namesOf('InvoiceBatchResult'),
  ),
}));

builder.mutationField('createInvoiceBatch', (t) =>
  t.withAuth({ scope: 'issue' }).field({
    type: InvoiceBatch,
    description:
      'Accepts up to 1,000 invoices, each with its own `externalId`, and issues them in their order. A refused invoice does not affect the others.',
    args: {
      invoices: t.arg({
        type: [IssueInvoiceInput],
        required: true,
        description: 'The invoices, in the order in which they are to be numbered.',
      }),
      idempotencyKey: t.arg.string({
        description: 'An idempotency key: 1 to 255 printable ASCII characters, kept for 24 hours.',
      }),
    },
    resolve: async (_root, { invoices, idempotencyKey }, context) => {
      const key = valueOrThrow(keyOf(context, idempotencyKey));
      return createdBatch(context, valueOrThrow(parseRequest(batchRequest, { invoices })), key);
    },
  }),
);

/** Accepts a batch, once for its key; throws the refusals of `acceptBatch`. */
export async function createdBatch(
  context: AuthContexts['scope'],
  request: BatchRequest,
  key: string | null,
): Promise<Batch> {
  const { services, caller } = context;
  const { environmentId } = caller;
  services.shares.charge(environmentId, 'issuing', Math.floor(request.invoices.length / 50));
  const accepted = await services.semaphores.batches.within(environmentId, async () => {
    await services.eventLoop.waitTurn(environmentId);
    return acceptBatch(services.db, issuingCaller(caller), request, key);
  });
  if (accepted === null) return valueOrThrow<Batch>(tooManyOpen());
  context.replayed = accepted.replayed;
  return valueOrThrow(accepted.outcome);
}

/** Why `createInvoiceBatch` would refuse a batch of the environment before it looks at it; for callers who have not read it yet. */
export function refusalOfBatch(
  { db }: Pick<Context['services'], 'db'>,
  environmentId: number,
  key: string | null,
): Promise<Refusal | null> {
  return refusalBeforeReading(db, environmentId, key);
}
