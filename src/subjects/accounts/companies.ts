import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { EnvironmentKind } from '../../../generated/prisma/enums.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { TIME_ZONES, type TimeZone } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { id, optional, removableText } from '../../ground/lib/request-fields.ts';
import { printedLine } from '../../ground/lib/text.ts';
import { collision, storeSeries } from '../number-series/manage-series.ts';
import type { SeriesRequest } from '../number-series/request.ts';
import { seriesPrefix } from '../number-series/series.ts';
import { isSpanishNif } from '../tax-ids/spanish-nif.ts';
import { normaliseTaxId } from '../tax-ids/tax-id.ts';
import { seedTaxCatalog } from '../taxes/edit-catalog.ts';
import type { CompanyFlags } from './flags.ts';
import {
  endIssuing,
  insertAccount,
  insertCompany,
  insertEnvironment,
  lockNif,
  updateFlags,
} from './store/companies.ts';

/**
 * The prefixes of the default series, both yearly (docs/contract.md#number-series), unless others are named. A
 * successor has none: its predecessor has issued with these.
 */
const DEFAULT_SERIES = { standard: 'F', rectifying: 'R' } as const;

/** NombreRazonEmisor holds 120 characters (XSD TextMax120Type); the address is only printed. */
export const companyAddress = z
  .strictObject({
    line1: printedLine(200).describe('Street and number.'),
    line2: removableText(printedLine(200, 0)).describe('Further lines between street and city.'),
    postalCode: printedLine(16).describe('The postal code.'),
    city: printedLine(100).describe('The city.'),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .default('ES')
      .describe('The country, ISO 3166-1 alpha-2; default `ES`.'),
  })
  .meta({ id: 'CompanyAddressInput', description: 'The printed address of an issuer.' });

/** Where a company's days and years begin; no enumeration, because names of GraphQL have no slash. */
export const timeZone = z.string().transform((name, check): TimeZone => {
  const known = TIME_ZONES.find((zone) => zone === name);
  if (known !== undefined) return known;
  check.addIssue({ code: 'invalid_value', values: [...TIME_ZONES], input: name });
  return z.NEVER;
});

/** Its name, as the agency has it. */
export const legalName = printedLine(120).describe('The name as registered with the agency.');

/** The parts of a natural person's name, as those of a recipient: neither declared nor asked of the census. */
export const givenName = optional(printedLine(100)).describe(
  'The given name of a natural person, for documents that divide the name; with `surnames`.',
);
export const surnames = optional(printedLine(100)).describe(
  'The surnames of a natural person, first one first.',
);

const series = z
  .strictObject({
    standard: seriesPrefix.describe('The prefix of its ordinary invoices.'),
    rectifying: seriesPrefix.describe('The prefix of its rectificativas.'),
  })
  .meta({
    id: 'CompanySeriesInput',
    description: 'The prefixes of the default series of both environments; both restart each year.',
  });

export const companyRequest = z.strictObject({
  accountId: id.optional().describe('The existing account that pays; a new account if omitted.'),
  nif: z.string().transform(normaliseTaxId).describe('The Spanish tax id.'),
  succeeds: id
    .optional()
    .describe(
      'The company with the same NIF that it replaces, which issues nothing from then on. Without it, a NIF that is in use is refused with `nif_already_used`.',
    ),
  series: series
    .optional()
    .describe(
      'Its default series; `F` and `R` if omitted. A company that replaces another has none if omitted, and cannot issue until it has its own.',
    ),
  legalName,
  givenName,
  surnames,
  address: companyAddress.describe('The printed address.'),
  timeZone: timeZone
    .optional()
    .describe(
      '`Europe/Madrid` or `Atlantic/Canary`; default: `Atlantic/Canary` with a Spanish postal code of 35 or 38, otherwise `Europe/Madrid`. Its days, years and the times in its records are those of the territory from which it issues (Orden HAC/1177/2024 art. 7.e, 7.g).',
    ),
});

export type CompanyInput = z.input<typeof companyRequest>;

export type NewEnvironment = {
  readonly environmentId: number;
  readonly chainId: number;
  /** The default series; null for a successor that names none. */
  readonly standardSeriesId: string | null;
  readonly rectifyingSeriesId: string | null;
};

export type NewCompany = { readonly companyId: string; readonly accountId: string } & Readonly<
  Record<EnvironmentKind, NewEnvironment>
>;

/** A new company by the rules that need no database. */
export function readCompany(input: CompanyInput): Outcome<z.output<typeof companyRequest>> {
  const company = parseRequest(companyRequest, input);
  if (isRefusal(company) || isSpanishNif(company.nif)) return company;
  return invalidField('nif', 'invalid_value', 'is not a valid Spanish NIF');
}

/**
 * Creates a company with everything that it needs to issue: both environments, each with its default series and its
 * open chain, the tax catalog, and an account that pays for it unless an existing one is named. No flag is set.
 * Must be called in a transaction. Refuses before it writes anything: with 400 `invalid_request` and the field, a
 * malformed value, a NIF whose control character is wrong, an unknown account, and a company to succeed that does
 * not exist or has another NIF; with 409 `nif_already_used`, a NIF of another company, unless that company is
 * succeeded, which is possible once: from then on it issues nothing; with 409 `number_series_prefix_taken` and
 * `number_series_numbering_collision`, prefixes that collide with those of companies of the NIF. A successor that names
 * no series has none to begin with.
 */
export async function createCompany(client: Queryable, input: CompanyInput): Promise<Outcome<NewCompany>> {
  const company = readCompany(input);
  if (isRefusal(company)) return company;
  const refusal = await nifRefusal(client, company);
  if (refusal !== null) return refusal;
  const series = defaultSeries(company);
  for (const kind of ['test', 'live'] as const) {
    const colliding = await collision(client, { nif: company.nif, kind }, series);
    if (colliding !== null) return colliding;
  }
  const accountId = company.accountId ?? (await createAccount(client, company.legalName));
  const companyId = newId('co');
  const { line1, line2 = null, postalCode, city, country } = company.address;
  const written = await insertCompany(client, {
    ...{ id: companyId, accountId, nif: company.nif, legalName: company.legalName },
    ...{ givenName: company.givenName ?? null, surnames: company.surnames ?? null },
    ...{ line1, line2, postalCode, city, country, succeedsId: company.succeeds ?? null },
  });
  if (!written) return invalidField('accountId', 'not_found', 'there is no such account');
  await seedTaxCatalog(client, companyId);
  if (company.succeeds !== undefined) await endIssuing(client, company.succeeds, clock.now());
  const timeZone = company.timeZone ?? timeZoneOf(company.address);
  const test = await createEnvironment(client, companyId, { kind: 'test', timeZone }, series);
  const live = await createEnvironment(client, companyId, { kind: 'live', timeZone }, series);
  return { companyId, accountId, test, live };
}

/** Las Palmas and Santa Cruz de Tenerife, by the first two digits of their postal codes. */
const CANARY_PROVINCES = /^(35|38)/;

function timeZoneOf({
  postalCode,
  country,
}: {
  readonly postalCode: string;
  readonly country: string;
}): TimeZone {
  return country === 'ES' && CANARY_PROVINCES.test(postalCode) ? 'Atlantic/Canary' : 'Europe/Madrid';
}

/**
 * Two companies with one NIF would number and chain the same issuer's invoices independently, and the agency would
 * reject the second invoice with each number. The lock keeps others from creating a company with that NIF until the
 * transaction ends.
 */
async function nifRefusal(
  client: Queryable,
  { nif, succeeds }: { readonly nif: string; readonly succeeds?: string | undefined },
): Promise<Refusal | null> {
  const rows = await lockNif(client, nif, succeeds ?? null);
  if (succeeds === undefined) {
    const holder = rows[0];
    return holder === undefined ? null : nifUsed(`NIF ${nif} is that of the company ${holder.id}.`);
  }
  const before = rows.find(({ id }) => id === succeeds);
  if (before === undefined) return invalidField('succeeds', 'not_found', 'there is no such company');
  if (before.nif !== nif) return invalidField('succeeds', 'invalid_value', 'is a company of another NIF');
  return before.succeeded ? nifUsed(`The company ${before.id} has been succeeded already.`) : null;
}

function nifUsed(detail: string): Refusal {
  return new Refusal(
    'nif_already_used',
    `${detail} A new company of this NIF must say which one it succeeds.`,
  );
}

async function createAccount(client: Queryable, name: string): Promise<string> {
  const id = newId('acc');
  await insertAccount(client, id, name);
  return id;
}

/**
 * The installation number is random and never reused: together with both NIF and the software's id it identifies a
 * chain at the agency (Orden HAC/1177/2024 art. 15.1, SistemaInformatico), and test and live must differ.
 */
async function createEnvironment(
  client: Queryable,
  companyId: string,
  place: { readonly kind: EnvironmentKind; readonly timeZone: TimeZone },
  series: readonly SeriesRequest[],
): Promise<NewEnvironment> {
  const opened = await insertEnvironment(client, companyId, { ...place, installationNumber: randomUUID() });
  const created = series.length === 0 ? [] : await storeSeries(client, opened.environmentId, series);
  const idOf = (wanted: SeriesRequest['type']) => created.find(({ type }) => type === wanted)?.id ?? null;
  return { ...opened, standardSeriesId: idOf('standard'), rectifyingSeriesId: idOf('rectifying') };
}

function defaultSeries({ series, succeeds }: z.output<typeof companyRequest>): SeriesRequest[] {
  const prefixes = series ?? (succeeds === undefined ? DEFAULT_SERIES : null);
  if (prefixes === null) return [];
  const { standard, rectifying } = prefixes;
  return [
    { prefix: standard, type: 'standard', yearly: true },
    { prefix: rectifying, type: 'rectifying', yearly: true },
  ];
}

/** The flags that a company needs to issue live; a flag that is left out stays unchanged. */
/** Sets flags; they take effect with the next request. False when the company does not exist. */
export function setCompanyFlags(client: Queryable, companyId: string, flags: CompanyFlags): Promise<boolean> {
  return updateFlags(client, companyId, flags);
}
