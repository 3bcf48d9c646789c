import type { Refusal } from '../../ground/errors/refusal.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import {
  type ChosenSeries,
  issuerRecheck,
  issuerRefusal,
  type SeriesIssuer,
} from '../number-series/choose.ts';
import { type RecipientInput, taxIdentityOf } from '../recipients/recipient.ts';
import type { CheckedInvoice } from './prepare-invoice.ts';
import type { InvoiceRequest } from './request.ts';

/** Who issues an invoice: the company, or its recipient or a third party in its name (RD 1619/2012 art. 5). */

type Issued = Pick<InvoiceRequest, 'issuedBy' | 'thirdParty' | 'rectifies'>;

/** The issuer's tax id by local rules; null for the company. One that they refuse is refused later. */
function issuerOf({ issuedBy, thirdParty }: Issued, recipient: RecipientInput): SeriesIssuer | null {
  if (issuedBy === undefined) return null;
  const party = issuedBy === 'recipient' ? recipient : (thirdParty ?? {});
  return taxIdentityOf(party) ?? UNKNOWN;
}

const UNKNOWN: SeriesIssuer = { taxId: '', taxIdCountry: null };

/** `invalid_number_series`, of a rectificativa `rectifying_series_invalid`, when the issuer cannot issue on the series. */
export function seriesRefusal(
  request: Issued,
  recipient: RecipientInput,
  series: ChosenSeries,
): Refusal | null {
  const issuer = issuerOf(request, recipient);
  const known = issuer === UNKNOWN ? { ...series, issuer: null } : series;
  return issuerRefusal(known, issuer, typeOf(request));
}

/** What has to be checked again with the chain locked, before `next`. */
export function withIssuerRecheck(
  { environmentId }: Pick<Scope, 'environmentId'>,
  request: Issued,
  recipient: RecipientInput,
  series: ChosenSeries,
  next: CheckedInvoice['recheck'],
): CheckedInvoice['recheck'] {
  const own = issuerRecheck(environmentId, series, issuerOf(request, recipient), typeOf(request));
  if (own === null || next === null) return own ?? next;
  return async (client) => (await own(client)) ?? next(client);
}

const typeOf = ({ rectifies }: Issued) => (rectifies === undefined ? 'standard' : 'rectifying');
