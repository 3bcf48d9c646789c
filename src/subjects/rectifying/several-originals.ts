import type { Queryable } from '../../ground/db/queryable.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { Cents } from '../../ground/lib/money.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import type { InvoiceReference } from '../chain/record-xml.ts';
import { isInvoiceId } from '../invoices/list.ts';
import type { CheckedInvoice } from '../issuing/prepare-invoice.ts';
import type { InvoiceRequest } from '../issuing/request.ts';
import type { Pricing } from '../taxes/pricing.ts';
import {
  balance,
  disbursedBalance,
  isAmendedSince,
  rectifiedReferences,
  stateRefusal,
  target,
  withholdingInForce,
} from './family.ts';
import type { Linked, Rectifies } from './original.ts';
import { type Corrected, loadFamilies, type SeveralOf } from './store/read-families.ts';

/**
 * One rectificativa of several invoices (RD 1619/2012 art. 15.4), and what corrects that in turn. Each line changes the total of the invoice
 * that it names; what several have in common must be the same for all.
 */

/** The agency takes as many references in one record (XSD, FacturasRectificadas). */
const MAX_REFERENCES = 1_000;

function unfit(detail: string, field: string): Refusal {
  return new Refusal('invalid_rectifies_reference', `${detail} (RD 1619/2012 art. 15.4).`).about(field);
}

/**
 * The invoices of `invoice_ids`, each the head of its family and registered. Refuses with `invalid_rectifies_reference`,
 * `rectified_invoice_not_found` and the codes of `stateRefusal`, each at the invoice that is at fault.
 */
export async function findSeveral(
  client: Queryable,
  { environmentId }: Scope,
  { method }: Rectifies,
  ids: readonly string[],
): Promise<Outcome<Linked>> {
  if (method === 'substitution')
    return unfit(
      'Several invoices are corrected by differences: a substitution replaces one',
      'rectifies.method',
    );
  const found = await loadFamilies(client, environmentId, ids.filter(isInvoiceId));
  const all: Corrected[] = [];
  for (const [index, id] of ids.entries()) {
    const field = `rectifies.invoiceIds[${index}]`;
    const corrected = found.get(id);
    if (corrected === undefined)
      return new Refusal(
        'rectified_invoice_not_found',
        'No invoice of this id exists in the environment.',
      ).about(field);
    const refusal =
      stateRefusal(corrected.family)?.about(field) ?? differenceOf(all[0] ?? corrected, corrected, field);
    if (refusal !== null) return refusal;
    all.push(corrected);
  }
  const each = ids.map((id, index) => ({ id, family: all[index]!.family }));
  const newest = all.reduce((last, one) => (issuedOn(one) >= issuedOn(last) ? one : last));
  const original: Linked = { kind: 'linked', corrected: newest, each, ids };
  return referencesOf(original).length <= MAX_REFERENCES
    ? original
    : unfit(
        `Together with what corrects them they are more than ${MAX_REFERENCES} invoices`,
        'rectifies.invoiceIds',
      );
}

const issuedOn = ({ family }: Corrected): string => target(family).issuedOn;

/** Why an invoice cannot be corrected together with the first one. */
function differenceOf(first: Corrected, one: Corrected, field: string): Refusal | null {
  const [invoice, other] = [target(one.family), target(first.family)];
  const { number } = invoice;
  const refuse = (detail: string) => unfit(`Invoice ${number} ${detail}`, field);
  if (one.several !== null)
    return refuse('corrects several invoices, and is corrected by its own invoice_id');
  if (withholdingInForce(one.family) !== null) return refuse('has a withholding, and is corrected alone');
  if (disbursedBalance(one.family) !== 0 && disbursedBalance(one.family) !== null)
    return refuse('has disbursements, and is corrected alone');
  if (identityOf(one) !== identityOf(first)) return refuse(`has another recipient than ${other.number}`);
  if (invoice.type !== other.type) return refuse(`is ${invoice.type}, and ${other.number} is not`);
  const isSameForm =
    invoice.qualifiedSimplified === other.qualifiedSimplified &&
    invoice.recipientUnidentified === other.recipientUnidentified;
  if (!isSameForm) return refuse(`has another form than ${other.number}`);
  if (one.rectifiedOperationOn !== first.rectifiedOperationOn)
    return refuse(`is of an operation of another time than ${other.number}`);
  const isSameOrigin =
    one.origin?.integrationId === first.origin?.integrationId &&
    one.origin?.externalCustomerId === first.origin?.externalCustomerId &&
    one.origin?.isOrder === first.origin?.isOrder;
  return isSameOrigin ? null : refuse(`is of another customer or kind of order than ${other.number}`);
}

/** By the tax id; without one by the names. */
function identityOf({ recipient }: Corrected): string {
  const { taxId, taxIdType, taxIdCountry, name, companyName } = recipient;
  return JSON.stringify(taxId === null ? [name, companyName] : [taxId, taxIdType, taxIdCountry]);
}

/** The corrected documents of all families: what they have in common once, at the end. */
export function referencesOf({ corrected, each }: Pick<Linked, 'corrected' | 'each'>): InvoiceReference[] {
  const all =
    each === null
      ? rectifiedReferences(corrected.family)
      : each.flatMap(({ family }) => rectifiedReferences(family));
  const last = new Map<string, InvoiceReference>();
  for (const reference of all) {
    last.delete(reference.number);
    last.set(reference.number, reference);
  }
  return [...last.values()];
}

/** Why lines do not name what they correct: only known of a request that names one invoice. */
export function namingRefusal(
  { lineItems }: Pick<InvoiceRequest, 'lineItems'>,
  { method }: Rectifies,
  { corrected, each, ids }: Linked,
): Refusal | null {
  if (ids !== null) return null;
  if (each !== null && method === 'substitution') {
    const { number } = target(corrected.family);
    return unfit(
      `Invoice ${number} corrects several invoices: a substitution replaces one`,
      'rectifies.method',
    );
  }
  for (const [index, { rectifiesInvoiceId: named }] of lineItems.entries()) {
    const field = `lineItems[${index}].rectifiesInvoiceId`;
    if (each === null) {
      if (named !== undefined)
        return invalidField(field, 'not_supported', 'is not supported unless several invoices are corrected');
    } else if (named === undefined)
      return invalidField(field, 'required', 'is required: several invoices are corrected');
    else if (!each.some(({ id }) => id === named))
      return invalidField(field, 'invalid_value', 'is none of the invoices that are corrected');
  }
  return null;
}

/** What would not know to which of several invoices it belongs. */
export function undividedRefusal(
  { withholding, disbursements }: InvoiceRequest,
  { each }: Linked,
): Refusal | null {
  if (each === null) return null;
  if (withholding !== undefined)
    return unfit('A withholding is corrected with its own invoice alone', 'withholding');
  return disbursements === undefined
    ? null
    : unfit('Disbursements are corrected with their own invoice alone', 'disbursements');
}

/** Why the lines of one of the invoices are refused against what is in force of it. */
export function shareRefusal(
  { lineItems }: Pick<InvoiceRequest, 'lineItems'>,
  each: readonly SeveralOf[],
  { lines }: Pricing,
): Refusal | null {
  for (const { id, family } of each) {
    const change = lines.reduce(
      (sum: Cents, line, index) => (lineItems[index]?.rectifiesInvoiceId === id ? sum + line.total : sum),
      0,
    );
    const before = balance(family);
    if (before === null || change >= 0 || before + change >= 0) continue;
    const number = family.path.find((member) => member.id === id)?.number;
    const detail = `The differences of invoice ${number} exceed the amount of it that is in force.`;
    return new Refusal('family_balance_below_zero', detail);
  }
  return null;
}

/** With the chain locked: each of the invoices must still be what it was. */
export function recheckSeveral(
  { environmentId }: Scope,
  ids: readonly string[],
  before: readonly SeveralOf[] | null,
): CheckedInvoice['recheck'] {
  return async (client) => {
    const now = await loadFamilies(client, environmentId, ids);
    for (const [index, id] of ids.entries()) {
      const { family } = now.get(id)!;
      const refusal = stateRefusal(family);
      if (isRefusal(refusal)) return refusal.about(`rectifies.invoiceIds[${index}]`);
      if (isAmendedSince(before![index]!.family, family)) {
        const detail = 'The recipient of a corrected invoice was amended while the request was validated.';
        return new Refusal('recipient_changed_during_validation', detail);
      }
    }
    return null;
  };
}
