import type { Db } from '../../ground/db/client.ts';
import { isRefusal, type Outcome, type Refusal } from '../../ground/errors/refusal.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { environmentToday } from '../accounts/entry/environment-time.ts';
import { seriesFor } from '../number-series/choose.ts';
import { buyerOf, type Recipient, recipientTaxIdType, resolveRecipient } from '../recipients/recipient.ts';
import type { RegisterEvidence, Registers } from '../recipients/registers/registers.ts';
import type { ThirdParty } from '../recipients/third-party.ts';
import type { CatalogCache } from '../taxes/catalog-cache.ts';
import { priceInvoice } from '../taxes/pricing.ts';
import { contradictedTax, unlessContradicted } from '../taxes/recipient-rules.ts';
import { withheldBaseRefusal, withholdingRefusal } from '../taxes/withholding.ts';
import { externalIdHolder, externalIdUsed } from './external-id.ts';
import { seriesRefusal, thirdPartyOf, thirdPartyRefusal, withIssuerRecheck } from './issuer.ts';
import type { CheckedInvoice } from './prepare-invoice.ts';
import type { InvoiceRequest } from './request.ts';

/** The sources of the rules: stored data, the company's taxes, and the registers of the caller's environment. */
export type CheckSources = {
  readonly db: Pick<Db, 'pool'>;
  readonly catalogs: Pick<CatalogCache, 'of'>;
  readonly registers: Readonly<Record<'test' | 'live', Pick<Registers, 'identify'>>>;
  /**
   * Set by callers that check many invoices and look up all their external_ids at once: none is looked up again
   * before the transaction.
   */
  readonly externalIdsChecked?: boolean;
  /** Set by callers that want the amounts whoever is invoiced: told why the recipient is refused, without whom the check goes on. */
  readonly withoutRecipient?: (refusal: Refusal) => void;
};

export type Identified = {
  readonly recipient: Recipient | null;
  readonly evidence: RegisterEvidence | null;
  readonly thirdParty: ThirdParty | undefined;
};

/**
 * Every rule of an ordinary invoice, in the order of docs/contract.md#order-of-checks: external_id, series, lines
 * and taxes, recipient by local rules, recipient by its register. Writes nothing and holds no lock; the registers
 * are queried last. Codes: `external_id_already_used`, `invalid_number_series`, those of `priceInvoice`, `contradictedTax`,
 * `withholdingRefusal`, `resolveRecipient` and of the registers.
 */
export async function checkInvoice(
  sources: CheckSources,
  caller: Scope,
  request: InvoiceRequest,
): Promise<Outcome<CheckedInvoice>> {
  const holder = await externalIdHolder(sources, caller, request.externalId);
  if (holder !== null) return externalIdUsed(holder);
  const series = await seriesFor(sources.db, caller, request.numberSeriesId, 'standard');
  if (isRefusal(series)) return series;
  const notTheirs = seriesRefusal(request, request.recipient ?? {}, series);
  if (notTheirs !== null) return notTheirs;
  const taxIdType = recipientTaxIdType(request.recipient ?? {});
  const priced = priceInvoice(
    {
      lines: request.lineItems,
      recargoEquivalencia: request.recargoEquivalencia,
      pricesIncludeTax: request.pricesIncludeTax,
      qualifiedSimplified: request.qualifiedSimplified,
      recipientUnidentified: request.recipientUnidentified,
      type: request.type,
      rectifying: null,
      recipientTaxIdType: taxIdType,
    },
    await sources.catalogs.of(caller),
    environmentToday(caller),
  );
  const contradicted = contradictedTax(request.lineItems, buyerOf(request.recipient ?? {}));
  const pricing = unlessContradicted(priced, contradicted);
  if (isRefusal(pricing)) return pricing;
  const withheld =
    withholdingRefusal(request.withholding, taxIdType) ??
    withheldBaseRefusal(request.withholding, pricing.subtotal);
  if (withheld !== null) return withheld;
  const identified = await identify(sources, caller, request);
  if (isRefusal(identified)) return identified;
  const { recipient, evidence, thirdParty } = identified;
  return {
    ...ordinary({ ...request, thirdParty }),
    recheck: withIssuerRecheck(caller, request, request.recipient ?? {}, series, null),
    ...{ series, pricing, recipient, evidence },
  };
}

async function identify(
  sources: CheckSources,
  caller: Scope,
  request: InvoiceRequest,
): Promise<Outcome<Identified>> {
  const complete = request.type === 'complete';
  const recipient = orNobody(sources, resolveRecipient(request.recipient ?? {}, { ...request, complete }));
  if (isRefusal(recipient)) return recipient;
  const thirdParty = thirdPartyOf(request, caller);
  if (isRefusal(thirdParty)) return thirdParty;
  const register = sources.registers[caller.environment];
  const evidence =
    complete && recipient !== null
      ? orNobody(sources, await register.identify(recipient, caller.environmentId))
      : null;
  if (isRefusal(evidence)) return evidence;
  const unknownParty = await thirdPartyRefusal(sources.registers, caller, thirdParty);
  if (unknownParty !== null) return unknownParty;
  return { recipient: recipient === null || isBlank(recipient) ? null : recipient, evidence, thirdParty };
}

/** What was found of the recipient, or in place of a refusal null, for a caller that goes on without. */
export function orNobody<Found>(
  { withoutRecipient }: Pick<CheckSources, 'withoutRecipient'>,
  found: Outcome<Found>,
): Outcome<Found | null> {
  if (!isRefusal(found) || withoutRecipient === undefined) return found;
  withoutRecipient(found);
  return null;
}

/** An ordinary invoice: an original without relation to others. */
function ordinary(request: InvoiceRequest) {
  return {
    request,
    kind: 'original' as const,
    invoiceType: identifiesRecipient(request) ? ('F1' as const) : ('F2' as const),
    correction: null,
    exchanged: [],
    origin: null,
    alsoWrite: null,
  };
}

/** Whether the record names the recipient: that of neither a ticket nor an invoice whose recipient needs no tax id does. */
export function identifiesRecipient(
  request: Pick<InvoiceRequest, 'type' | 'recipientUnidentified'>,
): boolean {
  return request.type === 'complete' && !request.recipientUnidentified;
}

/** Whether the recipient has no data to record. */
export function isBlank(recipient: Recipient): boolean {
  return Object.values(recipient).every((value) => value === null);
}
