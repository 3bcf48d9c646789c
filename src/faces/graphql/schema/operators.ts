import type { GraphQLResolveInfo } from 'graphql';
import { EXCHANGE, withFieldsOf } from '../../../ground/errors/fields.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import type { Outcome } from '../../../ground/errors/refusal.ts';
import {
  type AuditEntry,
  listAuditEntries,
  listOwnAuditEntries,
} from '../../../ground/journal/store/audit-log.ts';
import type { Caller, Operator } from '../../../subjects/accounts/entry/caller.ts';
import type { InvoiceView } from '../../../subjects/invoices/view.ts';
import { amendRecord } from '../../../subjects/rectifying/amend-record.ts';
import { amendmentRequest } from '../../../subjects/rectifying/amended-content.ts';
import {
  environmentOfExchange,
  exchangeInvoices,
  exchangeRequest,
} from '../../../subjects/rectifying/exchange.ts';
import { type Corrector, voidInvoice, voidRequest } from '../../../subjects/rectifying/void-invoice.ts';
import { skipRecord, skipRequest } from '../../../subjects/registration/skip-record.ts';
import { builder } from '../builder.ts';
import { connectionOf, namesOf } from '../connections.ts';
import type { Context } from '../context.ts';
import { environmentArguments, environmentFromArguments } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { OPERATORS_PAGE, pageCost } from '../paging.ts';
import type { AuthContexts } from '../permissions.ts';
import { readInvoice } from '../read-invoices.ts';
import { TaxIdTypeEnum } from './enums.ts';
import { Invoice } from './invoice.ts';
import { RecipientInput } from './issuing.ts';
import { Node } from './node-interface.ts';

/** Corrections beside rectificativas, and what operators did. Shapes only: the values are defined by the schemas of the operations. */

/** A merchant corrects what is its environment's, an operator what is anybody's. */
function correctorOf({ caller }: { readonly caller: Caller | Operator }): Corrector {
  return { actor: caller.keyId, within: caller.kind === 'merchant' ? caller.environmentId : null };
}

/** The invoice as it is now that the act is done. */
async function readBack(
  context: Context,
  info: GraphQLResolveInfo,
  { environmentId, invoiceId }: { environmentId: number; invoiceId: string },
): Promise<InvoiceView> {
  const found = await readInvoice(context, info, environmentId, invoiceId);
  if (found === null) throw new Error('an invoice that was acted on has vanished');
  return found;
}

builder.mutationField('voidInvoice', (t) =>
  t.withAuth({ scope: 'correct', role: 'operator' }).field({
    type: Invoice,
    description:
      'Cancels an invoice that should never have been issued, here and at the agency. If the agency has rejected the cancellation, repeating the request sends another one.',
    args: { invoiceId: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: async (_root, args, context, info) => {
      const request = valueOrThrow(parseRequest(voidRequest, args));
      const voided = await voidInvoice(context.services, correctorOf(context), request);
      return readBack(context, info, valueOrThrow(voided));
    },
  }),
);

const ExchangeInvoicesInput = builder.inputType('ExchangeInvoicesInput', {
  fields: (t) => ({
    ticketIds: t.idList({
      required: true,
      description:
        'Simplified invoices of one environment. For a corrected one, give the id of its last correction.',
    }),
    recipient: t.field({ type: RecipientInput, required: true }),
    externalId: t.string(),
    notes: t.string(),
    reason: t.string({ description: 'The reason; kept in the audit log.' }),
  }),
});

builder.mutationField('exchangeInvoices', (t) =>
  t.withAuth({ scope: 'issue', role: 'operator' }).field({
    type: Invoice,
    description:
      'Issues one complete invoice in exchange for simplified ones (F3). They remain valid, but cannot be corrected unless it is voided.',
    args: { input: t.arg({ type: ExchangeInvoicesInput, required: true }) },
    resolve: async (_root, { input }, context, info) => {
      const { actor, within } = correctorOf(context);
      const request = valueOrThrow(parseRequest(exchangeRequest, input));
      const environmentId = within ?? valueOrThrow(await environmentOfExchange(context.services, request));
      const outcome = await exchangeInvoices(context.services, actor, environmentId, request);
      const { invoice } = valueOrThrow(withFieldsOf(EXCHANGE, outcome));
      return readBack(context, info, { environmentId, invoiceId: invoice.id });
    },
  }),
);

const FiscalIdentityInput = builder.inputType('FiscalIdentityInput', {
  fields: (t) => ({
    name: t.string(),
    taxId: t.string(),
    taxIdType: t.field({ type: TaxIdTypeEnum }),
    taxIdCountry: t.string({ description: 'The country, ISO 3166-1 alpha-2.' }),
  }),
});

const AmendRecordInput = builder.inputType('AmendRecordInput', {
  fields: (t) => ({
    invoiceId: t.id({ required: true }),
    reason: t.string({ required: true }),
    recipient: t.field({
      type: FiscalIdentityInput,
      description:
        'Changes of the declared recipient; complete invoices only. Its tax id and country stay, and its name changes only to another spelling.',
    }),
    description: t.string({ description: 'The description of the operation as declared.' }),
    reclassify: t.boolean({
      description:
        'Whether to declare regime keys and causes of exemption according to the current tax catalog. Taxes, rates and amounts stay.',
    }),
  }),
});

builder.mutationField('amendRecord', (t) =>
  t.withAuth({ scope: 'correct', role: 'operator' }).field({
    type: Invoice,
    description:
      'Corrects the declaration of an invoice whose record the agency rejected or flagged, and sends it again. The invoice and its amounts stay unchanged; without corrections, the same content is sent again. What would contradict the printed invoice is refused (`amendment_needs_rectification`).',
    args: { input: t.arg({ type: AmendRecordInput, required: true }) },
    resolve: async (_root, { input }, context, info) => {
      const request = valueOrThrow(parseRequest(amendmentRequest, input));
      const amended = await amendRecord(context.services, correctorOf(context), request);
      return readBack(context, info, valueOrThrow(amended));
    },
  }),
);

builder.mutationField('skipRecord', (t) =>
  t.withAuth({ role: 'operator' }).field({
    type: Invoice,
    description:
      'Marks a pending record as skipped, so that it is never sent; it must not have been sent yet.',
    args: { recordId: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: async (_root, args, context, info) => {
      const { keyId } = context.caller;
      const request = valueOrThrow(parseRequest(skipRequest, args));
      const outcome: Outcome<{ environmentId: number; invoiceId: string }> = await skipRecord(
        context.services.db,
        keyId,
        request,
      );
      return readBack(context, info, valueOrThrow(outcome));
    },
  }),
);

export const AuditEntryType = builder.objectRef<AuditEntry>('AuditEntry').implement({
  interfaces: [Node],
  description:
    'One action of an operator, of a merchant’s key or of a customer in the portal. Entries are never changed or deleted.',
  fields: (t) => ({
    id: t.exposeID('id'),
    at: t.expose('at', { type: 'DateTime' }),
    actor: t.exposeString('actor', {
      description:
        'The id of the key or of the portal session, or another origin of the action, such as `cli`.',
    }),
    action: t.exposeString('action'),
    subject: t.exposeString('subject', { description: 'The id of the object of the action.' }),
    reason: t.exposeString('reason', { nullable: true }),
    data: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Further details; null without any.',
      resolve: ({ details }) => details,
    }),
    details: t.string({
      nullable: true,
      deprecationReason: 'Use `data`, which is no text.',
      description: 'Further details as the text of JSON; null without any.',
      resolve: ({ details }) => details && JSON.stringify(details),
    }),
  }),
});

async function auditLogOf(
  context: AuthContexts['known'],
  named: {
    readonly companyId?: string | null | undefined;
    readonly environment?: 'test' | 'live' | null | undefined;
  },
) {
  const { pool } = context.services.db;
  if (context.caller.kind === 'merchant') {
    return listOwnAuditEntries(pool, await environmentFromArguments(context, named));
  }
  const isWhole = named.companyId == null && named.environment == null;
  return listAuditEntries(pool, isWhole ? null : await environmentFromArguments(context, named));
}

builder.queryField('auditLog', (t) =>
  t.withAuth({ scope: 'manage', role: 'viewer' }).connection(
    {
      type: AuditEntryType,
      description:
        'Actions, newest first: with a merchant’s key what was done with the keys of its environment, with an operator’s key everything, or in the environment that is named. `first` and `last` are 1 to 200, 50 by default.',
      args: environmentArguments,
      complexity: (args) => pageCost(args, OPERATORS_PAGE),
      resolve: async (_root, { companyId, environment, ...paging }, context) =>
        connectionOf(context, paging, await auditLogOf(context, { companyId, environment }), {
          ...{ idOf: ({ id }) => id, bounds: OPERATORS_PAGE, filter: { companyId, environment } },
        }),
    },
    ...namesOf('AuditEntry'),
  ),
);
