import { invalidField, type Refusal } from '../../ground/errors/refusal.ts';
import type { Day } from '../../ground/lib/calendar.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { environmentToday } from '../accounts/entry/environment-time.ts';
import { identifiesRecipient } from '../issuing/check-invoice.ts';
import { seriesRefusal } from '../issuing/issuer.ts';
import { firstDeclaredOperation, type InvoiceRequest } from '../issuing/request.ts';
import type { ChosenSeries } from '../number-series/choose.ts';
import type { RecipientInput } from '../recipients/recipient.ts';
import { target } from './family.ts';
import type { FoundExternal } from './find-external.ts';
import { restated } from './restate.ts';
import type { Corrected, SeveralOf } from './store/read-families.ts';

/** The block of a request that makes it a rectificativa. */
export type Rectifies = NonNullable<InvoiceRequest['rectifies']>;
/** One of ours, or several of one recipient. */
export type Linked = {
  readonly kind: 'linked';
  /** The invoice, or of several the one that was issued last. */
  readonly corrected: Corrected;
  /** The family of each corrected invoice if lines name them: of several, and of one that corrects several. */
  readonly each: readonly SeveralOf[] | null;
  /** The several that the request names. */
  readonly ids: readonly string[] | null;
};

/** What a rectificativa corrects: one of ours with its family, one issued elsewhere, or by a volume discount a period. */
export type Original =
  | Linked
  | { readonly kind: 'external'; readonly external: FoundExternal }
  | { readonly kind: 'period'; readonly period: NonNullable<Rectifies['period']> };

/** The form of a complete invoice: that of the corrected one, or for one issued elsewhere that of the request. */
export function formOf(
  { qualifiedSimplified, recipientUnidentified }: InvoiceRequest,
  original: Original,
): Pick<InvoiceRequest, 'qualifiedSimplified' | 'recipientUnidentified'> {
  const of =
    original.kind === 'linked'
      ? target(original.corrected.family)
      : { qualifiedSimplified, recipientUnidentified };
  return { qualifiedSimplified: of.qualifiedSimplified, recipientUnidentified: of.recipientUnidentified };
}

/** Why who issues it cannot, or not on the series; in the first case the corrected invoice names no recipient who could. */
export function issuerFault(
  request: InvoiceRequest,
  original: Original,
  series: ChosenSeries,
): Refusal | null {
  if (request.issuedBy === 'recipient' && !identifiesRecipient(request))
    return invalidField('issuedBy', 'not_supported', 'is not supported without an identified recipient');
  return seriesRefusal(request, recipientInput(request, original), series);
}

/** The recipient: inherited, restated or given. */
export function recipientInput({ recipient }: InvoiceRequest, original: Original): RecipientInput {
  return original.kind === 'linked' ? restated(original.corrected.recipient, recipient) : (recipient ?? {});
}

/**
 * The day of an operation that was invoiced elsewhere, which its rectificativas declare and inherit: its rates may be of another time. Null for
 * what was issued here, and for what lies further back than the agency takes (code 1134).
 */
export function rectifiedOperation(caller: Scope, original: Original): Day | null {
  if (original.kind === 'period') return null;
  const day =
    original.kind === 'linked' ? original.corrected.rectifiedOperationOn : original.external.operationOn;
  return day === null || day < firstDeclaredOperation(environmentToday(caller)) ? null : day;
}
