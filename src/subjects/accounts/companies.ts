import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { EnvironmentKind } from '../../../generated/prisma/enums.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { append } from '../../ground/journal/append.ts';
import { untoldSeries } from '../../ground/journal/store.ts';
import { newId } from '../../ground/lib/ids.ts';
import { line } from '../../ground/lib/text.ts';
import { isSpanishNif } from '../tax-ids/spanish-nif.ts';
import { seedTaxCatalog } from '../taxes/edit-catalog.ts';

/** docs/contract.md#number-series: every environment is born with these two, both yearly. */
const DEFAULT_SERIES = { standard: 'F', rectifying: 'R' } as const;

/** NombreRazonEmisor holds 120 characters (XSD TextMax120Type); the address is only printed. */
const companyInput = z.strictObject({
  accountId: z.string().optional(),
  nif: z.string().transform((text) => text.replace(/[\s.-]/g, '').toUpperCase()),
  /** The id of the company of the same NIF whose place it takes. */
  succeeds: z.string().optional(),
  legalName: line(120),
  address: z.strictObject({
    line1: line(200),
    line2: line(200).nullish(),
    postalCode: line(16),
    city: line(100),
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
  const { address } = company;
  const { rowCount } = await client.query(
    `insert into company (id, account_id, nif, legal_name, address_line1, address_line2, address_postal_code,
       address_city, address_country, succeeds_id)
     select $1, id, $3, $4, $5, $6, $7, $8, $9, $10 from account where id = $2`,
    [
      companyId,
      accountId,
      company.nif,
      company.legalName,
      address.line1,
      address.line2 ?? null,
      address.postalCode,
      address.city,
      address.country,
      company.succeeds ?? null,
    ],
  );
  if (rowCount !== 1) return invalidField('accountId', 'not_found', 'there is no such account');
  await seedTaxCatalog(client, companyId);
  const test = await createEnvironment(client, companyId, 'test');
  const live = await createEnvironment(client, companyId, 'live');
  return { companyId, accountId, test, live };
}

type OfNif = { readonly id: string; readonly nif: string; readonly succeeded: boolean };

/**
 * Two companies of one NIF would number and chain invoices of one issuer without knowing of each other, and the agency
 * would refuse the second of each number. Nobody else creates a company of that NIF until the transaction ends.
 */
async function nifRefusal(
  client: Queryable,
  { nif, succeeds }: { readonly nif: string; readonly succeeds?: string | undefined },
): Promise<Refusal | null> {
  await client.query("select pg_advisory_xact_lock(hashtextextended('company of ' || $1, 0))", [nif]);
  const { rows } = await client.query<OfNif>(
    `select id, nif, exists (select from company after where after.succeeds_id = company.id) as succeeded
       from company where nif = $1 or id = $2 order by created_at desc, id desc`,
    [nif, succeeds ?? null],
  );
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
  await client.query('insert into account (id, name, subscription_active) values ($1, $2, false)', [
    id,
    name,
  ]);
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
  const standardSeriesId = newId('ns');
  const rectifyingSeriesId = newId('ns');
  const { rows } = await client.query<{ environment_id: number; id: number }>(
    `with born as (
       insert into environment (company_id, kind) values ($1, $2) returning id
     ), series as (
       insert into number_series (id, environment_id, prefix, type, yearly, is_default)
       select s.id, born.id, s.prefix, s.type::series_type, true, true
       from born, (values ($3, $5, 'standard'), ($4, $6, 'rectifying')) as s (id, prefix, type)
     ), opened as (
       insert into chain (environment_id, installation_number) select id, $7 from born returning environment_id, id
     ), dispatch as (
       insert into chain_dispatch (environment_id, chain_id) select environment_id, id from opened
     )
     select environment_id, id from opened`,
    [
      companyId,
      kind,
      standardSeriesId,
      rectifyingSeriesId,
      DEFAULT_SERIES.standard,
      DEFAULT_SERIES.rectifying,
      randomUUID(),
    ],
  );
  const [opened] = rows;
  if (opened === undefined) throw new Error(`environment ${kind} of ${companyId} was not created`);
  await append(client, await untoldSeries(client, opened.environment_id));
  return { environmentId: opened.environment_id, chainId: opened.id, standardSeriesId, rectifyingSeriesId };
}

/** What must be up before a company may issue live; a flag that is left out stays as it is. */
export type CompanyFlags = {
  readonly mandateApproved?: boolean | undefined;
  readonly onboardingFinished?: boolean | undefined;
  /** Of the account, and so of all its companies. */
  readonly subscriptionActive?: boolean | undefined;
};

/** Raises or lowers flags; counts from the next request on. False when there is no such company. */
export async function setCompanyFlags(
  client: Queryable,
  companyId: string,
  flags: CompanyFlags,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `with set_company as (
       update company set
         mandate_approved_at = case when $2 then coalesce(mandate_approved_at, now())
           when not $2 then null else mandate_approved_at end,
         onboarding_finished_at = case when $3 then coalesce(onboarding_finished_at, now())
           when not $3 then null else onboarding_finished_at end
       where id = $1 returning account_id
     ), set_account as (
       update account set subscription_active = $4
       where id in (select account_id from set_company) and $4::boolean is not null
     )
     select from set_company`,
    [
      companyId,
      flags.mandateApproved ?? null,
      flags.onboardingFinished ?? null,
      flags.subscriptionActive ?? null,
    ],
  );
  return rowCount === 1;
}

/** The environment of that kind of a company, or null when there is no such company. */
export async function environmentOf(
  client: Queryable,
  companyId: string,
  kind: EnvironmentKind,
): Promise<number | null> {
  const { rows } = await client.query<{ id: number }>(
    'select id from environment where company_id = $1 and kind = $2',
    [companyId, kind],
  );
  return rows[0]?.id ?? null;
}

export type ListedCompany = {
  readonly id: string;
  readonly nif: string;
  readonly legalName: string;
  readonly accountId: string;
  readonly mandate: boolean;
  readonly onboarding: boolean;
  readonly subscription: boolean;
  readonly createdAt: Date;
  /** The company of the same NIF whose place it took. */
  readonly succeedsId: string | null;
};

const LISTED = `select c.id, c.nif, c.legal_name as "legalName", c.account_id as "accountId",
    c.mandate_approved_at is not null as mandate, c.onboarding_finished_at is not null as onboarding,
    a.subscription_active as subscription, c.created_at as "createdAt", c.succeeds_id as "succeedsId"
  from company c join account a on a.id = c.account_id`;

/** One company with its flags, or null. */
export async function findCompany(client: Queryable, id: string): Promise<ListedCompany | null> {
  const { rows } = await client.query<ListedCompany>(`${LISTED} where c.id = $1`, [id]);
  return rows[0] ?? null;
}

/**
 * A page of the companies with their flags, the oldest first; `text` is looked for, in any case, in names and NIF.
 * `after` is the id of the last company of the page before: unknown, it is `invalid_request`.
 */
export async function listCompanies(
  client: Queryable,
  page: { readonly first: number; readonly after: string | null; readonly text: string | null },
): Promise<Outcome<{ readonly companies: readonly ListedCompany[]; readonly hasMore: boolean }>> {
  if (page.after !== null && (await findCompany(client, page.after)) === null) {
    return invalidField('after', 'invalid_value', 'names no company');
  }
  const { rows } = await client.query<ListedCompany>(
    `${LISTED}
      where ($1::text is null or (c.created_at, c.id) > (select created_at, id from company where id = $1))
        and ($2::text is null or strpos(upper(c.legal_name), upper($2)) > 0 or strpos(c.nif, upper($2)) > 0)
      order by c.created_at, c.id limit $3`,
    [page.after, page.text, page.first + 1],
  );
  return { companies: rows.slice(0, page.first), hasMore: rows.length > page.first };
}
