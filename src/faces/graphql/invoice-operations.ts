import { statusOf } from '../../subjects/batches/accept-batch.ts';
import type { FormatName } from '../../subjects/formats/types.ts';
import { NEWEST_FIRST } from '../../subjects/invoices/filter.ts';
import type { Extent } from '../../subjects/invoices/reader.ts';
import { type InvoiceView, linesOf } from '../../subjects/invoices/view.ts';
import { balance, creditable, target } from '../../subjects/rectifying/family.ts';
import type { Context } from './context.ts';
import { valueOrThrow } from './errors.ts';
import { type Operation, runOperation } from './execute.ts';
import { loadersOf } from './loaders.ts';
import { type ConnectionArguments, requestedPage } from './paging.ts';
import type { AuthContexts } from './permissions.ts';
import { type ExchangeCorrection, exchanged, replaced, returned, voided } from './schema/corrections.ts';
import { fileOf } from './schema/documents.ts';
import { invoiceOfDraft } from './schema/drafts.ts';
import { documentOf } from './schema/formats.ts';
import { createdBatch, pendingOf } from './schema/invoice-batches.ts';
import { changedInvoice } from './schema/invoice-extensions.ts';
import { filterOf } from './schema/invoice-filter.ts';
import { invoicePage } from './schema/invoice-list.ts';
import { findInvoice } from './schema/invoice-queries.ts';
import { type AcceptedInvoice, issueAccepted, validateAccepted } from './schema/issuing.ts';
import type { ShownInvoice } from './shown-invoice.ts';

/**
 * The operations whose answers REST writes itself, with the functions that the fields of the same names are resolved by. Who
 * may run them was checked, by what those fields declare, before the request's body was read.
 */

/** What an answer shows of an invoice beside the contract's fields. */
export type Expanded = {
  readonly records?: boolean;
  readonly family?: boolean;
  readonly payments?: boolean;
};

type Loaders = ReturnType<typeof loadersOf>;

/** An invoice, with what was asked of it beside; null where it was not. */
export type InvoiceAnswer = {
  readonly invoice: ShownInvoice;
  readonly lines: ReturnType<typeof linesOf>;
  readonly family: {
    readonly headId: string;
    readonly inForceTotal: number | null;
    readonly creditableRemainder: number | null;
  } | null;
  readonly payments: Awaited<ReturnType<Loaders['payments']>> | null;
};

const extentOf = ({ records = false }: Expanded): Extent => (records ? 'whole' : 'shown');

async function answerOf(context: Context, expanded: Expanded, invoice: ShownInvoice): Promise<InvoiceAnswer> {
  const lines = linesOf(invoice);
  if (!expanded.family && !expanded.payments) return { invoice, lines, family: null, payments: null };
  const { environment_id: environmentId, id } = invoice.invoice;
  const loaders = loadersOf(context);
  // Nothing was paid of what is issued this moment, and a replayed answer is the same.
  const paid = invoice.pdfToken === undefined ? loaders.payments : async () => [];
  const [family, payments] = await Promise.all([
    expanded.family ? loaders.family(environmentId, id) : null,
    expanded.payments ? paid(environmentId, id) : null,
  ]);
  if (family === null) return { invoice, lines, family, payments };
  const shown = { inForceTotal: balance(family), creditableRemainder: creditable(family) };
  return { invoice, lines, family: { headId: target(family).id, ...shown }, payments };
}

/** What a return or a replacement has issued. */
async function answersOf(context: Context, { rectification, exchanges }: ExchangeCorrection) {
  return {
    rectification: rectification && (await answerOf(context, {}, rectification)),
    exchanges: await Promise.all(exchanges.map((invoice) => answerOf(context, {}, invoice))),
  };
}

type Merchant = AuthContexts['scope'];

/** An operation of a merchant as a function of its context and arguments. */
function ofMerchant<Args, Answer>(
  operation: Operation,
  work: (context: Merchant, args: Args) => Promise<Answer>,
) {
  return (context: Context, args: Args) =>
    runOperation(operation, context, async (there) => {
      if (there.caller?.kind !== 'merchant')
        throw new Error('an operation was run before its key was checked');
      return work(there as Merchant, args);
    });
}

const change = (name: string): Operation => ({ type: 'mutation', name, readFrom: 'changed primary' });
const query = (name: string, readFrom: Operation['readFrom'] = 'primary'): Operation => ({
  ...{ type: 'query', name, readFrom },
});

type Keyed = { readonly key: string | null };

export const invoiceOperations = {
  issue: ofMerchant(
    change('IssueInvoice'),
    async (
      context,
      { accepted, key, expanded = {} }: Keyed & { accepted: AcceptedInvoice; expanded?: Expanded },
    ) => answerOf(context, expanded, await issueAccepted(context, accepted, key)),
  ),

  validate: ofMerchant(query('ValidateInvoice'), validateAccepted),

  get: ofMerchant(
    query('GetInvoice'),
    async (context, { id, expanded = {} }: { id: string; expanded?: Expanded }) =>
      answerOf(context, expanded, valueOrThrow(await findInvoice(context, extentOf(expanded), id))),
  ),

  list: ofMerchant(
    query('ListInvoices', 'standby'),
    async (
      context,
      args: { page: ConnectionArguments; filter?: Parameters<typeof filterOf>[0]; expanded?: Expanded },
    ) => {
      const { expanded = {} } = args;
      const { edges, pageInfo } = await invoicePage(
        context,
        extentOf(expanded),
        context.caller.environmentId,
        {
          page: requestedPage(args.page),
          filter: filterOf(args.filter, context.caller.timeZone),
          order: NEWEST_FIRST,
        },
      );
      const answer = async (edge: Promise<{ node: InvoiceView }> | { node: InvoiceView }) =>
        answerOf(context, expanded, (await edge).node);
      return { invoices: await Promise.all(edges.map(answer)), pageInfo };
    },
  ),

  change: ofMerchant(
    change('UpdateInvoiceMetadata'),
    async (context, { id, request }: { id: string; request: Parameters<typeof changedInvoice>[3] }) =>
      answerOf(context, {}, await changedInvoice(context, 'shown', id, request)),
  ),

  exchange: ofMerchant(
    change('ExchangeInvoices'),
    async (context, { request, key }: Keyed & { request: Parameters<typeof exchanged>[2] }) =>
      answerOf(context, {}, await exchanged(context, 'shown', request, key)),
  ),

  void: ofMerchant(
    change('VoidInvoice'),
    async (context, { request, key }: Keyed & { request: Parameters<typeof voided>[2] }) =>
      answerOf(context, {}, await voided(context, 'shown', request, key)),
  ),

  returnOnExchange: ofMerchant(
    change('ReturnOnExchange'),
    async (context, { request, key }: Keyed & { request: Parameters<typeof returned>[2] }) =>
      answersOf(context, await returned(context, 'shown', request, key)),
  ),

  replaceExchange: ofMerchant(
    change('ReplaceExchange'),
    async (context, { request, key }: Keyed & { request: Parameters<typeof replaced>[2] }) =>
      answersOf(context, await replaced(context, 'shown', request, key)),
  ),

  issueDraft: ofMerchant(change('IssueInvoiceDraft'), async (context, { id }: { id: string }) =>
    answerOf(context, {}, await invoiceOfDraft(context, 'shown', id, {})),
  ),

  format: ofMerchant(
    query('InvoiceInFormat'),
    async (context, { id, format }: { id: string; format: FormatName }) =>
      documentOf(context, valueOrThrow(await findInvoice(context, 'shown', id)), format),
  ),

  /** For the holder of a signed link, who has no key. */
  file: (context: Context, args: Parameters<typeof fileOf>[1]) =>
    runOperation(query('InvoiceFile'), context, async (there) => valueOrThrow(await fileOf(there, args))),

  createBatch: ofMerchant(
    change('CreateInvoiceBatch'),
    async (context, { request, key }: Keyed & { request: Parameters<typeof createdBatch>[1] }) => {
      const batch = await createdBatch(context, request, key);
      return { ...batch, status: statusOf(batch), pending: pendingOf(batch) };
    },
  ),
};
