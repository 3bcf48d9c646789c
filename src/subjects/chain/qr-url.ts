import { agencyDate, type Day } from '../../ground/lib/calendar.ts';
import { type Cents, decimalAmount } from '../../ground/lib/money.ts';

/** The check pages of both kinds of environments; they take the four parameters. */
export type QrBases = { readonly live: string; readonly test: string };

/** The page's path, the same at the agency's production, at its pre-production and at the simulator. */
const PATH = '/wlpl/TIKE-CONT/ValidarQR';

/** Hosts for systems that issue verifiable invoices (QR specification v0.5.0 of 10/12/2025, section 5.1). */
const HOSTS = {
  production: 'https://www2.agenciatributaria.gob.es',
  preproduction: 'https://prewww2.aeat.es',
};

/**
 * The check pages of a process: live invoices are looked up at the agency that their records are sent to, test
 * invoices always at the simulator, because they are never sent to the agency.
 */
export function qrBases(
  endpoint: 'simulator' | 'preproduction' | 'production',
  simulatorUrl: string,
): QrBases {
  const simulator = `${simulatorUrl.replace(/\/+$/, '')}${PATH}`;
  return { live: endpoint === 'simulator' ? simulator : `${HOSTS[endpoint]}${PATH}`, test: simulator };
}

/**
 * The URL in an invoice's QR code: four parameters in the official order and nothing else (QR specification v0.5.0,
 * sections 4 to 6). The agency compares the amount, so it is the literal of the record's ImporteTotal. Spaces
 * become `%20`: the service would read a raw `+` as a space.
 */
export function qrUrl(invoice: {
  readonly base: string;
  readonly nif: string;
  readonly number: string;
  readonly issuedOn: Day;
  readonly total: Cents;
}): string {
  const { base, nif, number, issuedOn, total } = invoice;
  return `${base}?nif=${encodeURIComponent(nif)}&numserie=${encodeURIComponent(number)}&fecha=${agencyDate(
    issuedOn,
  )}&importe=${decimalAmount(total)}`;
}
