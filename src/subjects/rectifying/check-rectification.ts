import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type Cents, percentageOf } from '../../ground/lib/money.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { environmentToday } from '../accounts/entry/environment-time.ts';
import { sumOf } from '../extensions/disbursements.ts';
import {
  type CheckSources,
  type Identified,
  identifiesRecipient,
  isBlank,
  orNobody,
} from '../issuing/check-invoice.ts';
import { externalIdHolder, externalIdUsed } from '../issuing/external-id.ts';
import { withIssuerRecheck } from '../issuing/issuer.ts';
import type { CheckedInvoice } from '../issuing/prepare-invoice.ts';
import type { InvoiceRequest } from '../issuing/request.ts';
import { type ChosenSeries, seriesFor } from '../number-series/choose.ts';
import {
  type Recipient,
  type RecipientInput,
  recipientTaxIdType,
  resolveRecipient,
  unidentified,
  unknownCountryOf,
} from '../recipients/recipient.ts';
import { identifyThirdParty, resolveThirdParty } from '../recipients/third-party.ts';
import { type Pricing, priceInvoice } from '../taxes/pricing.ts';
import { unlessContradicted } from '../taxes/recipient-rules.ts';
import { withheldBaseRefusal, withholdingRefusal } from '../taxes/withholding.ts';
import { contradictedByCorrection } from './contradicted-tax.ts';
import {
  amountsInForce,
  balance,
  disbursedBalance,
  stateRefusal,
  target,
  totalOf,
  withholdingInForce,
} from './family.ts';
import { correctionOf, findOriginal, recheck } from './find-original.ts';
import { classifiedLines } from './inherited-classification.ts';
import { withNextStep } from './next-step.ts';
import {
  formOf,
  issuerFault,
  type Linked,
  type Original,
  type Rectifies,
  recipientInput,
  rectifiedOperation,
} from './original.ts';
import { REASON_TYPES, reasonRefusal } from './reasons.ts';
import { restatesIdentity } from './restate.ts';
import { namingRefusal, shareRefusal, undividedRefusal } from './several-originals.ts';
import { rectifyingSeriesOf } from './store.ts';

/**
 * Every rule of a rectificativa, in the order of docs/contract.md#order-of-checks and docs/contract.md#families:
 * external_id, series, the reference and its state, lines and taxes, recipient by local rules, recipient by its
 * register. Writes nothing and holds no lock; what concurrent requests could change is checked again in the
 * transaction. Codes: those of docs/contract.md#corrections and of `priceInvoice` and `resolveRecipient`.
 */
export async function checkRectification(
  sources: CheckSources,
  caller: Scope,
  request: InvoiceRequest,
): Promise<Outcome<CheckedInvoice>> {
  const rectifies = request.rectifies;
  if (rectifies === undefined) throw new Error('not a rectificativa');
  const { externalId } = request;
  const holder = externalId === undefined ? null : await externalIdHolder(sources, caller, externalId);
  if (holder !== null) return externalIdUsed(holder);
  const chosen = await seriesFor(sources.db, caller, request.numberSeriesId, 'rectifying');
  if (isRefusal(chosen)) return chosen;
  const original = await findOriginal(sources, caller, rectifies);
  if (isRefusal(original)) return withNextStep(sources.db, caller.environmentId, original);
  const refusal =
    referenceRefusal(request, rectifies, original) ??
    (original.kind === 'linked' ? namingRefusal(request, rectifies, original) : null);
  if (refusal !== null) return withNextStep(sources.db, caller.environmentId, refusal);
  const formed = { ...request, ...formOf(request, original) };
  const series = await seriesOfOrigin(sources, caller, original, chosen);
  if (isRefusal(series)) return series;
  const notTheirs = issuerFault(formed, original, series);
  if (notTheirs !== null) return notTheirs;
  const pricing = await price(sources, caller, formed, rectifies, original);
  if (isRefusal(pricing)) return pricing;
  const amount =
    amountRefusal(request, rectifies, original, pricing) ?? disbursedRefusal(request, rectifies, original);
  if (amount !== null) return amount;
  const withholding = withholdingOf(formed, rectifies, original, pricing.subtotal);
  if (isRefusal(withholding)) return withholding;
  const identified = await identify(sources, caller, formed, rectifies, original);
  if (isRefusal(identified)) return identified;
  return {
    request: { ...formed, withholding, thirdParty: identified.thirdParty },
    kind: rectifies.method === 'differences' ? 'rectifying_differences' : 'rectifying_substitution',
    invoiceType: identifiesRecipient(formed) ? REASON_TYPES[rectifies.reason] : 'R5',
    series,
    pricing,
    recipient: identified.recipient,
    evidence: identified.evidence,
    correction: correctionOf(caller, rectifies, original),
    exchanged: [],
    origin: originOf(original),
    recheck: withIssuerRecheck(
      caller,
      formed,
      recipientInput(formed, original),
      series,
      recheck(caller, original),
    ),
    alsoWrite: null,
  };
}

/** Why the reference to the original is refused: its state, then its type, then the rest of the block. */
function referenceRefusal(request: InvoiceRequest, rectifies: Rectifies, original: Original): Refusal | null {
  if (original.kind === 'period') return periodRefusal(request);
  if (original.kind === 'external') {
    if (rectifies.method === 'differences' || original.external.amounts !== null) return null;
    const detail = 'A substitution of an invoice issued elsewhere needs rectified_amounts.';
    return new Refusal('rectified_amounts_required_for_substitution', detail);
  }
  const { family, origin } = original.corrected;
  const state = stateRefusal(family) ?? undividedRefusal(request, original);
  if (state !== null) return state;
  const { number, type } = target(family);
  if (type === 'complete' && request.type === 'simplified') {
    return new Refusal('downgrade_to_simplified_not_allowed', `Invoice ${number} is complete.`);
  }
  if (type === 'simplified' && request.type === 'complete') {
    return new Refusal('upgrade_to_complete_not_allowed', `Invoice ${number} is simplified.`);
  }
  if (origin?.isOrder && request.numberSeriesId !== undefined) {
    const detail = `Invoice ${number} came from an order: its rectificativa takes the integration's series.`;
    return new Refusal('num_series_not_applicable_for_order_invoice', detail);
  }
  if (rectifies.method === 'differences' && request.recipient !== undefined) {
    const detail = 'A differences rectificativa inherits its recipient.';
    return new Refusal('recipient_overrides_not_allowed_for_differences', detail);
  }
  if (rectifies.method === 'substitution' && amountsInForce(family) === null) {
    const detail = `The original behind ${number} was issued elsewhere and its amounts were never given.`;
    return new Refusal('rectified_amounts_required_for_substitution', detail);
  }
  return null;
}

/** Without its recipient nobody could correct what was deducted (LIVA art. 80.Siete; RD 1619/2012 art. 15.3). */
function periodRefusal({ type }: InvoiceRequest): Refusal | null {
  if (type === 'complete') return null;
  const detail =
    'A volume discount names its recipient (RD 1619/2012 art. 15.4): it is complete, and tickets are corrected by invoice_id.';
  return new Refusal('invalid_rectifies_reference', detail).about('type');
}

async function price(
  sources: CheckSources,
  caller: Scope,
  request: InvoiceRequest,
  { method, reason }: Rectifies,
  original: Original,
): Promise<Outcome<Pricing>> {
  const { environmentId } = caller;
  const linked = original.kind === 'linked' ? linkedOf(environmentId, original) : null;
  const catalog = await sources.catalogs.of(caller);
  const priced = priceInvoice(
    {
      lines: await classifiedLines(sources.db.pool, request.lineItems, catalog, linked),
      recargoEquivalencia: request.recargoEquivalencia,
      pricesIncludeTax: request.pricesIncludeTax,
      qualifiedSimplified: request.qualifiedSimplified,
      recipientUnidentified: request.recipientUnidentified,
      type: request.type,
      rectifying: { method, reason },
      rectifiedOperationOn: rectifiedOperation(caller, original),
      recipientTaxIdType: taxIdTypeOf(request, original),
    },
    catalog,
    environmentToday(caller),
  );
  if (isRefusal(priced)) return priced;
  return unlessContradicted(priced, await contradictedByCorrection(sources.db.pool, request, linked));
}

/** What taxes may be inherited of: with several originals all that is in force of any. */
function linkedOf(environmentId: number, { corrected, each }: Linked) {
  if (each === null) return { environmentId, ...corrected, each };
  const family = { ...corrected.family, path: each.flatMap((one) => one.family.path) };
  return { environmentId, ...corrected, family, each };
}

function taxIdTypeOf({ recipient }: InvoiceRequest, original: Original): Recipient['taxIdType'] {
  const inherited = original.kind === 'linked' ? original.corrected.recipient.taxIdType : null;
  return recipientTaxIdType(recipient ?? {}) ?? inherited;
}

/**
 * The withheld income tax: for a substitution the request's own; for differences that of the corrected invoice,
 * since a part cannot have another rate than the whole (`invalid_tax_data`). By default no more is taken back than was withheld of.
 */
function withholdingOf(
  request: InvoiceRequest,
  { method }: Rectifies,
  original: Original,
  subtotal: Cents,
): Outcome<InvoiceRequest['withholding']> {
  const before =
    original.kind === 'linked' && method === 'differences'
      ? withholdingInForce(original.corrected.family)
      : null;
  const inherited = before === null ? undefined : { rate: percentageOf(before.rate) };
  const given: InvoiceRequest['withholding'] | { rate: number; base?: undefined } =
    request.withholding ?? inherited;
  const exceeds = before !== null && before.base >= 0 && subtotal < -before.base;
  const withholding =
    given === undefined
      ? undefined
      : { rate: given.rate, base: given.base ?? (exceeds ? -before.base || 0 : undefined) };
  if (inherited !== undefined && withholding?.rate !== inherited.rate) {
    const detail = `${inherited.rate} % are withheld of the invoice: another rate takes a substitution.`;
    return new Refusal('invalid_tax_data', detail).about('withholding.rate');
  }
  const taxIdType = request.recipientUnidentified ? 'unidentified' : taxIdTypeOf(request, original);
  return (
    withholdingRefusal(withholding, taxIdType) ?? withheldBaseRefusal(withholding, subtotal) ?? withholding
  );
}

/**
 * Why the amounts are refused against those in force. What adds to a total passes even where it stays below zero, as that
 * of a complete invoice may be.
 */
function amountRefusal(
  request: InvoiceRequest,
  { method }: Rectifies,
  original: Original,
  pricing: Pricing,
): Refusal | null {
  if (method === 'substitution') {
    if (pricing.subtotal >= 0) return null;
    return new Refusal('replacement_total_negative', 'The net total of a substitution cannot be negative.');
  }
  if (original.kind === 'linked' && original.each !== null)
    return shareRefusal(request, original.each, pricing);
  const before = totalBefore(original);
  if (before === null || pricing.total >= 0 || before + pricing.total >= 0) return null;
  return new Refusal('family_balance_below_zero', 'The differences exceed the amount that is in force.');
}

/** Differences take back no more disbursements than there are; those of a substitution are its own, and all of them. */
function disbursedRefusal(
  { disbursements = [] }: InvoiceRequest,
  { method }: Rectifies,
  original: Original,
): Refusal | null {
  const change = sumOf(disbursements);
  if (method === 'substitution' || original.kind !== 'linked' || change >= 0) return null;
  const before = disbursedBalance(original.corrected.family);
  if (before === null || before + change >= 0) return null;
  const detail = 'The differences take back more disbursements than are in force.';
  return new Refusal('family_balance_below_zero', detail).about('disbursements');
}

/** The total in force, which of an original issued elsewhere is known only if it was stated or imported, and of a period never. */
function totalBefore(original: Original): Cents | null {
  if (original.kind === 'linked') return balance(original.corrected.family);
  const amounts = original.kind === 'external' ? original.external.amounts : null;
  return amounts === null ? null : totalOf(amounts);
}

/** The recipient: inherited, restated or given; its identity is validated unless it is inherited unchanged. */
async function identify(
  sources: CheckSources,
  caller: Scope,
  request: InvoiceRequest,
  { reason }: Rectifies,
  original: Original,
): Promise<Outcome<Identified>> {
  const complete = request.type === 'complete';
  const requested = request.recipient;
  if (request.recipientUnidentified && requested?.taxId !== undefined)
    return invalidField(
      'recipient.taxId',
      'not_supported',
      'is not supported: the recipient of the corrected invoice needs none',
    );
  const inherited = original.kind === 'linked' ? original.corrected.recipient : null;
  const renews = inherited === null || (requested !== undefined && restatesIdentity(requested));
  const input = recipientInput(request, original);
  const recipient = orNobody(
    sources,
    renews && complete
      ? resolveRecipient(input, { ...request, complete })
      : unvalidated(input, requested, inherited),
  );
  if (isRefusal(recipient)) return recipient;
  const refusal = complete && recipient !== null ? reasonRefusal(reason, recipient.taxIdType) : null;
  if (refusal !== null) return refusal;
  const thirdParty = request.thirdParty && resolveThirdParty(request.thirdParty, caller.issuer.nif);
  if (isRefusal(thirdParty)) return thirdParty;
  const register = sources.registers[caller.environment];
  const asked = renews && complete ? recipient : null;
  const evidence =
    asked === null ? null : orNobody(sources, await register.identify(asked, caller.environmentId));
  if (isRefusal(evidence)) return evidence;
  const unknownParty = thirdParty
    ? await identifyThirdParty(register, caller.environmentId, thirdParty)
    : null;
  const known = recipient === null || isBlank(recipient) ? null : recipient;
  return unknownParty ?? { recipient: known, evidence, thirdParty };
}

/** An inherited recipient was validated at its issue, by the rules and registers of that day; a country that is sent is a known one. */
function unvalidated(
  input: RecipientInput,
  requested: RecipientInput | undefined,
  inherited: Recipient | null,
): Outcome<Recipient> {
  const refusal = unknownCountryOf(unidentified(requested ?? {}));
  if (refusal !== null) return refusal;
  const { taxId = null, taxIdType = null, taxIdCountry = null } = inherited ?? {};
  return { ...unidentified(input), taxId, taxIdType, taxIdCountry };
}

/** A rectificativa of an order-linked invoice uses the integration's series. */
async function seriesOfOrigin(
  { db }: Pick<CheckSources, 'db'>,
  caller: Scope,
  original: Original,
  chosen: ChosenSeries,
): Promise<Outcome<ChosenSeries>> {
  const origin = original.kind !== 'linked' ? null : original.corrected.origin;
  if (!origin?.isOrder) return chosen;
  const own = await rectifyingSeriesOf(db.pool, caller.environmentId, origin.integrationId);
  return own === null ? chosen : seriesFor(db, caller, own.id, 'rectifying');
}

function originOf(original: Original): CheckedInvoice['origin'] {
  if (original.kind !== 'linked' || original.corrected.origin === null) return null;
  const { integrationId, externalCustomerId } = original.corrected.origin;
  return { integrationId, externalCustomerId, orderId: null };
}
