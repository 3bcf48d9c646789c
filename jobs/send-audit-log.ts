import type { Task } from 'graphile-worker';
import { clock } from '../src/ground/lib/clock.ts';
import { enqueueNoLaterThan } from '../src/ground/queue/enqueue.ts';
import type { Services } from '../src/services.ts';
import { sendAuditLog } from '../src/subjects/operations/send-audit-log.ts';

/** Posts what operators did to the installation's webhook, and comes again for what remains. */
export function sendAuditLogTask({ db, config }: Pick<Services, 'db' | 'config'>): Task {
  return async (_payload, { abortSignal }) => {
    const next = await sendAuditLog({ db, config }, abortSignal);
    if (next === null) return;
    const runAt = next === 'at once' ? clock.now() : next;
    await enqueueNoLaterThan(db.pool, { task: 'send_audit_log', payload: {}, runAt });
  };
}
