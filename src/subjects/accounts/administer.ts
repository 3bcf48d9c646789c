import { z } from 'zod';
import type { EnvironmentKind } from '../../../generated/prisma/enums.ts';
import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { line } from '../../ground/lib/text.ts';
import { type Gate, type Given, passGate } from '../approvals/gate.ts';
import type { AsksCensus } from './census.ts';
import {
  type CompanyInput,
  createCompany,
  type NewCompany,
  readCompany,
  setCompanyFlags,
} from './companies.ts';
import { KEY_SCOPES, OPERATOR_ROLES } from './entry/permissions.ts';
import type { CompanyFlags } from './flags.ts';
import { createApiKey, createOperatorKey, type NewKey, revokeKey } from './keys.ts';
import { environmentOf, isClosed } from './store/read-companies.ts';
import { findKey, type ListedKey } from './store/read-keys.ts';

/**
 * Administration of companies and keys by operators. The audit log records who did it and why, in the same
 * transaction.
 */

/**
 * The instant at which a key expires. It must be in the future: a key that has expired at once would be a mistake.
 */
const expiry = z
  .date()
  .refine((instant) => instant > clock.now(), 'must be in the future')
  .nullish();
const keyTerms = z.strictObject({
  name: line(100),
  scopes: z.array(z.enum(KEY_SCOPES)).min(1).max(KEY_SCOPES.length).nullish(),
  role: z.enum(OPERATOR_ROLES).nullish(),
  expiresAt: expiry,
});

type KeyTerms = z.output<typeof keyTerms>;

/**
 * `createCompany` with an audit entry, after the census was asked for its name (`AsksCensus`). Refuses as both do, and an invalid reason
 * with 400 `invalid_request`.
 */
export async function openCompany(
  { db, askCensus }: { readonly db: Pick<Db, 'pool'>; readonly askCensus: AsksCensus },
  by: ActorAndReason,
  { withoutCensus, ...input }: CompanyInput & { readonly withoutCensus?: boolean | null | undefined },
): Promise<Outcome<NewCompany>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  const company = readCompany(input);
  if (isRefusal(company)) return company;
  if (!withoutCensus) {
    // Before anything is locked: the census may take its time.
    const refusal = await askCensus({ nif: company.nif, name: company.legalName }, null);
    if (refusal !== null) return refusal;
  }
  return inTransaction(db.pool, async (client) => {
    const company = await createCompany(client, input);
    if (isRefusal(company)) return company;
    const { succeeds } = input;
    const details = { ...(succeeds !== undefined && { succeeds }), ...(withoutCensus && { withoutCensus }) };
    await note(client, { ...by, reason }, 'create_company', company.companyId, { details });
    return company;
  });
}

/**
 * Sets the flags that a company needs to issue live; takes effect with the next request. Refuses an unknown company
 * with 400 `invalid_request` (`not_found`), and with 409 `approval_required` (`passGate`).
 */
export async function changeFlags(
  { db, config }: Gated,
  by: ActorAndReason,
  companyId: string,
  flags: CompanyFlags,
): Promise<Outcome<{ readonly companyId: string }>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction<Outcome<{ readonly companyId: string }>>(db.pool, async (client) => {
    if ((await environmentOf(client, companyId, 'live')) === null) return noCompany();
    const act = { ...by, reason, action: 'set_company_flags', subject: companyId } as const;
    const given = await passGate(client, config, { ...act, environmentId: null, arguments: flags });
    if (isRefusal(given)) return given;
    await setCompanyFlags(client, companyId, flags);
    await note(client, { ...by, reason }, 'set_company_flags', companyId, {
      details: { ...flags, ...given },
    });
    return { companyId };
  });
}

type Gated = { readonly db: Pick<Db, 'pool'>; readonly config: Gate };

/**
 * Creates a merchant's key for one environment of a company, by default with all scopes and without expiry. The key
 * itself is only in this answer. Refuses with 400 `invalid_request` an invalid name, invalid or unknown scopes, an
 * expiry in the past, an unknown company (`not_found`) and a closed one (`closed`); and with 409 `approval_required` (`passGate`) a live
 * key that may void, with which an operator would do alone what takes two.
 */
export async function grantKey(
  services: Gated,
  by: ActorAndReason,
  request: Wanted & {
    readonly companyId: string;
    readonly environment: EnvironmentKind;
    readonly scopes?: readonly string[] | null | undefined;
  },
): Promise<Outcome<NewKey>> {
  const { companyId, environment, ...terms } = request;
  return granting(services.db, by, terms, async (client, { name, scopes, expiresAt }, reason) => {
    const environmentId = await environmentOf(client, companyId, environment);
    if (environmentId === null) return noCompany();
    if (await isClosed(client, companyId)) {
      return invalidField('companyId', 'closed', 'is closed: no keys are made for it any more');
    }
    const act = { actor: by.actor, reason, action: 'create_key', subject: companyId, environmentId } as const;
    const voids = environment === 'live' && (scopes?.includes('correct') ?? true);
    const asked = { ...act, arguments: { environment, name, scopes, expiresAt } };
    const given = voids ? await passGate(client, services.config, asked) : {};
    if (isRefusal(given)) return given;
    const key = await createApiKey(client, {
      ...{ environmentId, environment, name },
      scopes: scopes ? KEY_SCOPES.filter((scope) => scopes.includes(scope)) : undefined,
      expiresAt: expiresAt ?? undefined,
    });
    return { key, environmentId, given };
  });
}

/**
 * Creates an operator's key, which reaches every company, by default with the role `admin`. The key itself is only
 * in this answer. Refuses with 400 `invalid_request` an invalid name, an unknown role and an expiry in the past, and with 409
 * `approval_required` (`passGate`): with two keys one operator would be two.
 */
export async function grantOperatorKey(
  services: Gated,
  by: ActorAndReason,
  request: Wanted & { readonly role?: string | null | undefined },
): Promise<Outcome<NewKey>> {
  return granting(services.db, by, request, async (client, { name, role, expiresAt }, reason) => {
    const act = { actor: by.actor, reason, action: 'create_key', subject: 'operators' } as const;
    const asked = { ...act, environmentId: null, arguments: { name, role, expiresAt } };
    const given = await passGate(client, services.config, asked);
    if (isRefusal(given)) return given;
    const terms = { role: role ?? undefined, expiresAt: expiresAt ?? undefined };
    return { key: await createOperatorKey(client, name, terms), environmentId: null, given };
  });
}

type Granted = { readonly key: NewKey; readonly environmentId: number | null; readonly given: Given };

type Wanted = { readonly name: string; readonly expiresAt?: Date | null | undefined };

async function granting(
  db: Pick<Db, 'pool'>,
  by: ActorAndReason,
  request: Wanted,
  make: (client: Queryable, terms: KeyTerms, reason: string) => Promise<Outcome<Granted>>,
): Promise<Outcome<NewKey>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  const terms = parseRequest(keyTerms, request);
  if (isRefusal(terms)) return terms;
  return inTransaction(db.pool, async (client) => {
    const granted = await make(client, terms, reason);
    if (isRefusal(granted)) return granted;
    const { key, environmentId, given } = granted;
    const { scopes, role, expiresAt } = terms;
    const more = { environmentId, details: { prefix: key.prefix, scopes, role, expiresAt, ...given } };
    await note(client, { ...by, reason }, 'create_key', key.id, more);
    return key;
  });
}

/**
 * Revokes a key of either kind permanently, from now on; a key that was revoked before keeps its time. 400
 * `invalid_request` (`not_found`) for an unknown key.
 */
export async function withdrawKey(
  db: Pick<Db, 'pool'>,
  by: ActorAndReason,
  id: string,
): Promise<Outcome<ListedKey>> {
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
  by: ActorAndReason,
  action: string,
  subject: string,
  more: { readonly environmentId?: number | null; readonly details?: object } = {},
): Promise<void> {
  return addAuditEntry(client, { ...by, action, subject, environmentId: null, ...more });
}
