import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { isInvoiceId } from '../invoices/list.ts';
import { externalIdHolder, externalIdUsed } from '../issuing/external-id.ts';
import { isAmendedSince, registrationRefusal, target } from './family.ts';
import { type ExchangeFacts, loadExchanges } from './store/read-exchanges.ts';
import { type Corrected, loadFamilies } from './store/read-families.ts';

/** An exchange invoice in force. */
export type Exchange = { readonly corrected: Corrected; readonly facts: ExchangeFacts };

/** What a request to correct an exchange invoice names. */
type Named = { readonly exchangeInvoiceId: string; readonly externalId?: string | undefined };

/** The exchange invoice that a request corrects; refuses with `external_id_already_used`, then with the codes of `findExchange`. */
export async function findToCorrect(
  services: { readonly db: Pick<Db, 'pool'> },
  scope: Scope,
  { exchangeInvoiceId, externalId }: Named,
): Promise<Outcome<Exchange>> {
  const holder = externalId === undefined ? null : await externalIdHolder(services, scope, externalId);
  if (holder !== null) return externalIdUsed(holder);
  return findExchange(services.db.pool, scope.environmentId, exchangeInvoiceId);
}

/**
 * The exchange invoice of a sale that is corrected. Refuses with `invoice_not_found`; `invalid_request` for one of another
 * kind, of a return, or that takes another back; `invoice_already_voided`; `invoice_already_replaced`;
 * `invoice_pending_at_aeat` and `invoice_not_rectifiable_at_aeat`.
 */
async function findExchange(
  client: Queryable,
  environmentId: number,
  id: string,
): Promise<Outcome<Exchange>> {
  const [found] = isInvoiceId(id) ? await loadAll(client, environmentId, [id]) : [];
  if (found === undefined) return new Refusal('invoice_not_found', 'No invoice of this id exists.');
  const { number, voided, kind } = target(found.corrected.family);
  const { reversed, reversesId, ofReturn } = found.facts;
  if (kind !== 'exchange') return notOfSale('is not an exchange invoice');
  if (voided) return new Refusal('invoice_already_voided', `Invoice ${number} is voided.`);
  if (reversesId !== null) return notOfSale('takes another exchange invoice back');
  if (reversed) return replaced(number);
  if (ofReturn) return notOfSale('is that of a return: name that of the sale');
  return registrationRefusal(found.corrected.family) ?? found;
}

/** The exchange invoices in force of the returns, in the order of issue; refuses as the agency's answers to them demand. */
export async function returnsOf(
  client: Queryable,
  environmentId: number,
  { facts }: Exchange,
): Promise<Outcome<Exchange[]>> {
  const all = await loadAll(client, environmentId, facts.returns);
  for (const { corrected } of all) {
    const refusal = registrationRefusal(corrected.family);
    if (refusal !== null) return refusal;
  }
  return all;
}

/** What a request relied on was changed by another one while it was checked. */
export function changedMeanwhile(): Refusal {
  return new Refusal(
    'recipient_changed_during_validation',
    'The exchange invoice or one of its tickets was corrected while the request was validated.',
  );
}

/** Whether everything about it is as it was when it was found. */
export async function isUnchanged(
  client: Queryable,
  environmentId: number,
  before: Exchange,
): Promise<boolean> {
  const now = await findExchange(client, environmentId, before.facts.id);
  if (isRefusal(now)) return false;
  const isSame = now.facts.returns.join() === before.facts.returns.join();
  return isSame && !isAmendedSince(before.corrected.family, now.corrected.family);
}

async function loadAll(
  client: Queryable,
  environmentId: number,
  ids: readonly string[],
): Promise<Exchange[]> {
  if (ids.length === 0) return [];
  const families = await loadFamilies(client, environmentId, ids);
  const exchanges = await loadExchanges(client, environmentId, ids);
  return ids.flatMap((id) => {
    const corrected = families.get(id);
    return corrected === undefined ? [] : [{ corrected, facts: exchanges.get(id)! }];
  });
}

function replaced(number: string): Refusal {
  return new Refusal(
    'invoice_already_replaced',
    `Invoice ${number} was replaced by another exchange invoice.`,
  );
}

function notOfSale(fault: string): Refusal {
  return invalidField('exchangeInvoiceId', 'invalid_value', fault);
}
