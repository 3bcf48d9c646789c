import type { Queryable } from '../../ground/db/queryable.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type Actor, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { newId } from '../../ground/lib/ids.ts';
import { addLogFields } from '../../ground/lib/logger.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { checkGates } from '../accounts/gates.ts';
import { readScope } from '../accounts/store/read-callers.ts';
import { MAX_DISBURSEMENTS } from '../extensions/disbursements.ts';
import { NO_EXTENSIONS } from '../extensions/request.ts';
import type { Claim } from '../idempotency/claim.ts';
import { once, requestDigest, storedAnswer } from '../idempotency/keys.ts';
import type { StoredInvoice } from '../invoices/rows.ts';
import { externalIdHolder, externalIdUsed } from '../issuing/external-id.ts';
import { commitReady, type IssuingServices } from '../issuing/issue-invoice.ts';
import { measureIssuing } from '../issuing/metrics.ts';
import { type CheckedInvoice, type Origin, prepareInvoice } from '../issuing/prepare-invoice.ts';
import { MAX_LINES } from '../issuing/request.ts';
import { seriesFor } from '../number-series/choose.ts';
import { buyerOf, recipientTaxIdType, resolveRecipient } from '../recipients/recipient.ts';
import { breakdownRefusal, declaredDetail, joinDetails, outOfRange, tooBig } from '../taxes/breakdown.ts';
import { classifiedAs } from '../taxes/classification.ts';
import type { Pricing } from '../taxes/pricing.ts';
import { type Contradiction, contradictedTax } from '../taxes/recipient-rules.ts';
import { type ExchangeRequest, MAX_TICKETS } from './exchange-request.ts';
import { type Family, inForce, isAmendedSince, type Member, stateRefusal, target } from './family.ts';
import type { IssuedTogether, Once, Repeatable } from './issue-together.ts';
import { withNextStep } from './next-step.ts';
import { type Corrected, loadFamilies } from './store/read-families.ts';
import { environmentOfInvoice, loadLines, type StoredLine, storeExchange } from './store.ts';

export type Exchanging = Pick<IssuingServices, 'db' | 'config' | 'registers' | 'issueQueue'>;

/**
 * Issues one complete invoice in exchange for simplified ones of the environment (type F3). It takes over their
 * lines with amounts, taxes and classification unchanged, so that its totals are exactly theirs; they stay valid,
 * but cannot be corrected while it is in force. A corrected ticket is named by its family's head and includes
 * everything in force of it. Refuses with the codes of the gates; `external_id_already_used`; for each ticket
 * `invoice_not_found`, those of a rectificativa's reference, `invalid_request` when it is not simplified;
 * `invalid_request` for more than 1,000 documents or 500 lines; `invalid_tax_data`; those of a complete recipient.
 * Sources: RD 1619/2012 art. 15.6; AEAT answers to developers v1.3, 27.
 */
export async function exchangeInvoices(
  services: Exchanging,
  actor: Actor,
  environmentId: number,
  request: ExchangeRequest,
): Promise<Outcome<StoredInvoice>> {
  const scope = await readScope(services.db.pool, environmentId);
  const { outcome } = await measureIssuing(scope.environment, async () => ({
    outcome: await issue(services, actor, scope, request, { id: newId('inv') }),
    replayed: false,
  }));
  return outcome;
}

/** The same once for an idempotency key; refuses with `idempotency_conflict` too. */
export async function exchangeOnce(
  services: Exchanging,
  actor: Actor,
  environmentId: number,
  request: ExchangeRequest,
  { key, sent, sign }: Repeatable,
): Promise<Once<IssuedTogether>> {
  const scope = await readScope(services.db.pool, environmentId);
  const id = newId('inv');
  const issued = { environmentId, invoices: [{ id, pdfToken: sign({ environmentId, id }) }] };
  const work = async (claim: Claim | null): Promise<Outcome<IssuedTogether>> => {
    const idempotency = claim && { claim, answer: () => storedAnswer(issued) };
    const outcome = await issue(services, actor, scope, request, { id, idempotency });
    return isRefusal(outcome) ? outcome : issued;
  };
  const digest = () => requestDigest(sent);
  return measureIssuing(scope.environment, () =>
    once<IssuedTogether>(
      services.db,
      { environmentId, key, operation: 'exchange_invoices', digest },
      work,
      (answer) => answer as IssuedTogether,
    ),
  );
}

async function issue(
  services: Exchanging,
  actor: Actor,
  scope: Scope,
  request: ExchangeRequest,
  {
    id,
    idempotency = null,
  }: { readonly id: string; readonly idempotency?: Parameters<typeof prepareInvoice>[3] },
): Promise<Outcome<StoredInvoice>> {
  const refusal = checkGates(scope);
  if (refusal !== null) return refusal;
  const checked = await checkExchange(services, actor, scope, request);
  if (isRefusal(checked)) return withNextStep(services.db, scope.environmentId, checked);
  const prepared = prepareInvoice(scope, services.config.software, checked, idempotency, { id });
  const stored = await commitReady(services, { prepared, checked });
  if (!isRefusal(stored)) addLogFields({ invoiceId: id, chainId: stored.record.chain_id });
  return stored;
}

/** The environment of the first ticket, for callers that may act in any; `invoice_not_found` when there is none. */
export function environmentOfExchange(
  { db }: Exchanging,
  request: ExchangeRequest,
): Promise<Outcome<number>> {
  return environmentOfInvoice(db.pool, request.ticketIds[0]!, null);
}

async function checkExchange(
  services: Exchanging,
  actor: Actor,
  scope: Scope,
  request: ExchangeRequest,
): Promise<Outcome<CheckedInvoice>> {
  const { db, registers } = services;
  const { externalId } = request;
  const holder = externalId === undefined ? null : await externalIdHolder(services, scope, externalId);
  if (holder !== null) return externalIdUsed(holder);
  const tickets = await findTickets(db.pool, scope, request.ticketIds);
  if (isRefusal(tickets)) return tickets;
  const documents = tickets.flatMap(({ family }) => inForce(family));
  const series = await seriesFor(db, scope, undefined, 'standard');
  if (isRefusal(series)) return series;
  const pricing = await priceOf(db.pool, scope, documents);
  if (isRefusal(pricing)) return pricing;
  const recipientTaxId = recipientTaxIdType(request.recipient);
  const rules = { type: 'complete' as const, rectifying: null, recipientTaxIdType: recipientTaxId };
  const unfit = breakdownRefusal(pricing.breakdown, rules);
  if (unfit !== null) return unfit;
  const contradicted = contradictedTax(pricing.lines, buyerOf(request.recipient));
  // The lines are those of the tickets: only the recipient can be another one.
  if (contradicted !== null) return aboutRecipient(contradicted);
  const recipient = resolveRecipient(request.recipient, { complete: true });
  if (isRefusal(recipient)) return recipient;
  const evidence = await registers[scope.environment].identify(recipient, scope.environmentId);
  if (isRefusal(evidence)) return evidence;
  return {
    request: exchangeAsRequest(request, tickets),
    kind: 'exchange',
    invoiceType: 'F3',
    series,
    pricing,
    recipient,
    evidence,
    correction: null,
    exchanged: documents.map(({ id, number, issuedOn }) => ({ id, nif: scope.issuer.nif, number, issuedOn })),
    origin: commonOrigin(tickets),
    recheck: (client) => recheck(client, scope, request.ticketIds, tickets),
    alsoWrite: (client, stored) =>
      noteExchange(client, { actor, reason: request.reason ?? null }, stored, documents),
  };
}

/** The refusal of a recipient to whom the tickets could not have been sold. */
export function aboutRecipient({ field, reason }: Contradiction): Refusal {
  return new Refusal(
    'invalid_tax_data',
    `The tickets cannot be exchanged for this recipient: ${reason}`,
  ).about(`recipient.${field}`);
}

/** The tickets in the order of the request, each in a state that allows the exchange. */
async function findTickets(
  client: Queryable,
  { environmentId }: Scope,
  ids: readonly string[],
): Promise<Outcome<Corrected[]>> {
  const families = await loadFamilies(client, environmentId, ids);
  const tickets: Corrected[] = [];
  for (const [index, id] of ids.entries()) {
    const field = `ticketIds[${index}]`;
    const ticket = families.get(id);
    if (ticket === undefined) {
      return new Refusal('invoice_not_found', `${field}: no invoice of this id exists in the environment.`);
    }
    if (tickets.includes(ticket)) return invalidField(field, 'duplicate', 'is named twice');
    const refusal = stateRefusal(ticket.family);
    if (refusal !== null) return refusal;
    if (ticket.several !== null) {
      const detail =
        'corrects several invoices at once, which cannot be exchanged while it does: void it first';
      return invalidField(field, 'invalid_value', detail);
    }
    if (target(ticket.family).type !== 'simplified') {
      return invalidField(field, 'invalid_value', 'is not a simplified invoice');
    }
    tickets.push(ticket);
  }
  return tickets;
}

/** The sum of the documents, line by line. */
async function priceOf(
  client: Queryable,
  { environmentId }: Scope,
  documents: readonly Member[],
): Promise<Outcome<Pricing>> {
  if (documents.length > MAX_TICKETS) {
    return invalidField('ticketIds', 'too_big', `come to more than ${MAX_TICKETS} documents`);
  }
  const lines = await loadLines(
    client,
    environmentId,
    documents.map(({ id }) => id),
  );
  if (lines.length > MAX_LINES) {
    return invalidField('ticketIds', 'too_big', `have more than ${MAX_LINES} lines together`);
  }
  if (documents.flatMap(({ disbursements }) => disbursements).length > MAX_DISBURSEMENTS) {
    return invalidField('ticketIds', 'too_big', `have more than ${MAX_DISBURSEMENTS} disbursements together`);
  }
  const subtotal = lines.reduce((sum, line) => sum + line.subtotal, 0);
  const tax = lines.reduce((sum, line) => sum + line.tax, 0);
  if (outOfRange(subtotal, tax, subtotal + tax)) return tooBig('ticketIds');
  const breakdown = joinDetails(documents.flatMap((document) => document.breakdown));
  return { lines: asDeclared(lines, documents), subtotal, tax, total: subtotal + tax, breakdown };
}

/** The lines; if one says its own classification, each with that under which its document declares it now. */
function asDeclared(lines: readonly StoredLine[], documents: readonly Member[]): readonly StoredLine[] {
  if (!lines.some(({ taxItems: [tax] }) => tax?.classified != null)) return lines;
  const breakdowns = new Map(documents.map(({ id, breakdown }) => [id, breakdown]));
  return lines.map((line) => {
    const [tax, ...surcharge] = line.taxItems;
    if (tax === undefined) return line;
    const details = breakdowns.get(line.invoiceId) ?? [];
    const detail = declaredDetail(details, tax) ?? declaredDetail(details, { type: tax.type });
    const classified = detail === undefined ? tax.classified : classifiedAs(detail);
    return { ...line, taxItems: [{ ...tax, classified }, ...surcharge] };
  });
}

/** The other fields of the invoice. Its operation date is that of the last sale. */
function exchangeAsRequest(
  { recipient, externalId, notes }: ExchangeRequest,
  tickets: readonly Corrected[],
): CheckedInvoice['request'] {
  const days = tickets.map(({ family }) => operationDay(family)).sort();
  return {
    ...{ lineItems: [], type: 'complete', recipient, externalId, notes, recargoEquivalencia: false },
    ...{ numberSeriesId: undefined, rectifies: undefined, operationDate: days.at(-1) },
    ...{ externalCustomerId: undefined, integrationId: undefined },
    ...NO_EXTENSIONS,
    disbursements: disbursementsOf(tickets),
    metadata: undefined,
  };
}

/** What was paid in the customer's name is still owed, on the new invoice instead of the tickets. */
function disbursementsOf(tickets: readonly Corrected[]): CheckedInvoice['request']['disbursements'] {
  const all = tickets.flatMap(({ family }) => inForce(family)).flatMap(({ disbursements }) => disbursements);
  return all.length === 0 ? undefined : all.map((one) => ({ reference: undefined, ...one }));
}

/** The day of the sale, or if that was invoiced elsewhere, of its first correction here. */
function operationDay({ path }: Family): string {
  return path[0]!.operationOn;
}

/** The integration and its customer, if all tickets have the same. */
function commonOrigin(tickets: readonly Corrected[]): Origin | null {
  const first = tickets[0]!.origin;
  const isCommon = tickets.every(
    ({ origin }) =>
      origin?.integrationId === first?.integrationId &&
      origin?.externalCustomerId === first?.externalCustomerId,
  );
  if (first === null || !isCommon) return null;
  const { integrationId, externalCustomerId } = first;
  return { integrationId, externalCustomerId, orderId: null };
}

/** With the chain locked: the tickets must still be free, and declared as they were when they were read. */
async function recheck(
  client: Queryable,
  scope: Scope,
  ids: readonly string[],
  before: readonly Corrected[],
): Promise<Refusal | null> {
  const now = await findTickets(client, scope, ids);
  if (isRefusal(now)) return now;
  const amended = now.some(({ family }, index) => isAmendedSince(before[index]!.family, family));
  if (!amended) return null;
  return new Refusal(
    'recipient_changed_during_validation',
    'What is declared of a ticket was amended while the request was validated.',
  );
}

async function noteExchange(
  client: Queryable,
  by: { readonly actor: Actor; readonly reason: string | null },
  { invoice }: StoredInvoice,
  documents: readonly Member[],
): Promise<void> {
  const environmentId = invoice.environment_id;
  const ids = documents.map(({ id }) => id);
  await storeExchange(client, environmentId, invoice.id, ids);
  const entry = { ...by, action: 'exchange_invoices', subject: invoice.id, environmentId };
  await addAuditEntry(client, { ...entry, details: { documents: ids } });
}
