import { agencyDate, type Day } from '../../ground/lib/calendar.ts';
import { type Cents, decimalAmount } from '../../ground/lib/money.ts';

/** Where the two kinds of environments send the reader of a QR code: pages that take the four parameters. */
export type QrBases = { readonly live: string; readonly test: string };

/** The page's path, the same at the agency's production, at its pre-production and at the simulator. */
const PATH = '/wlpl/TIKE-CONT/ValidarQR';

/** Hosts for systems that issue verifiable invoices (QR specification v0.5.0 of 10/12/2025, section 5.1). */
const HOSTS = {
  production: 'https://www2.agenciatributaria.gob.es',
  preproduction: 'https://prewww2.aeat.es',
};

/**
 * The check pages of a process: live invoices are looked up where live records are registered, test invoices always
 * at the simulator, because the agency never hears of them.
 */
export function qrBases(
  endpoint: 'simulator' | 'preproduction' | 'production',
  simulatorUrl: string,
): QrBases {
  const simulator = `${simulatorUrl.replace(/\/+$/, '')}${PATH}`;
  return { live: endpoint === 'simulator' ? simulator : `${HOSTS[endpoint]}${PATH}`, test: simulator };
}

/**
 * The address that an invoice's QR code holds: four parameters in the official order and nothing else (QR
 * specification v0.5.0, sections 4 to 6). The amount is part of the agency's look-up, so it is the literal of the
 * record's ImporteTotal. Spaces become `%20`: the service would read a raw `+` as a space.
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
