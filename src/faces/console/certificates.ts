import { type Html, html } from '../web/html.ts';
import { badge } from './components.ts';
import { number } from './format.ts';
import { said } from './words.ts';

/** A client certificate as GraphQL gives it. */
export type Certificate = {
  readonly id: string;
  readonly companyId: string | null;
  readonly kind: 'person' | 'seal';
  readonly holderNif: string;
  readonly holderName: string;
  readonly validFrom: string;
  readonly validTo: string;
  readonly daysLeft: number;
  readonly fingerprint: string;
  readonly active: boolean;
  readonly uploadedAt: string;
};

export const CERTIFICATE_FIELDS =
  'id companyId kind holderNif holderName validFrom validTo daysLeft fingerprint active uploadedAt';

/** A renewal takes some weeks, so the warning begins that early. */
const SOON_DAYS = 30;

export function daysLeft({ daysLeft: days }: Pick<Certificate, 'daysLeft'>): Html {
  if (days < 0) return badge('rejected', 'Expired');
  return days <= SOON_DAYS
    ? badge('pending', said('{count} days', { count: number(days) }))
    : html`${number(days)}`;
}
