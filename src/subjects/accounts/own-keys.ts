import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { addAuditEntry } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { apiKeyRequest, isApiKeyId } from './api-key-request.ts';
import type { Caller } from './entry/caller.ts';
import { KEY_SCOPES } from './entry/permissions.ts';
import { createApiKey, type NewKey, revokeKey } from './keys.ts';
import { ACCOUNT_LIMITS } from './limits.ts';
import { endMadeBy } from './store/keys.ts';
import { isClosed } from './store/read-companies.ts';
import { countKeysInForce, findKey, type ListedKey } from './store/read-keys.ts';

/** What a merchant's key with the scope `manage` does with the keys of its environment. */

/**
 * Makes a key of the caller's environment. It may do no more than the caller's (403 `forbidden`) and expires no later (400
 * `invalid_request`). The key itself is only in this answer.
 */
export async function makeOwnKey(
  db: Pick<Db, 'pool'>,
  caller: Caller,
  sent: unknown,
): Promise<Outcome<NewKey>> {
  const request = parseRequest(apiKeyRequest, sent);
  if (isRefusal(request)) return request;
  const lacking = request.scopes.filter((scope) => !caller.scopes.has(scope));
  if (lacking.length > 0) {
    const names = lacking.map((scope) => `\`${scope}\``).join(', ');
    const detail = `A key may do no more than the one that makes it, which has no ${names}.`;
    return new Refusal('forbidden', detail).about('scopes');
  }
  const expiresAt = expiryOf(caller, request.expiresAt ?? null);
  if (isRefusal(expiresAt)) return expiresAt;
  const { companyId, environmentId, environment, keyId } = caller;
  const most = ACCOUNT_LIMITS.ownKeys.value;
  if ((await countKeysInForce(db.pool, environmentId)) >= most)
    return new Refusal('forbidden', `An environment has at most ${most} keys in force: revoke one first.`);
  const scopes = KEY_SCOPES.filter((scope) => request.scopes.includes(scope));
  return inTransaction<Outcome<NewKey>>(db.pool, async (client) => {
    // The caller's own key is revoked when the company is closed, but may be under way.
    if (await isClosed(client, companyId)) return new Refusal('unauthorized', 'The company was closed.');
    const key = await createApiKey(client, {
      ...{ environmentId, environment, name: request.name, scopes, madeBy: keyId },
      expiresAt: expiresAt ?? undefined,
    });
    const details = { prefix: key.prefix, scopes, expiresAt };
    const entry = { actor: keyId, action: 'create_key', subject: key.id, environmentId, reason: null };
    await addAuditEntry(client, { ...entry, details });
    return key;
  });
}

function expiryOf({ keyExpiresAt: latest }: Caller, wanted: string | null): Outcome<Date | null> {
  if (wanted === null) return latest;
  const expiresAt = new Date(wanted);
  if (expiresAt <= clock.now()) return invalidField('expiresAt', 'too_small', 'must be in the future');
  if (latest === null || expiresAt <= latest) return expiresAt;
  const detail = `must not be after ${latest.toISOString()}, when the key expires that makes it`;
  return invalidField('expiresAt', 'too_big', detail);
}

/**
 * Revokes a key of the caller's environment at once and permanently, and returns it; `withMade`: also those that it has made, and these.
 * `not_found` when the environment has no such key.
 */
export async function revokeOwnKey(
  db: Pick<Db, 'pool'>,
  { environmentId, keyId: actor }: Caller,
  { id, withMade }: { readonly id: string; readonly withMade: boolean },
): Promise<Outcome<ListedKey>> {
  const before = isApiKeyId(id) ? await findKey(db.pool, id) : null;
  if (before === null || before.environmentId !== environmentId) return unknownKey();
  await inTransaction(db.pool, async (client) => {
    const made = withMade ? await endMadeBy(client, environmentId, id) : [];
    if (before.revokedAt !== null && made.length === 0) return;
    await revokeKey(client, id);
    const entry = { actor, action: 'revoke_key', subject: id, environmentId, reason: null };
    const { prefix } = before;
    await addAuditEntry(client, { ...entry, details: { prefix, ...(withMade ? { made } : {}) } });
  });
  return (await findKey(db.pool, id)) ?? unknownKey();
}

const unknownKey = () => new Refusal('not_found', 'No API key of this id exists in the environment.');
