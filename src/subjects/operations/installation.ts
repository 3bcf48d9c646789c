import { randomUUID } from 'node:crypto';
import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { append } from '../../ground/journal/append.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { type Gate, passGate } from '../approvals/gate.ts';
import { holdEntry } from '../chain/hold-entry.ts';
import { advanceCounters, jumpEntries } from '../registration/counter-jump.ts';
import { holdAfterRestore } from '../registration/resume-after-restore.ts';
import type { Jump } from '../registration/shapes.ts';
import { closeChain, lockOpenChain, numbersAtTheAgency, openChain } from './store/installation.ts';

export type NewInstallation = {
  readonly environmentId: number;
  readonly closedChainId: number;
  readonly chainId: number;
  readonly installationNumber: string;
  readonly jumps: readonly Jump[];
};

/**
 * Closes the environment's chain and opens another with a new installation number, which begins with a first record
 * of its own: the solution after a restore that lost records. Pending records of the old chain are still sent.
 * Numbers up to the highest that the agency is known to have are skipped, and recorded, so that none is issued
 * twice. 400 `invalid_request` while the chain is still being compared with the agency, because these numbers are
 * not known yet; 409 `approval_required` (`passGate`).
 */
export async function openNewInstallation(
  { db, config }: { readonly db: Pick<Db, 'pool' | 'lineage'>; readonly config: Gate },
  environmentId: number,
  by: ActorAndReason,
): Promise<Outcome<NewInstallation>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction(db.pool, async (client): Promise<Outcome<NewInstallation>> => {
    await db.lineage.checkServer(client, environmentId);
    const old = await lockOpenChain(client, environmentId);
    if (old === null) return invalidField('environmentId', 'not_found', 'there is no such environment');
    if (old.hold === 'restored') {
      return invalidField('environmentId', 'not_ready', 'its chain is still being compared with the agency');
    }
    const act = { action: 'open_installation', subject: `chain ${old.id}`, environmentId } as const;
    const given = await passGate(client, config, { ...act, actor: by.actor, reason, arguments: {} });
    if (isRefusal(given)) return given;
    const chain = { environmentId, chainId: old.id };
    const now = clock.now();
    const jumps = await advanceCounters(client, chain, await numbersAtTheAgency(client, chain), now);
    await closeChain(client, chain, now);
    const installationNumber = randomUUID();
    const chainId = await openChain(client, environmentId, installationNumber);
    const opened = { chainId, installationNumber, jumps };
    const done = { environmentId, closedChainId: old.id, ...opened };
    if (old.hold !== null) {
      const released = { ...chain, installationNumber: old.installationNumber, hold: null };
      await append(client, [holdEntry(released, now)]);
    }
    await append(client, jumpEntries(chain, jumps, now));
    await addAuditEntry(client, { ...act, actor: by.actor, reason, details: { ...done, ...given } });
    return done;
  });
}

/**
 * For a restore that the service cannot detect: holds every live chain and has it compared with the agency. Returns
 * how many are held.
 */
export async function checkAfterRestore(db: Pick<Db, 'pool'>, by: ActorAndReason): Promise<Outcome<number>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction(db.pool, async (client) => {
    const held = await holdAfterRestore(client);
    const entry = { environmentId: null, action: 'check_after_restore', subject: 'all live chains' };
    await addAuditEntry(client, { ...entry, actor: by.actor, reason, details: { held } });
    return held;
  });
}
