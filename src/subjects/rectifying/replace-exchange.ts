import type { Queryable } from '../../ground/db/queryable.ts';
import { isRefusal, type Outcome, type Refusal } from '../../ground/errors/refusal.ts';
import { type Actor, addAuditEntry } from '../../ground/journal/audit-log.ts';
import type { Cents } from '../../ground/lib/money.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import type { Disbursement } from '../extensions/disbursements.ts';
import type { CheckedInvoice, Together } from '../issuing/prepare-invoice.ts';
import { seriesFor } from '../number-series/choose.ts';
import { buyerOf, type Recipient, recipientTaxIdType, resolveRecipient } from '../recipients/recipient.ts';
import { breakdownRefusal, type TaxDetail } from '../taxes/breakdown.ts';
import type { PricedLine, Pricing } from '../taxes/pricing.ts';
import { contradictedTax } from '../taxes/recipient-rules.ts';
import { aboutRecipient } from './exchange.ts';
import type { ReplacementRequest } from './exchange-request.ts';
import { isAmendedSince, target } from './family.ts';
import { changedMeanwhile, type Exchange, findToCorrect, isUnchanged, returnsOf } from './find-exchange.ts';
import {
  type IssuedTogether,
  issueTogether,
  type Member,
  NOTHING_SENT,
  newInvoiceIds,
  type Once,
  type Repeatable,
  type TogetherServices,
} from './issue-together.ts';
import { loadLines, storeExchange } from './store.ts';
import type { Corrector } from './who-may-correct.ts';

/**
 * Replaces an exchange invoice for a wrong recipient: one with the same amounts in the negative, and one for the right recipient,
 * both in exchange for the same tickets, which are right and stay as they are. The exchange invoices of earlier returns get their
 * pair too. All are issued in one transaction, and voided together. Refuses with the codes of the gates; `external_id_already_used`;
 * those of `findExchange` and of a complete recipient; `invalid_tax_data`; `recipient_changed_during_validation`. Source: AEAT
 * answers to developers v1.3 of 2025-12-04, 27, case 1.
 */
export function replaceExchange(
  services: TogetherServices,
  by: Corrector,
  request: ReplacementRequest,
  repeatable: Repeatable,
): Promise<Once<IssuedTogether>> {
  return issueTogether(services, by, request.exchangeInvoiceId, 'replace_exchange', repeatable, (scope) =>
    checkReplacement(services, by.actor, scope, request),
  );
}

/** A wrong exchange invoice with its amounts. */
type Wrong = Exchange & { readonly pricing: Pricing };

async function checkReplacement(
  services: TogetherServices,
  actor: Actor,
  scope: Scope,
  request: ReplacementRequest,
): Promise<Outcome<readonly Member[]>> {
  const { environmentId } = scope;
  const { pool } = services.db;
  const exchange = await findToCorrect(services, scope, request);
  if (isRefusal(exchange)) return exchange;
  const returns = await returnsOf(pool, environmentId, exchange);
  if (isRefusal(returns)) return returns;
  const series = await seriesFor(services.db, scope, undefined, 'standard');
  if (isRefusal(series)) return series;
  const all = await Promise.all(
    [exchange, ...returns].map(async (one) => ({ ...one, pricing: await pricingOf(pool, scope, one) })),
  );
  const right = await identify(services, scope, request, all);
  if (isRefusal(right)) return right;
  const ids = newInvoiceIds(2 * all.length);
  const together = {
    issuedWith: ids[0]!,
    reversesId: null,
    affects: all.map(({ facts }) => facts.id),
  };
  const members = all.flatMap((wrong, index): Member[] => {
    const externalId = index === 0 ? request.externalId : undefined;
    const pair = pairOf(scope, wrong, { ...right, externalId, series, together });
    return pair.map((checked, side) => ({ id: ids[2 * index + side]!, checked }));
  });
  const alsoWrite = async (client: Queryable) => {
    for (const { id, checked } of members)
      await storeExchange(
        client,
        environmentId,
        id,
        checked.exchanged.map((document) => document.id),
      );
    const act = { actor, action: 'replace_exchange', subject: exchange.facts.id, reason: request.reason };
    await addAuditEntry(client, { ...act, environmentId, details: { exchanges: ids } });
  };
  const [first, ...rest] = members as [Member, ...Member[]];
  const recheck = (client: Queryable) => recheckAll(client, environmentId, all);
  return [{ ...first, checked: { ...first.checked, alsoWrite, recheck } }, ...rest];
}

/** The amounts as they are declared, and the lines that were sold. */
async function pricingOf(
  client: Queryable,
  { environmentId }: Scope,
  { facts, corrected }: Exchange,
): Promise<Pricing> {
  const lines = await loadLines(client, environmentId, [facts.id]);
  const sum = (pick: (line: PricedLine) => Cents) => lines.reduce((total, line) => total + pick(line), 0);
  return {
    lines,
    subtotal: sum(({ subtotal }) => subtotal),
    tax: sum(({ tax }) => tax),
    total: sum(({ total }) => total),
    breakdown: target(corrected.family).breakdown,
  };
}

type Right = { readonly recipient: Recipient; readonly evidence: CheckedInvoice['evidence'] };

/** The right recipient, of whom the lines are as they were sold. */
async function identify(
  { registers }: TogetherServices,
  scope: Scope,
  request: ReplacementRequest,
  all: readonly Wrong[],
): Promise<Outcome<Right>> {
  const rules = {
    ...{ type: 'complete' as const, rectifying: null },
    recipientTaxIdType: recipientTaxIdType(request.recipient),
  };
  for (const { pricing } of all) {
    const unfit = breakdownRefusal(pricing.breakdown, rules);
    if (unfit !== null) return unfit;
    const contradicted = contradictedTax(pricing.lines, buyerOf(request.recipient));
    if (contradicted !== null) return aboutRecipient(contradicted);
  }
  const recipient = resolveRecipient(request.recipient, { complete: true });
  if (isRefusal(recipient)) return recipient;
  const evidence = await registers[scope.environment].identify(recipient, scope.environmentId);
  return isRefusal(evidence) ? evidence : { recipient, evidence };
}

type Common = Right & {
  readonly externalId: string | undefined;
  readonly series: CheckedInvoice['series'];
  readonly together: Together;
};

/** The one that takes the wrong one back, and the right one, of the same documents and the same day. */
function pairOf(
  { issuer }: Scope,
  wrong: Wrong,
  { externalId, series, together, ...right }: Common,
): [CheckedInvoice, CheckedInvoice] {
  const { family, origin, recipient } = wrong.corrected;
  const common = {
    kind: 'exchange' as const,
    invoiceType: 'F3' as const,
    series,
    correction: null,
    exchanged: wrong.facts.documents.map((document) => ({ ...document, nif: issuer.nif })),
    origin: origin && { ...origin, orderId: null },
    recheck: null,
    alsoWrite: null,
  };
  const { operationOn: operationDate, disbursements } = target(family);
  const request = { ...NOTHING_SENT, type: 'complete' as const, operationDate };
  return [
    {
      ...common,
      request: { ...request, disbursements: disbursed(disbursements, minus) },
      ...{ recipient, evidence: null, pricing: negated(wrong.pricing) },
      together: { ...together, reversesId: wrong.facts.id },
    },
    {
      ...common,
      request: { ...request, externalId, disbursements: disbursed(disbursements, (amount) => amount) },
      ...right,
      pricing: wrong.pricing,
      together,
    },
  ];
}

/** Never -0. */
const minus = (amount: Cents): Cents => 0 - amount;
const minusIfAny = (amount: Cents | null): Cents | null => (amount === null ? null : minus(amount));

/** What was paid in the customer's name, as a request states it. */
function disbursed(
  all: readonly Disbursement[],
  signed: (amount: Cents) => Cents,
): CheckedInvoice['request']['disbursements'] {
  if (all.length === 0) return undefined;
  return all.map((one) => ({ reference: undefined, ...one, amount: signed(one.amount) }));
}

/** The same amounts with the opposite sign: of a line it is the price that is negative. */
function negated({ lines, breakdown, subtotal, tax, total }: Pricing): Pricing {
  return {
    lines: lines.map((line) => ({
      ...line,
      unitAmount: minus(line.unitAmount),
      unitAmountDecimal: negatedDecimal(line.unitAmountDecimal),
      unitAmountGross: minusIfAny(line.unitAmountGross),
      ...{ subtotal: minus(line.subtotal), tax: minus(line.tax), total: minus(line.total) },
      taxItems: line.taxItems.map((item) => ({ ...item, amount: minus(item.amount) })),
    })),
    breakdown: breakdown.map(
      (detail): TaxDetail => ({
        ...detail,
        ...{ base: minus(detail.base), tax: minus(detail.tax), surcharge: minusIfAny(detail.surcharge) },
        declaredBase: minus(detail.declaredBase),
        declaredTax: minusIfAny(detail.declaredTax),
      }),
    ),
    ...{ subtotal: minus(subtotal), tax: minus(tax), total: minus(total) },
  };
}

function negatedDecimal(decimal: string | null): string | null {
  if (decimal === null || /^[0.]*$/.test(decimal)) return decimal;
  return decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`;
}

async function recheckAll(
  client: Queryable,
  environmentId: number,
  all: readonly Exchange[],
): Promise<Refusal | null> {
  const [sale, ...returns] = all as [Exchange, ...Exchange[]];
  if (!(await isUnchanged(client, environmentId, sale))) return changedMeanwhile();
  const now = await returnsOf(client, environmentId, sale);
  const isSame =
    !isRefusal(now) &&
    now.every(({ corrected }, index) => !isAmendedSince(returns[index]!.corrected.family, corrected.family));
  return isSame ? null : changedMeanwhile();
}
