import { EXCHANGE, EXCHANGE_CORRECTION, type Fields, withFieldsOf } from '../../../ground/errors/fields.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import type { Outcome } from '../../../ground/errors/refusal.ts';
import type { Caller, Operator } from '../../../subjects/accounts/entry/caller.ts';
import type { InvoiceView } from '../../../subjects/invoices/view.ts';
import { amendRecord } from '../../../subjects/rectifying/amend-record.ts';
import { amendmentRequest } from '../../../subjects/rectifying/amended-content.ts';
import { environmentOfExchange, exchangeOnce } from '../../../subjects/rectifying/exchange.ts';
import {
  type ExchangeRequest,
  exchangeRequest,
  type ReplacementRequest,
  type ReturnRequest,
  replacementRequest,
  returnRequest,
} from '../../../subjects/rectifying/exchange-request.ts';
import type { IssuedTogether, Once, Repeatable } from '../../../subjects/rectifying/issue-together.ts';
import { replaceExchange } from '../../../subjects/rectifying/replace-exchange.ts';
import { returnOnExchange } from '../../../subjects/rectifying/return-on-exchange.ts';
import { voidOnce } from '../../../subjects/rectifying/void-invoice.ts';
import { type VoidRequest, voidRequest } from '../../../subjects/rectifying/void-request.ts';
import { correctorOf } from '../../../subjects/rectifying/who-may-correct.ts';
import { skipRecord, skipRequest } from '../../../subjects/registration/skip-record.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { valueOrThrow } from '../errors.ts';
import type { Asked } from '../extent.ts';
import { keyOf } from '../idempotency.ts';
import { inputType } from '../input-type.ts';
import { readInvoice } from '../read-invoices.ts';
import { pdfToken, type ShownInvoice } from '../shown-invoice.ts';
import { Invoice } from './invoice.ts';
import { invoiceReferredTo, READING } from './invoice-edges.ts';

/** Corrections beside rectificativas. */

type Correcting = Context & { readonly caller: Caller | Operator };

/** The invoice as it is now that the act is done. */
async function readBack(
  context: Context,
  asked: Asked,
  { environmentId, invoiceId }: { environmentId: number; invoiceId: string },
): Promise<InvoiceView> {
  const found = await readInvoice(context, asked, environmentId, invoiceId);
  if (found === null) throw new Error('an invoice that was acted on has vanished');
  return found;
}

/** How a request with a key is known when it comes again. */
const repeatable = (context: Context, key: string | null, sent: unknown): Repeatable => ({
  ...{ key, sent },
  sign: (invoice) => pdfToken(context, invoice),
});

/** Voids what was asked for, once for its key; throws the refusals of `voidInvoice`. */
export async function voided(
  context: Correcting,
  asked: Asked,
  request: VoidRequest,
  key: string | null,
): Promise<ShownInvoice> {
  const { outcome, replayed } = await voidOnce(context.services, correctorOf(context.caller), request, key);
  context.replayed = replayed;
  return readBack(context, asked, valueOrThrow(outcome));
}

const KEY = 'An idempotency key: 1 to 255 printable ASCII characters, kept for 24 hours.';

builder.mutationField('voidInvoice', (t) =>
  t.withAuth({ scope: 'correct', role: 'operator' }).field({
    type: Invoice,
    description:
      'Cancels an invoice that should never have been issued, here and at the agency, with what was issued together with it. If the agency has rejected the cancellation, repeating the request sends another one.',
    args: {
      invoiceId: t.arg.id({ required: true }),
      reason: t.arg.string({ required: true }),
      idempotencyKey: t.arg.string({ description: KEY }),
    },
    resolve: async (_root, { idempotencyKey, ...args }, context, info) => {
      const key = valueOrThrow(keyOf(context, idempotencyKey));
      return voided(context, info, valueOrThrow(parseRequest(voidRequest, args)), key);
    },
  }),
);

/** What a request has issued, as it is now; throws its refusals. */
async function issuedBy(
  context: Context,
  asked: Asked,
  fields: Fields,
  { outcome, replayed }: Once<IssuedTogether>,
): Promise<ShownInvoice[]> {
  const { environmentId, invoices } = valueOrThrow(withFieldsOf(fields, outcome));
  context.replayed = replayed;
  return Promise.all(
    invoices.map(async ({ id, pdfToken }) => ({
      ...(await readBack(context, asked, { environmentId, invoiceId: id })),
      pdfToken,
    })),
  );
}

const ExchangeInvoicesInput = inputType(exchangeRequest, 'ExchangeInvoicesInput');

/** Exchanges what was asked for, once for its key; throws the refusals of `exchangeInvoices`. */
export async function exchanged(
  context: Correcting,
  asked: Asked,
  request: ExchangeRequest,
  key: string | null,
): Promise<ShownInvoice> {
  const { services } = context;
  const { actor, within } = correctorOf(context.caller);
  const environmentId = within ?? valueOrThrow(await environmentOfExchange(services, request));
  const once = repeatable(context, key, request);
  const outcome = await exchangeOnce(services, actor, environmentId, request, once);
  return (await issuedBy(context, asked, EXCHANGE, outcome))[0]!;
}

builder.mutationField('exchangeInvoices', (t) =>
  t.withAuth({ scope: 'issue', role: 'operator' }).field({
    type: Invoice,
    description:
      'Issues one complete invoice in exchange for simplified ones (F3). They remain valid, but cannot be corrected unless it is voided; `returnOnExchange` takes back what is returned of them.',
    args: {
      input: t.arg({ type: ExchangeInvoicesInput, required: true }),
      idempotencyKey: t.arg.string({ description: KEY }),
    },
    resolve: async (_root, { input, idempotencyKey }, context, info) => {
      const key = valueOrThrow(keyOf(context, idempotencyKey));
      return unsigned(
        await exchanged(context, info, valueOrThrow(parseRequest(exchangeRequest, input)), key),
      );
    },
  }),
);

/** What was issued to correct an exchange. */
export type ExchangeCorrection = {
  readonly exchangeInvoiceId: string;
  /** Of a return: the rectificativa of the ticket. */
  readonly rectification: ShownInvoice | null;
  readonly exchanges: readonly ShownInvoice[];
};

const ExchangeCorrectionType = builder.objectRef<ExchangeCorrection>('ExchangeCorrection').implement({
  description: 'The invoices that correct an exchange; they are voided together.',
  fields: (t) => ({
    exchange: t.field({
      type: Invoice,
      complexity: READING,
      description:
        'The exchange invoice that was corrected, in its current state: less is due of it, or nothing.',
      resolve: ({ exchangeInvoiceId }, _args, context, info) =>
        invoiceReferredTo(context, info, exchangeInvoiceId),
    }),
    rectification: t.field({
      type: Invoice,
      nullable: true,
      description: 'The rectificativa of the ticket (R5), of a return; null of a replacement.',
      resolve: ({ rectification }) => rectification,
    }),
    exchanges: t.field({
      type: [Invoice],
      // Two, and two more for each return before: few exchanges have any.
      complexity: { multiplier: 4 },
      description:
        'The exchange invoices (F3): of a return that of the rectificativa; of a replacement pairs, each the one that takes a wrong one back and the right one.',
      resolve: ({ exchanges }) => [...exchanges],
    }),
  }),
});

/** GraphQL signs each link anew. */
const unsigned = ({ pdfToken: _, ...invoice }: ShownInvoice): ShownInvoice => invoice;

const unsignedAll = ({ rectification, exchanges, ...rest }: ExchangeCorrection): ExchangeCorrection => ({
  ...rest,
  rectification: rectification && unsigned(rectification),
  exchanges: exchanges.map(unsigned),
});

/** Takes back what is returned, once for its key; throws the refusals of `returnOnExchange`. */
export async function returned(
  context: Correcting,
  asked: Asked,
  request: ReturnRequest,
  key: string | null,
): Promise<ExchangeCorrection> {
  const once = repeatable(context, key, request);
  const outcome = await returnOnExchange(context.services, correctorOf(context.caller), request, once);
  const [rectification, ...exchanges] = await issuedBy(context, asked, EXCHANGE_CORRECTION, outcome);
  return { exchangeInvoiceId: request.exchangeInvoiceId, rectification: rectification!, exchanges };
}

/** Replaces an exchange invoice, once for its key; throws the refusals of `replaceExchange`. */
export async function replaced(
  context: Correcting,
  asked: Asked,
  request: ReplacementRequest,
  key: string | null,
): Promise<ExchangeCorrection> {
  const once = repeatable(context, key, request);
  const outcome = await replaceExchange(context.services, correctorOf(context.caller), request, once);
  return {
    exchangeInvoiceId: request.exchangeInvoiceId,
    rectification: null,
    exchanges: await issuedBy(context, asked, EXCHANGE_CORRECTION, outcome),
  };
}

const ReturnOnExchangeInput = inputType(returnRequest, 'ReturnOnExchangeInput');

builder.mutationField('returnOnExchange', (t) =>
  t.withAuth({ scope: 'correct', role: 'operator' }).field({
    type: ExchangeCorrectionType,
    description:
      'What a customer returns of a ticket that was exchanged for a complete invoice: issues the rectificativa of the ticket (R5), and a further exchange invoice (F3) of that for the customer.',
    args: {
      input: t.arg({ type: ReturnOnExchangeInput, required: true }),
      idempotencyKey: t.arg.string({ description: KEY }),
    },
    resolve: async (_root, { input, idempotencyKey }, context, info) => {
      const key = valueOrThrow(keyOf(context, idempotencyKey));
      return unsignedAll(
        await returned(context, info, valueOrThrow(parseRequest(returnRequest, input)), key),
      );
    },
  }),
);

const ReplaceExchangeInput = inputType(replacementRequest, 'ReplaceExchangeInput');

builder.mutationField('replaceExchange', (t) =>
  t.withAuth({ scope: 'correct', role: 'operator' }).field({
    type: ExchangeCorrectionType,
    description:
      'Replaces an exchange invoice for a wrong recipient: issues one with the same amounts in the negative, and one for the right recipient, both in exchange for the same tickets. The exchange invoices of earlier returns get their pair too.',
    args: {
      input: t.arg({ type: ReplaceExchangeInput, required: true }),
      idempotencyKey: t.arg.string({ description: KEY }),
    },
    resolve: async (_root, { input, idempotencyKey }, context, info) => {
      const key = valueOrThrow(keyOf(context, idempotencyKey));
      return unsignedAll(
        await replaced(context, info, valueOrThrow(parseRequest(replacementRequest, input)), key),
      );
    },
  }),
);

const AmendRecordInput = inputType(amendmentRequest, 'AmendRecordInput');

builder.mutationField('amendRecord', (t) =>
  t.withAuth({ scope: 'correct', role: 'operator' }).field({
    type: Invoice,
    description:
      'Corrects the declaration of an invoice by a further record. The invoice and its amounts stay unchanged. What the agency rejected or flagged is sent again with the same content where nothing is corrected; what it accepted without errors can be amended where something of the record changes. What would contradict the printed invoice is refused (`amendment_needs_rectification`).',
    args: { input: t.arg({ type: AmendRecordInput, required: true }) },
    resolve: async (_root, { input }, context, info) => {
      const request = valueOrThrow(parseRequest(amendmentRequest, input));
      const amended = await amendRecord(context.services, correctorOf(context.caller), request);
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
        context.services,
        keyId,
        request,
      );
      return readBack(context, info, valueOrThrow(outcome));
    },
  }),
);
