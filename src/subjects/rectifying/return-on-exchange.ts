import type { Queryable } from '../../ground/db/queryable.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type Actor, addAuditEntry } from '../../ground/journal/audit-log.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { environmentToday } from '../accounts/entry/environment-time.ts';
import { isBlank } from '../issuing/check-invoice.ts';
import type { CheckedInvoice, Together } from '../issuing/prepare-invoice.ts';
import { seriesFor } from '../number-series/choose.ts';
import { breakdownRefusal } from '../taxes/breakdown.ts';
import { type Pricing, priceInvoice } from '../taxes/pricing.ts';
import { unlessContradicted } from '../taxes/recipient-rules.ts';
import { contradictedByCorrection } from './contradicted-tax.ts';
import type { ReturnRequest } from './exchange-request.ts';
import {
  balance,
  inForce,
  isAmendedSince,
  rectifiedReferences,
  registrationRefusal,
  target,
} from './family.ts';
import { changedMeanwhile, type Exchange, findToCorrect, isUnchanged } from './find-exchange.ts';
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
import { type Corrected, loadCorrected } from './store/read-families.ts';
import { loadHeads } from './store/read-heads.ts';
import { rectifyingSeriesOf, storeExchange } from './store.ts';
import type { Corrector } from './who-may-correct.ts';

/** A return of a ticket corrects by differences; a simplified rectificativa is an R5 whatever its reason. */
const DIFFERENCES = { method: 'differences', reason: 'correction' } as const;

/** The original is known already. */
const NAMED = { invoiceId: undefined, external: undefined, invoiceIds: undefined, period: undefined };

/**
 * What a customer returns of a ticket that was exchanged: the rectificativa of the ticket by differences (R5), and a further
 * exchange invoice of that rectificativa (F3) for the customer, in one transaction; they are voided together. Refuses with
 * the codes of the gates; `external_id_already_used`; those of `findExchange`; `invalid_request` for a ticket that is not one
 * of the exchange; those of lines; `family_balance_below_zero`; `recipient_changed_during_validation`. Source: AEAT answers to
 * developers v1.3 of 2025-12-04, 27, cases 2 and 3.
 */
export function returnOnExchange(
  services: TogetherServices,
  by: Corrector,
  request: ReturnRequest,
  repeatable: Repeatable,
): Promise<Once<IssuedTogether>> {
  return issueTogether(services, by, request.exchangeInvoiceId, 'return_on_exchange', repeatable, (scope) =>
    checkReturn(services, by.actor, scope, request),
  );
}

async function checkReturn(
  services: TogetherServices,
  actor: Actor,
  scope: Scope,
  request: ReturnRequest,
): Promise<Outcome<readonly Member[]>> {
  const exchange = await findToCorrect(services, scope, request);
  if (isRefusal(exchange)) return exchange;
  const ticket = await findTicket(services.db.pool, scope, exchange, request.ticketId);
  if (isRefusal(ticket)) return ticket;
  const series = await seriesOf(services, scope, ticket);
  if (isRefusal(series)) return series;
  const pricing = await price(services, scope, request, exchange, ticket);
  if (isRefusal(pricing)) return pricing;
  const remaining = balance(ticket.family);
  if (remaining !== null && remaining + pricing.total < 0) {
    const detail = 'More is returned than is in force of the ticket.';
    return new Refusal('family_balance_below_zero', detail).about('lineItems');
  }
  const [rectificationId, exchangeId] = newInvoiceIds(2) as [string, string];
  const together = { issuedWith: rectificationId, reversesId: null, affects: [exchange.facts.id] };
  const rectification = rectificationOf(request, ticket, pricing, together);
  const noted = { actor, action: 'return_on_exchange', subject: exchange.facts.id, reason: request.reason };
  return [
    {
      id: rectificationId,
      checked: {
        ...rectification,
        series: series.rectifying,
        recheck: (client) => recheck(client, scope, exchange, ticket),
      },
    },
    {
      id: exchangeId,
      inExchangeFor: rectificationId,
      checked: {
        ...exchangeOf(exchange, ticket, pricing, together),
        series: series.standard,
        exchanged: [{ id: rectificationId, nif: scope.issuer.nif, number: '', issuedOn: '' }],
        alsoWrite: async (client) => {
          await storeExchange(client, scope.environmentId, exchangeId, [rectificationId]);
          const details = { rectification: rectificationId, exchange: exchangeId };
          await addAuditEntry(client, { ...noted, environmentId: scope.environmentId, details });
        },
      },
    },
  ];
}

/** The last correction of the ticket that is returned: earlier returns are corrections of it too. */
async function findTicket(
  client: Queryable,
  { environmentId }: Scope,
  { facts }: Exchange,
  ticketId: string | undefined,
): Promise<Outcome<Corrected>> {
  const documents = facts.documents.map(({ id }) => id);
  const named = ticketId === undefined ? [] : [ticketId];
  const heads = await loadHeads(client, environmentId, [...documents, ...named]);
  const sold = new Set(documents.map((id) => heads.get(id)!));
  if (ticketId === undefined && sold.size > 1) {
    const fault = 'is required: the exchange invoice stands for several tickets';
    return invalidField('ticketId', 'required', fault);
  }
  const head = ticketId === undefined ? [...sold][0]! : heads.get(ticketId);
  if (head === undefined || !sold.has(head)) {
    return invalidField('ticketId', 'invalid_value', 'is no ticket of the exchange invoice');
  }
  const ticket = (await loadCorrected(client, environmentId, head))!;
  return registrationRefusal(ticket.family) ?? ticket;
}

async function seriesOf({ db }: TogetherServices, scope: Scope, { origin }: Corrected) {
  const standard = await seriesFor(db, scope, undefined, 'standard');
  if (isRefusal(standard)) return standard;
  const own =
    origin === null ? null : await rectifyingSeriesOf(db.pool, scope.environmentId, origin.integrationId);
  const rectifying = own ?? (await seriesFor(db, scope, undefined, 'rectifying'));
  return isRefusal(rectifying) ? rectifying : { standard, rectifying };
}

/** The lines as those of the rectificativa; the exchange invoice takes them over, so its rules apply too. */
async function price(
  { catalogs, db }: TogetherServices,
  scope: Scope,
  { lineItems }: ReturnRequest,
  exchange: Exchange,
  ticket: Corrected,
): Promise<Outcome<Pricing>> {
  const isSurcharged = inForce(ticket.family).some(({ breakdown }) =>
    breakdown.some(({ surcharge }) => surcharge !== null),
  );
  const priced = priceInvoice(
    {
      ...{ lines: lineItems, recargoEquivalencia: isSurcharged, pricesIncludeTax: false, type: 'simplified' },
      ...{ rectifying: DIFFERENCES, recipientTaxIdType: null },
      rectifiedOperationOn: ticket.rectifiedOperationOn,
    },
    await catalogs.of(scope),
    environmentToday(scope),
  );
  const linked = { environmentId: scope.environmentId, ...ticket };
  const correction = { lineItems, recipient: undefined, rectifies: { ...DIFFERENCES, ...NAMED } };
  const pricing = unlessContradicted(priced, await contradictedByCorrection(db.pool, correction, linked));
  if (isRefusal(pricing)) return pricing;
  const { taxIdType } = exchange.corrected.recipient;
  const rules = { type: 'complete' as const, rectifying: null, recipientTaxIdType: taxIdType };
  return breakdownRefusal(pricing.breakdown, rules, pricing.lines) ?? pricing;
}

type Unseried = Omit<CheckedInvoice, 'series'>;

function rectificationOf(
  { externalId }: ReturnRequest,
  { family, recipient, origin, rectifiedOperationOn: operationOn }: Corrected,
  pricing: Pricing,
  together: Together,
): Unseried {
  return {
    request: { ...NOTHING_SENT, type: 'simplified', externalId },
    kind: 'rectifying_differences',
    invoiceType: 'R5',
    correction: {
      ...{ rectifiesId: target(family).id, external: null, reason: DIFFERENCES.reason, method: 'I' },
      ...{ amounts: null, operationOn, rectified: rectifiedReferences(family) },
    },
    exchanged: [],
    origin: origin && { ...origin, orderId: null },
    recheck: null,
    alsoWrite: null,
    pricing,
    recipient: isBlank(recipient) ? null : recipient,
    evidence: null,
    together,
  };
}

/** For the recipient of the exchange of the sale, who was validated then. */
function exchangeOf(
  { corrected }: Exchange,
  { rectifiedOperationOn }: Corrected,
  pricing: Pricing,
  together: Together,
): Unseried {
  const { recipient, origin } = corrected;
  return {
    request: { ...NOTHING_SENT, type: 'complete', operationDate: rectifiedOperationOn ?? undefined },
    kind: 'exchange',
    invoiceType: 'F3',
    correction: null,
    exchanged: [],
    origin: origin && { ...origin, orderId: null },
    recheck: null,
    alsoWrite: null,
    pricing,
    recipient,
    evidence: null,
    together,
  };
}

async function recheck(
  client: Queryable,
  scope: Scope,
  exchange: Exchange,
  ticket: Corrected,
): Promise<Refusal | null> {
  if (!(await isUnchanged(client, scope.environmentId, exchange))) return changedMeanwhile();
  const now = (await loadCorrected(client, scope.environmentId, target(ticket.family).id))!;
  const isHead = now.family.corrected === null && !target(now.family).voided;
  return isHead && !isAmendedSince(ticket.family, now.family) ? null : changedMeanwhile();
}
