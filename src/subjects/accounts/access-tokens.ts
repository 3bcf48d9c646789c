import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { parseRequest } from '../../ground/errors/issues.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { addAuditEntry } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { LinkSecrets } from '../../ground/lib/keyring.ts';
import { accessTokenRequest } from './access-token-request.ts';
import type { Caller } from './entry/caller.ts';
import { KEY_SCOPES, type KeyScope } from './entry/permissions.ts';

/**
 * What browsers use instead of a key. A token is signed and not stored. It names its key, which is looked up for
 * each request, so a token stops working as soon as its key is revoked. Without a row of its own nothing has to be
 * deleted later; that one was created is in the audit log.
 */

/**
 * The signed content: version, second of expiry, scopes as bits, the key's id and a random number that makes each
 * token unique.
 */
const HEAD_BYTES = 1 + 5 + 1 + 16 + 2;
const SIGNATURE_BYTES = 32;
/** 57 bytes are a multiple of three, so base64 leaves no unused bits and each token has exactly one text. */
const PATTERN = new RegExp(`^at_[A-Za-z0-9_-]{${((HEAD_BYTES + SIGNATURE_BYTES) / 3) * 4}}$`);
const KEY_ID = /^key_[0-9a-f]{32}$/;
const VERSION = 1;

const secrets = new WeakMap<Buffer, KeyObject>();

/** A separate key, so that nothing else signed with the secret can be used as a token. */
function keyOf(secret: Buffer): KeyObject {
  let key = secrets.get(secret);
  if (key === undefined) {
    key = createSecretKey(createHmac('sha256', secret).update('access tokens').digest());
    secrets.set(secret, key);
  }
  return key;
}

function signatureOf(secret: Buffer, head: Buffer): Buffer {
  return createHmac('sha256', keyOf(secret)).update(head).digest();
}

/** The content of a token. */
export type TokenFacts = {
  readonly keyId: string;
  readonly scopes: readonly KeyScope[];
  readonly expiresAt: Date;
};

function signToken(secret: Buffer, { keyId, scopes, expiresAt }: TokenFacts): string {
  if (!KEY_ID.test(keyId)) throw new Error(`${keyId} is not the id of a key`);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(VERSION, 0);
  head.writeUIntBE(Math.floor(expiresAt.getTime() / 1_000), 1, 5);
  head.writeUInt8(
    KEY_SCOPES.reduce((bits, scope, at) => bits | (scopes.includes(scope) ? 1 << at : 0), 0),
    6,
  );
  Buffer.from(keyId.slice('key_'.length), 'hex').copy(head, 7);
  randomBytes(2).copy(head, HEAD_BYTES - 2);
  return `at_${Buffer.concat([head, signatureOf(secret, head)]).toString('base64url')}`;
}

/** The content of a valid token of ours that has not expired, whichever secret signed it; null for any other text. */
export function readToken(secrets: Pick<LinkSecrets, 'all'>, text: string): TokenFacts | null {
  const facts = readSigned(secrets, text);
  return facts === null || clock.now() >= facts.expiresAt ? null : facts;
}

/** Whether a text is a token of ours that has expired. */
export function isExpiredToken(secrets: Pick<LinkSecrets, 'all'>, text: string): boolean {
  const facts = readSigned(secrets, text);
  return facts !== null && clock.now() >= facts.expiresAt;
}

function readSigned({ all }: Pick<LinkSecrets, 'all'>, text: string): TokenFacts | null {
  if (!PATTERN.test(text)) return null;
  const bytes = Buffer.from(text.slice('at_'.length), 'base64url');
  const head = bytes.subarray(0, HEAD_BYTES);
  const signature = bytes.subarray(HEAD_BYTES);
  if (!all.some((secret) => timingSafeEqual(signature, signatureOf(secret, head)))) return null;
  const expiresAt = new Date(head.readUIntBE(1, 5) * 1_000);
  if (head.readUInt8(0) !== VERSION) return null;
  const bits = head.readUInt8(6);
  const scopes = KEY_SCOPES.filter((_, at) => (bits & (1 << at)) !== 0);
  return { keyId: `key_${head.subarray(7, 23).toString('hex')}`, scopes, expiresAt };
}

/** Long enough for one visit of a page; the page's server creates another token when asked. */
const STANDARD_SECONDS = 900;

export type NewAccessToken = {
  readonly token: string;
  readonly scopes: readonly KeyScope[];
  readonly expiresAt: Date;
};

/**
 * Creates a token with at most the scopes of the key, valid for at most an hour and never longer than the key.
 * Refuses an invalid request with 400 `invalid_request`, and scopes that the key does not have with 403
 * `forbidden`. Recorded in the audit log, without the token.
 */
export async function createAccessToken(
  { db, secret }: { readonly db: Pick<Db, 'pool'>; readonly secret: Buffer },
  caller: Caller,
  sent: unknown,
): Promise<Outcome<NewAccessToken>> {
  const request = parseRequest(accessTokenRequest, sent);
  if (isRefusal(request)) return request;
  const lacking = request.scopes.filter((scope) => !caller.scopes.has(scope));
  if (lacking.length > 0) {
    const scopeNames = lacking.map((scope) => `\`${scope}\``).join(', ');
    const detail = `A token may do no more than its key, which has no ${scopeNames}.`;
    return new Refusal('forbidden', detail).about('scopes');
  }
  const seconds = request.ttlSeconds ?? STANDARD_SECONDS;
  const end = Math.floor(clock.now().getTime() / 1_000) + seconds;
  const expiresAt = new Date(
    Math.min(end * 1_000, caller.keyExpiresAt?.getTime() ?? Number.POSITIVE_INFINITY),
  );
  const scopes = KEY_SCOPES.filter((scope) => request.scopes.includes(scope));
  const { keyId, environmentId } = caller;
  const entry = { actor: keyId, action: 'create_access_token', subject: keyId, environmentId, reason: null };
  await inTransaction(db.pool, (client) =>
    addAuditEntry(client, { ...entry, details: { scopes, expiresAt } }),
  );
  return { token: signToken(secret, { keyId, scopes, expiresAt }), scopes, expiresAt };
}
