import { randomUUID } from 'node:crypto';
import type { Config } from '../../ground/config/config.ts';
import type { Db } from '../../ground/db/client.ts';
import { DatabaseTime } from '../../ground/db/database-time.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { type Attempt, isAccepted, post } from '../webhooks/post.ts';
import { nextAttempt } from '../webhooks/schedule.ts';
import { signedHeaders, signingKey } from '../webhooks/signature.ts';
import { endpointUrl } from '../webhooks/url.ts';
import { type AuditLine, readAuditStream } from './audit-stream.ts';
import { leaveAuditWebhook, noteFailure, noteReached, takeAuditWebhook } from './store/audit-webhook.ts';

type Sender = {
  readonly db: Pick<Db, 'pool'>;
  readonly config: Pick<Config, 'auditWebhook' | 'webhooksAllowPrivate'>;
};

/** A turn, after which others get the worker. */
const TURN_MS = 20_000;
/** The receiver is the installation's own: it is never given up, and asked again at least as often as this. */
const LONGEST_PAUSE_MS = 5 * 60_000;

/**
 * Posts what operators did and the installation's webhook has not received, one entry after the other, each signed as deliveries of
 * webhooks are. An entry that is not accepted is repeated before any later one is sent; after a crash the last may come again, with the
 * same `webhook-id`. One process sends at a time. Returns when to go on: null with the next entry.
 */
export async function sendAuditLog(
  { db: { pool }, config }: Sender,
  signal?: AbortSignal,
): Promise<Date | 'at once' | null> {
  const { auditWebhook: webhook, webhooksAllowPrivate: allowPrivate } = config;
  if (webhook === null) return null;
  const lease = randomUUID();
  const taken = await takeAuditWebhook(pool, lease);
  if (taken === null) return null;
  const time = new DatabaseTime(taken.readAt);
  const end = performance.now() + TURN_MS;
  const failed = async (error: string, attempts: number) => {
    const at = time.now();
    const longest = new Date(at.getTime() + LONGEST_PAUSE_MS);
    const next = nextAttempt(attempts, at);
    const nextAt = next === null || next > longest ? longest : next;
    await noteFailure(pool, lease, { at, error, nextAt });
    return nextAt;
  };
  try {
    const url = await endpointUrl(webhook.url, allowPrivate);
    if (isRefusal(url)) return await failed(url.detail, taken.attempts + 1);
    const keys = [signingKey(webhook.secret)];
    const send = ({ id, line }: AuditLine): Promise<Attempt> => {
      const at = time.now();
      return post({
        at,
        url,
        headers: signedHeaders(keys, { id, at, body: line }),
        body: line,
        allowPrivate,
        signal,
      });
    };
    let { position, attempts } = taken;
    while (performance.now() < end && signal?.aborted !== true) {
      const { lines, reached } = await readAuditStream(pool, position);
      for (const line of lines) {
        const attempt = await send(line);
        if (!isAccepted(attempt)) {
          if (attempt.status === null && signal?.aborted) return 'at once';
          return await failed(attempt.error ?? `it answered ${attempt.status}`, attempts + 1);
        }
        attempts = 0;
        if (!(await noteReached(pool, lease, line.position))) return null;
      }
      if (reached === position) return null;
      position = reached;
      if (!(await noteReached(pool, lease, reached))) return null;
    }
    return 'at once';
  } finally {
    await leaveAuditWebhook(pool, lease);
  }
}
