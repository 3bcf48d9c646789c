import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { EnvironmentKind } from '../../../generated/prisma/enums.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { append } from '../../ground/journal/append.ts';
import { unjournaledSeries } from '../../ground/journal/store/sealed.ts';
import { newId } from '../../ground/lib/ids.ts';
import { printedLine } from '../../ground/lib/text.ts';
import { isSpanishNif } from '../tax-ids/spanish-nif.ts';
import { seedTaxCatalog } from '../taxes/edit-catalog.ts';
import type { CompanyFlags } from './flags.ts';
import { insertAccount, insertCompany, insertEnvironment, lockNif, updateFlags } from './store/companies.ts';

/** docs/contract.md#number-series: every environment is born with these two, both yearly. */
const DEFAULT_SERIES = { standard: 'F', rectifying: 'R' } as const;

/** NombreRazonEmisor holds 120 characters (XSD TextMax120Type); the address is only printed. */
const companyInput = z.strictObject({
  accountId: z.string().optional(),
  nif: z.string().transform((text) => text.replace(/[\s.-]/g, '').toUpperCase()),
  /** The id of the company of the same NIF whose place it takes. */
  succeeds: z.string().optional(),
  legalName: printedLine(120),
  address: z.strictObject({
    line1: printedLine(200),
    line2: printedLine(200).nullish(),
    postalCode: printedLine(16),
    city: printedLine(100),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .default('ES'),
  }),
});

export type CompanyInput = z.input<typeof companyInput>;

export type NewEnvironment = {
  readonly environmentId: number;
  readonly chainId: number;
  readonly standardSeriesId: string;
  readonly rectifyingSeriesId: string;
};

export type NewCompany = { readonly companyId: string; readonly accountId: string } & Readonly<
  Record<EnvironmentKind, NewEnvironment>
>;

/**
 * Creates a company with all that it needs to issue: both environments, each with its default series and its open
 * chain, and the tax catalog; and an account that pays for it, unless an existing one is named. Its flags are all
 * down. Call it inside a transaction. Refuses, before it has written anything, with 400 `invalid_request` naming the
 * field: a malformed one, a NIF whose control character is wrong, an account that there is not, a company to succeed that
 * there is not or that has another NIF; and with 409 `nif_already_used` a NIF that another company has, unless it is
 * succeeded, which happens once.
 */
export async function createCompany(client: Queryable, input: CompanyInput): Promise<Outcome<NewCompany>> {
  const company = parseRequest(companyInput, input);
  if (isRefusal(company)) return company;
  if (!isSpanishNif(company.nif)) return invalidField('nif', 'invalid_value', 'is not a valid Spanish NIF');
  const refusal = await nifRefusal(client, company);
  if (refusal !== null) return refusal;
  const accountId = company.accountId ?? (await createAccount(client, company.legalName));
  const companyId = newId('co');
  const { line1, line2 = null, postalCode, city, country } = company.address;
  const written = await insertCompany(client, {
    ...{ id: companyId, accountId, nif: company.nif, legalName: company.legalName },
    ...{ line1, line2, postalCode, city, country, succeedsId: company.succeeds ?? null },
  });
  if (!written) return invalidField('accountId', 'not_found', 'there is no such account');
  await seedTaxCatalog(client, companyId);
  const test = await createEnvironment(client, companyId, 'test');
  const live = await createEnvironment(client, companyId, 'live');
  return { companyId, accountId, test, live };
}

/**
 * Two companies of one NIF would number and chain invoices of one issuer without knowing of each other, and the agency
 * would refuse the second of each number. Nobody else creates a company of that NIF until the transaction ends.
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

function nifUsed(why: string): Refusal {
  return new Refusal('nif_already_used', `${why} A new company of this NIF must say which one it succeeds.`);
}

async function createAccount(client: Queryable, name: string): Promise<string> {
  const id = newId('acc');
  await insertAccount(client, id, name);
  return id;
}

/**
 * The installation number is random and never used again: with the two NIF and the software's id it is what the
 * agency knows a chain by (Orden HAC/1177/2024 art. 15.1, SistemaInformatico), and test and live must differ.
 */
async function createEnvironment(
  client: Queryable,
  companyId: string,
  kind: EnvironmentKind,
): Promise<NewEnvironment> {
  const standard = { id: newId('ns'), prefix: DEFAULT_SERIES.standard };
  const rectifying = { id: newId('ns'), prefix: DEFAULT_SERIES.rectifying };
  const opened = await insertEnvironment(client, companyId, {
    ...{ kind, installationNumber: randomUUID(), standard, rectifying },
  });
  await append(client, await unjournaledSeries(client, opened.environmentId));
  return { ...opened, standardSeriesId: standard.id, rectifyingSeriesId: rectifying.id };
}

/** What must be up before a company may issue live; a flag that is left out stays as it is. */
/** Raises or lowers flags; counts from the next request on. False when there is no such company. */
export function setCompanyFlags(client: Queryable, companyId: string, flags: CompanyFlags): Promise<boolean> {
  return updateFlags(client, companyId, flags);
}
