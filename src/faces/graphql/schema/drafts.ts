import { given } from '../../../ground/db/filter.ts';
import { acceptRequest } from '../../../ground/errors/issues.ts';
import type { ActorAndReason } from '../../../ground/journal/audit-log.ts';
import { snakeKeys } from '../../../ground/lib/case.ts';
import { issuingCaller, type Scope } from '../../../subjects/accounts/entry/caller.ts';
import { readScope } from '../../../subjects/accounts/store/read-callers.ts';
import {
  type DraftRequest,
  draftChange,
  draftContent,
  draftLine,
  draftRequest,
} from '../../../subjects/drafts/draft-request.ts';
import { changeDraft, createDraft, removeDraft, unknownDraft } from '../../../subjects/drafts/drafts.ts';
import { issueDraft } from '../../../subjects/drafts/issue-draft.ts';
import { type DraftFault, draft } from '../../../subjects/drafts/shapes.ts';
import { DRAFT_STATUSES } from '../../../subjects/drafts/types.ts';
import type { CheckSources } from '../../../subjects/issuing/check-invoice.ts';
import { lineItem } from '../../../subjects/issuing/line-request.ts';
import { builder } from '../builder.ts';
import { namesOf } from '../connections.ts';
import type { Context } from '../context.ts';
import { environmentArguments, environmentFromArguments } from '../environment.ts';
import { textOfIssue, valueOrThrow } from '../errors.ts';
import type { Asked } from '../extent.ts';
import { inputType, sameInputType } from '../input-type.ts';
import { READS_NOTHING } from '../null-at-own-path.ts';
import { pageCost } from '../paging.ts';
import type { AuthContexts } from '../permissions.ts';
import { NEWEST_FIRST, prismaListOf } from '../prisma-list.ts';
import { prismaRowOf, type RowKey } from '../prisma-row.ts';
import { readInvoice } from '../read-invoices.ts';
import { sentType } from '../sent-type.ts';
import { issuedInvoice, pdfToken, type ShownInvoice } from '../shown-invoice.ts';
import { ErrorCodeEnum } from './error-codes.ts';
import { Invoice } from './invoice.ts';
import { invoiceReferredTo, READING } from './invoice-edges.ts';
import { Node } from './node-interface.ts';
import { operatorAction, operatorActionArguments } from './operator-actions.ts';

const InvoiceDraftStatusEnum = builder.enumType('InvoiceDraftStatus', {
  description: 'Whether a draft is open or issued.',
  values: DRAFT_STATUSES,
});

const DraftFaultType = builder.objectRef<DraftFault>('InvoiceDraftFault').implement({
  description: 'Why a draft could not be issued in its current state.',
  fields: (t) => ({
    field: t.exposeString('field', {
      nullable: true,
      description: 'The field of the invoice, such as `lineItems[0].quantity`; null if none is concerned.',
    }),
    code: t.exposeString('code', {
      description: 'The code with which issuing would be refused, or a short reason.',
    }),
    message: t.string({
      description: 'The refusal as text.',
      resolve: textOfIssue,
      extensions: READS_NOTHING,
    }),
  }),
});

/** The columns whose types Prisma does not know. */
const {
  status: oneStatus,
  content: oneContent,
  errors: allErrors,
  amounts: allAmounts,
  failure: oneFailure,
} = draft.shape;

const AMOUNTS = [
  ['subtotal', 'The net amount'],
  ['tax', 'The tax'],
  ['total', 'The gross amount'],
] as const;

const DraftInvoice = sentType(draftContent, 'DraftInvoice');

/** The invoice that was issued from it. */
const ISSUED = { invoices: { select: { id: true }, take: 1 } } as const;

export const InvoiceDraft = builder.prismaObject('InvoiceDraft', {
  interfaces: [Node],
  description: 'An invoice that has not been issued: it has no number and is not sent.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id, `dft_…`.' }),
    status: t.field({
      type: InvoiceDraftStatusEnum,
      description: 'Whether it was issued.',
      resolve: ({ status }) => oneStatus.parse(status),
    }),
    invoice: t.field({
      type: 'JSON',
      complexity: 60,
      description: 'The invoice as it was sent, with the field names of REST.',
      resolve: ({ content }) => snakeKeys(oneContent.parse(content)),
    }),
    input: t.field({
      type: DraftInvoice,
      complexity: 60,
      description: 'The invoice as it was sent: what is read here can be sent again.',
      resolve: ({ content }) => oneContent.parse(content),
    }),
    dueInDays: t.exposeInt('dueInDays', {
      nullable: true,
      description: 'Number of days from issue to the due date; null if not stated.',
    }),
    errors: t.field({
      type: [DraftFaultType],
      complexity: { multiplier: 5 },
      description: 'The errors of the last validation; empty if it can be issued.',
      resolve: ({ errors }) => allErrors.parse(errors),
    }),
    ...Object.fromEntries(
      AMOUNTS.map(([name, what]) => [
        name,
        t.field({
          type: 'SafeInt',
          nullable: true,
          description: `${what}; null while its lines cannot be priced.`,
          resolve: ({ amounts }) => allAmounts.parse(amounts)?.[name] ?? null,
        }),
      ]),
    ),
    scheduleId: t.exposeID('scheduleId', {
      nullable: true,
      description: 'The schedule that created it; null if no schedule did.',
    }),
    period: t.expose('periodOn', {
      type: 'Date',
      nullable: true,
      description: 'The day of the schedule for which it was created; null if no schedule created it.',
    }),
    failureCode: t.field({
      type: ErrorCodeEnum,
      nullable: true,
      description: 'The code with which issuing it by its schedule was refused; null if it was not refused.',
      resolve: ({ failure }) => oneFailure.parse(failure)?.code ?? null,
    }),
    failureDetail: t.string({
      nullable: true,
      description: 'The refusal as text; null if it was not refused.',
      resolve: ({ failure }) => oneFailure.parse(failure)?.detail ?? null,
    }),
    invoiceId: t.id({
      nullable: true,
      description: 'The issued invoice; null until it is issued.',
      select: ISSUED,
      resolve: ({ invoices }) => invoices[0]?.id ?? null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

builder.prismaObjectField(InvoiceDraft, 'issuedInvoice', (t) =>
  t.field({
    type: Invoice,
    nullable: true,
    complexity: READING,
    description: 'The issued invoice in its current state; null until it is issued.',
    select: ISSUED,
    resolve: ({ invoices: [issued] }, _args, context, info) =>
      issued === undefined ? null : invoiceReferredTo(context, info, issued.id),
  }),
);

builder.objectField(Invoice, 'draft', (t) =>
  t.prismaField({
    type: InvoiceDraft,
    nullable: true,
    complexity: READING,
    description: 'The draft from which it was issued, as it is now; null if it was issued without one.',
    resolve: (query, { invoice: { environment_id: environmentId, draft_id: id } }, _args, context) =>
      id === null ? null : prismaRowOf(context, 'InvoiceDraft', query, { environmentId, id }),
  }),
);

/** A draft as it is now. */
async function draftNow(context: Context, query: object, key: RowKey) {
  return valueOrThrow((await prismaRowOf(context, 'InvoiceDraft', query, key)) ?? unknownDraft());
}

builder.queryFields((t) => ({
  invoiceDraft: t.withAuth({ scope: 'read', role: 'viewer' }).prismaField({
    type: InvoiceDraft,
    description: 'One draft; `invoice_draft_not_found` if no draft has this id.',
    args: { id: t.arg.id({ required: true, description: 'The id.' }), ...environmentArguments },
    resolve: async (query, _root, { id, ...args }, context) =>
      draftNow(context, query, { environmentId: await environmentFromArguments(context, args), id }),
  }),
  invoiceDrafts: t.withAuth({ scope: 'read', role: 'viewer' }).connection(
    {
      type: InvoiceDraft,
      description:
        'The drafts of the environment, newest first. `first` and `last` are 1 to 100, 25 by default.',
      args: {
        status: t.arg({ type: InvoiceDraftStatusEnum, description: 'Only drafts with this status.' }),
        scheduleId: t.arg.id({ description: 'Only drafts created by this schedule.' }),
        ...environmentArguments,
      },
      complexity: (args) => pageCost(args),
      resolve: async (_root, { status, scheduleId, companyId, environment, ...paging }, context, info) => {
        const environmentId = await environmentFromArguments(context, { companyId, environment });
        const where = { environmentId, ...given({ status, scheduleId }) };
        return prismaListOf(context, info, paging, { model: 'InvoiceDraft', where, order: NEWEST_FIRST });
      },
    },
    ...namesOf('InvoiceDraft'),
  ),
}));

sameInputType(draftLine, lineItem);
inputType(draftContent, 'InvoiceDraftContentInput');
const CreateInvoiceDraftInput = inputType(draftRequest, 'CreateInvoiceDraftInput');
const UpdateInvoiceDraftInput = inputType(draftChange, 'UpdateInvoiceDraftInput');

/** Lines of a draft cost what those of an invoice do that is issued. */
export async function waitForTurn(
  context: AuthContexts['scope'],
  invoice: DraftRequest['invoice'] | undefined | null,
) {
  const { shares, eventLoop } = context.services;
  const lines = invoice?.lineItems?.length ?? 0;
  shares.charge(context.caller.environmentId, 'issuing', Math.floor(lines / 50));
  await eventLoop.waitIfLarge(context.caller.environmentId, lines);
}

/** Whoever acts, with the environment that is meant as issuing sees it; of an operator with the reason. */
export async function scopeForChange(
  context: Context & AuthContexts['known'],
  {
    reason,
    ...environmentArgs
  }: { reason?: string | null | undefined } & Parameters<typeof environmentFromArguments>[1],
): Promise<{ readonly scope: Scope; readonly by: ActorAndReason | null }> {
  const by = operatorAction(context, reason);
  const environmentId = await environmentFromArguments(context, environmentArgs);
  const { caller, services } = context;
  return {
    by,
    scope:
      caller.kind === 'merchant' ? issuingCaller(caller) : await readScope(services.db.pool, environmentId),
  };
}

/**
 * The sources of the rules for what is not issued yet: questions to the registers count towards the caller's limit of
 * validations.
 */
export function sourcesOfDrafts({
  services,
  caller,
}: AuthContexts['scope']): CheckSources & { readonly db: Context['services']['db'] } {
  const { db, catalogs, registers, rateLimits } = services;
  const mayAsk = async () => (await rateLimits.take(caller, 'validate_invoice')).outcome;
  const within = ({ identify }: CheckSources['registers']['test']): CheckSources['registers']['test'] => ({
    identify: (recipient, environmentId) => identify(recipient, environmentId, mayAsk),
  });
  return { db, catalogs, registers: { test: within(registers.test), live: within(registers.live) } };
}

builder.mutationFields((t) => ({
  createInvoiceDraft: t.withAuth({ scope: 'issue' }).prismaField({
    type: InvoiceDraft,
    description:
      'Stores an invoice to be issued later. `errors` lists what it still lacks; `rate_limited` among them if the recipient was not looked up because the limit of validations is used up.',
    args: { input: t.arg({ type: CreateInvoiceDraftInput, required: true, description: 'The draft.' }) },
    resolve: async (query, _root, { input }, context) => {
      const { sent } = valueOrThrow(acceptRequest(draftRequest, input));
      await waitForTurn(context, sent.invoice);
      const scope = issuingCaller(context.caller);
      const { id } = valueOrThrow(await createDraft(sourcesOfDrafts(context), scope, sent));
      return draftNow(context, query, { environmentId: scope.environmentId, id });
    },
  }),
  updateInvoiceDraft: t.withAuth({ scope: 'issue' }).prismaField({
    type: InvoiceDraft,
    description: 'Updates a draft that has not been issued, and validates it again.',
    args: {
      id: t.arg.id({ required: true, description: 'The draft.' }),
      input: t.arg({ type: UpdateInvoiceDraftInput, required: true, description: 'The changes.' }),
      expectedUpdatedAt: t.arg({
        type: 'DateTime',
        description: 'The `updatedAt` of the draft as it was read: `conflict` if it was changed since.',
      }),
    },
    resolve: async (query, _root, { id, input: { invoice, ...rest }, expectedUpdatedAt }, context) => {
      const changes = { ...rest, ...(invoice == null ? {} : { invoice }) };
      const { sent } = valueOrThrow(acceptRequest(draftChange, changes));
      await waitForTurn(context, sent.invoice);
      const scope = issuingCaller(context.caller);
      valueOrThrow(await changeDraft(sourcesOfDrafts(context), scope, id, sent, expectedUpdatedAt ?? null));
      return draftNow(context, query, { environmentId: scope.environmentId, id });
    },
  }),
  deleteInvoiceDraft: t.withAuth({ scope: 'issue', role: 'operator' }).prismaField({
    type: InvoiceDraft,
    description: 'Deletes a draft that has not been issued, and returns it.',
    args: { id: t.arg.id({ required: true, description: 'The draft.' }), ...operatorActionArguments },
    resolve: async (query, _root, { id, reason, ...args }, context) => {
      const by = operatorAction(context, reason);
      const environmentId = await environmentFromArguments(context, args);
      const before = await draftNow(context, query, { environmentId, id });
      valueOrThrow(await removeDraft(context.services.db, environmentId, id, by));
      return before;
    },
  }),
  issueInvoiceDraft: t.withAuth({ scope: 'issue', role: 'operator' }).field({
    type: Invoice,
    description:
      'Issues a draft by the rules of `issueInvoice`. A draft has one invoice: issuing it again returns that one.',
    args: { id: t.arg.id({ required: true, description: 'The draft.' }), ...operatorActionArguments },
    resolve: (_root, { id, ...args }, context, info) => invoiceOfDraft(context, info, id, args),
  }),
}));

/** The invoice of a draft, issued now unless it was before; throws the refusals of `issueDraft`. */
export async function invoiceOfDraft(
  context: Parameters<typeof scopeForChange>[0],
  asked: Asked,
  id: string,
  args: Parameters<typeof scopeForChange>[1],
): Promise<ShownInvoice> {
  const { scope, by } = await scopeForChange(context, args);
  const sign = ({ invoice }: { invoice: { environment_id: number; id: string } }) =>
    pdfToken(context, { environmentId: invoice.environment_id, id: invoice.id });
  const issued = valueOrThrow(await issueDraft(context.services, scope, id, { sign, by }));
  if (!('invoiceId' in issued)) return issuedInvoice(issued, scope);
  context.replayed = true;
  const before = await readInvoice(context, asked, scope.environmentId, issued.invoiceId);
  if (before === null) throw new Error('the invoice of a draft has vanished');
  return before;
}
