import { z } from 'zod';
import type { Db } from '../../../ground/db/client.ts';
import { inTransaction } from '../../../ground/db/transaction.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { type Actor, addAuditEntry } from '../../../ground/journal/audit-log.ts';
import { batchLoader } from '../../../ground/lib/batch-loader.ts';
import { exactLine, line } from '../../../ground/lib/text.ts';
import { ACCOUNT_LIMITS } from '../limits.ts';
import { originsAllowedAnywhere, readOrigins, writeOrigins } from '../store/origins.ts';

/** The web origins from which browsers may use GraphQL with an access token, and show PDFs in frames (docs/contract.md#browsers). */

/** Letters, digits, hyphens and dots, or an IPv6 address; with a port unless it is the scheme's default. */
const HOST = /^([a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(:\d+)?$/;

/**
 * The origin in the form that browsers send; null when it is not an origin, for example with a path, a query,
 * credentials or a wildcard.
 */
function originOf(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  const isBare = /^https?:\/\/[^/?#@\\]+$/i.test(text);
  return isBare && HOST.test(url.host) ? url.origin : null;
}

const origin = exactLine(300).transform((text, context) => {
  const found = originOf(text);
  if (found !== null) return found;
  const message = 'must be an origin and nothing more, such as https://app.example.com';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const originsRequest = z.strictObject({
  origins: z
    .array(z.unknown())
    .max(ACCOUNT_LIMITS.origins.value)
    .pipe(z.array(origin))
    .refine((origins) => origins.join(' ').length <= ACCOUNT_LIMITS.originsLength.value, {
      message: `must have at most ${ACCOUNT_LIMITS.originsLength.value} characters together`,
    }),
  reason: line(500).nullish(),
});

export type OriginsRequest = {
  readonly origins: readonly string[];
  readonly reason?: string | null | undefined;
};

/**
 * Replaces the origins of an environment and records who did it; they take effect with the next request. Returns
 * them in the form that browsers send, without duplicates. Refuses with 400 `invalid_request` values that are not
 * origins, and more of them than the limit.
 */
export async function setAllowedOrigins(
  db: Pick<Db, 'pool'>,
  by: { readonly actor: Actor },
  environmentId: number,
  sent: OriginsRequest,
): Promise<Outcome<readonly string[]>> {
  const request = parseRequest(originsRequest, sent);
  if (isRefusal(request)) return request;
  const origins = [...new Set(request.origins)];
  await inTransaction(db.pool, async (client) => {
    await writeOrigins(client, environmentId, origins);
    const entry = {
      actor: by.actor,
      action: 'set_allowed_origins',
      subject: String(environmentId),
      environmentId,
    };
    await addAuditEntry(client, { ...entry, reason: request.reason ?? null, details: { origins } });
  });
  return origins;
}

/** The origins of an environment, in the order in which they were set. */
export function allowedOrigins(db: Pick<Db, 'pool'>, environmentId: number): Promise<readonly string[]> {
  return readOrigins(db.pool, environmentId);
}

/**
 * Whether any environment allows the origin. A preflight request of a browser carries no token, so no more can be
 * checked. Requests that arrive while a query is running share the next one.
 */
export function originLookup(db: Pick<Db, 'pool'>): (origin: string) => Promise<boolean> {
  const findOrigins = batchLoader((origins) => originsAllowedAnywhere(db.pool, origins));
  return async (origin) => originOf(origin) === origin && (await findOrigins(origin)) !== null;
}
