import type { Queryable } from '../../ground/db/queryable.ts';
import type { InvoiceRequest } from '../issuing/request.ts';
import { buyerOf, type Recipient } from '../recipients/recipient.ts';
import { extendedAmount } from '../taxes/line-amount.ts';
import { type Contradiction, contradictedTax } from '../taxes/recipient-rules.ts';
import type { Family } from './family.ts';
import { restated, restatesIdentity } from './restate.ts';
import { loadLines } from './store.ts';

type Request = Pick<InvoiceRequest, 'lineItems' | 'recipient' | 'rectifies'>;
type Line = InvoiceRequest['lineItems'][number];

/** Of an original issued here: its environment, recipient and family. */
type Linked = { readonly environmentId: number; readonly recipient: Recipient; readonly family: Family };

/**
 * The tax of a rectificativa that contradicts its recipient (`contradictedTax`), or null. What was charged wrongly must remain correctable: with an
 * inherited recipient, tax types that the family already bears are accepted, and of an original issued elsewhere lines that take something back.
 */
export async function contradictedByCorrection(
  client: Queryable,
  { lineItems, recipient, rectifies }: Request,
  linked: Linked | null,
): Promise<Contradiction | null> {
  if (linked === null) {
    const takesBack = (line: Line) => rectifies?.method === 'differences' && extendedAmount(line) < 0;
    return contradictedTax(without(lineItems, takesBack), buyerOf(recipient ?? {}));
  }
  const buyer = buyerOf(restated(linked.recipient, recipient));
  const found = contradictedTax(lineItems, buyer);
  if (found === null || !isInherited(recipient)) return found;
  const ids = linked.family.path.map(({ id }) => id);
  const borne = await loadLines(client, linked.environmentId, ids);
  const types = new Set(borne.flatMap(({ taxItems }) => taxItems.map(({ type }) => type)));
  const isBorne = ({ taxItems }: Line) => taxItems?.every(({ type }) => types.has(type)) ?? false;
  return contradictedTax(without(lineItems, isBorne), buyer);
}

/** The lines in their places, the exempt ones without their taxes. */
function without(lines: readonly Line[], isExempt: (line: Line) => boolean) {
  return lines.map((line) => (isExempt(line) ? {} : line));
}

/** Whether nothing of the recipient that decides about taxes is restated. */
function isInherited(recipient: Request['recipient']): boolean {
  return (
    recipient === undefined || (!restatesIdentity(recipient) && recipient.address?.country === undefined)
  );
}
