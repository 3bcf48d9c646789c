import { z } from 'zod';
import type { EnvironmentKind } from '../../../generated/prisma/enums.ts';
import { noteAct, readReason, type WhoAndWhy } from '../../ground/db/audit-log.ts';
import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { line } from '../../ground/lib/text.ts';
import {
  type CompanyFlags,
  type CompanyInput,
  createCompany,
  environmentOf,
  findCompany,
  type ListedCompany,
  type NewCompany,
  setCompanyFlags,
} from './companies.ts';
import { createApiKey, createOperatorKey, findKey, type ListedKey, type NewKey, revokeKey } from './keys.ts';

/** What operators do to companies and keys. Each act is noted with who did it and why, in the transaction that does it. */

const keyName = z.strictObject({ name: line(100) });

/** `createCompany`, noted. Refuses as it does, and a reason that is none with 400 `invalid_request`. */
export async function openCompany(db: Db, by: WhoAndWhy, input: CompanyInput): Promise<Outcome<NewCompany>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction(db.pool, async (client) => {
    const company = await createCompany(client, input);
    if (isRefusal(company)) return company;
    const details = input.succeeds === undefined ? {} : { details: { succeeds: input.succeeds } };
    await note(client, { ...by, reason }, 'create_company', company.companyId, details);
    return company;
  });
}

/**
 * Raises or lowers what must be up before a company may issue live; counts from the next request on. Refuses with 400
 * `invalid_request` (`not_found`) a company that there is not.
 */
export async function changeFlags(
  db: Db,
  by: WhoAndWhy,
  companyId: string,
  flags: CompanyFlags,
): Promise<Outcome<ListedCompany>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction(db.pool, async (client) => {
    const found = await setCompanyFlags(client, companyId, flags);
    if (!found) return noCompany();
    await note(client, { ...by, reason }, 'set_company_flags', companyId, { details: flags });
    return (await findCompany(client, companyId))!;
  });
}

/**
 * Makes a merchant's key for one environment of a company. The answer holds the key whole, here and never again.
 * Refuses with 400 `invalid_request` a name that is none and a company that there is not (`not_found`).
 */
export async function grantKey(
  db: Db,
  by: WhoAndWhy,
  wanted: { readonly companyId: string; readonly environment: EnvironmentKind; readonly name: string },
): Promise<Outcome<NewKey>> {
  const { companyId, environment } = wanted;
  return granting(db, by, wanted, async (client, name) => {
    const environmentId = await environmentOf(client, companyId, environment);
    if (environmentId === null) return noCompany();
    const key = await createApiKey(client, { environmentId, environment, name });
    return { key, environmentId };
  });
}

/** Makes an operator's key, which reaches every company. It is shown here and never again. */
export async function grantOperatorKey(
  db: Db,
  by: WhoAndWhy,
  wanted: { readonly name: string },
): Promise<Outcome<NewKey>> {
  return granting(db, by, wanted, async (client, name) => {
    return { key: await createOperatorKey(client, name), environmentId: null };
  });
}

type Granted = { readonly key: NewKey; readonly environmentId: number | null };

async function granting(
  db: Db,
  by: WhoAndWhy,
  { name: sent }: { readonly name: string },
  make: (client: Queryable, name: string) => Promise<Outcome<Granted>>,
): Promise<Outcome<NewKey>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  const named = parseRequest(keyName, { name: sent });
  if (isRefusal(named)) return named;
  return inTransaction(db.pool, async (client) => {
    const granted = await make(client, named.name);
    if (isRefusal(granted)) return granted;
    const { key, environmentId } = granted;
    const more = { environmentId, details: { prefix: key.prefix } };
    await note(client, { ...by, reason }, 'create_key', key.id, more);
    return key;
  });
}

/** Ends a key of either kind at once and for good; one that had ended stays as it was. 400 `invalid_request` (`not_found`). */
export async function withdrawKey(db: Db, by: WhoAndWhy, id: string): Promise<Outcome<ListedKey>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction(db.pool, async (client) => {
    const before = await findKey(client, id);
    if (before === null) return invalidField('id', 'not_found', 'there is no such key');
    if (before.revokedAt !== null) return before;
    await revokeKey(client, id);
    const { environmentId, prefix } = before;
    await note(client, { ...by, reason }, 'revoke_key', id, { environmentId, details: { prefix } });
    return (await findKey(client, id))!;
  });
}

function noCompany() {
  return invalidField('companyId', 'not_found', 'there is no such company');
}

function note(
  client: Queryable,
  by: WhoAndWhy,
  action: string,
  subject: string,
  more: { readonly environmentId?: number | null; readonly details?: object } = {},
): Promise<void> {
  return noteAct(client, { ...by, action, subject, environmentId: null, ...more });
}
