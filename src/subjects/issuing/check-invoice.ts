import type { Db } from '../../ground/db/client.ts';
import { isRefusal, type Outcome, type Refusal } from '../../ground/errors/refusal.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { environmentToday } from '../accounts/entry/environment-time.ts';
import { seriesFor } from '../number-series/choose.ts';
import { buyerOf, type Recipient, resolveRecipient } from '../recipients/recipient.ts';
import type { RegisterEvidence, Registers } from '../recipients/registers/registers.ts';
import { identifyThirdParty, resolveThirdParty, type ThirdParty } from '../recipients/third-party.ts';
import type { CatalogCache } from '../taxes/catalog-cache.ts';
import { priceInvoice } from '../taxes/pricing.ts';
import { contradictedTax, contradictionOnLine } from '../taxes/recipient-rules.ts';
import { withheldBaseRefusal, withholdingRefusal } from '../taxes/withholding.ts';
import { externalIdHolder, externalIdUsed } from './external-id.ts';
import { seriesRefusal, withIssuerRecheck } from './issuer.ts';
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
  const { externalId, recipient: buying = {}, withholding } = request;
  const holder = externalId === undefined ? null : await externalIdHolder(sources, caller, externalId);
  if (holder !== null) return externalIdUsed(holder);
  const series = await seriesFor(sources.db, caller, request.numberSeriesId, 'standard');
  if (isRefusal(series)) return series;
  const isOwn = request.issuedBy === undefined && series.isDefault;
  const notTheirs = isOwn ? null : seriesRefusal(request, buying, series);
  if (notTheirs !== null) return notTheirs;
  const buyer = buyerOf(buying);
  const pricing = priceInvoice(
    {
      lines: request.lineItems,
      recargoEquivalencia: request.recargoEquivalencia,
      pricesIncludeTax: request.pricesIncludeTax,
      qualifiedSimplified: request.qualifiedSimplified,
      recipientUnidentified: request.recipientUnidentified,
      type: request.type,
      rectifying: null,
      recipientTaxIdType: buyer.taxIdType,
    },
    await sources.catalogs.of(caller),
    environmentToday(caller),
  );
  if (isRefusal(pricing)) return pricing;
  const contradicted = contradictedTax(request.lineItems, buyer);
  if (contradicted !== null) return contradictionOnLine(contradicted);
  if (withholding !== undefined) {
    const withheld =
      withholdingRefusal(withholding, buyer.taxIdType) ?? withheldBaseRefusal(withholding, pricing.subtotal);
    if (withheld !== null) return withheld;
  }
  const identified = await identify(sources, caller, request);
  if (isRefusal(identified)) return identified;
  const { recipient, evidence, thirdParty } = identified;
  return {
    request: { ...request, thirdParty },
    kind: 'original',
    invoiceType: identifiesRecipient(request) ? 'F1' : 'F2',
    ...{ correction: null, exchanged: [], origin: null, alsoWrite: null },
    recheck: isOwn ? null : withIssuerRecheck(caller, request, buying, series, null),
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
  const thirdParty = request.thirdParty && resolveThirdParty(request.thirdParty, caller.issuer.nif);
  if (isRefusal(thirdParty)) return thirdParty;
  const register = sources.registers[caller.environment];
  const evidence =
    complete && recipient !== null
      ? orNobody(sources, await register.identify(recipient, caller.environmentId))
      : null;
  if (isRefusal(evidence)) return evidence;
  if (thirdParty !== undefined) {
    const unknownParty = await identifyThirdParty(register, caller.environmentId, thirdParty);
    if (unknownParty !== null) return unknownParty;
  }
  if (complete || recipient === null) return { recipient, evidence, thirdParty };
  return { recipient: isBlank(recipient) ? null : recipient, evidence, thirdParty };
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
