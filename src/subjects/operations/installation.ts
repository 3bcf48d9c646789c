import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { noteAct, readReason, type WhoAndWhy } from '../../ground/db/audit-log.ts';
import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { clock } from '../../ground/lib/clock.ts';
import { type HighestNumber, type Jump, passOver } from '../registration/pass-over.ts';
import { holdAfterRestore } from '../registration/resume-after-restore.ts';

export type NewInstallation = {
  readonly environmentId: number;
  readonly closedChainId: number;
  readonly chainId: number;
  readonly installationNumber: string;
  readonly jumps: readonly Jump[];
};

/**
 * Closes the environment's chain and opens another under a new installation number, which begins with a first record
 * of its own: the way on after a restore that lost records. The old chain's pending records are
 * still sent. Numbers up to the highest that the agency is known to hold are passed over, and noted, so that none is
 * given twice. 400 `invalid_request` while the chain is still being compared with the agency, because it is not known
 * then which numbers those are.
 */
export async function openNewInstallation(
  db: Db,
  environmentId: number,
  by: WhoAndWhy,
): Promise<Outcome<NewInstallation>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction(db.pool, async (client): Promise<Outcome<NewInstallation>> => {
    await db.lineage.checkServer(client);
    const { rows } = await client.query<{ id: number; hold: string | null }>(
      'select id, hold::text from chain where environment_id = $1 and closed_at is null for update',
      [environmentId],
    );
    const old = rows[0];
    if (old === undefined) return invalidField('environmentId', 'not_found', 'there is no such environment');
    if (old.hold === 'restored') {
      return invalidField('environmentId', 'not_ready', 'its chain is still being compared with the agency');
    }
    const highest = await numbersAtTheAgency(client, environmentId, old.id);
    const jumps = await passOver(client, { environmentId, chainId: old.id }, highest);
    const opened = { ...(await replaceChain(client, environmentId, old.id)), jumps };
    const done = { environmentId, closedChainId: old.id, ...opened };
    await noteAct(client, {
      ...{ environmentId, actor: by.actor, action: 'open_installation', subject: `chain ${old.id}` },
      ...{ reason, details: done },
    });
    return done;
  });
}

async function replaceChain(client: pg.ClientBase, environmentId: number, oldId: number) {
  await client.query('update chain set closed_at = $3 where environment_id = $1 and id = $2', [
    environmentId,
    oldId,
    clock.now(),
  ]);
  const installationNumber = randomUUID();
  const { rows } = await client.query<{ id: number }>(
    `with opened as (
       insert into chain (environment_id, installation_number) values ($1, $2) returning environment_id, id
     ), dispatch as (
       insert into chain_dispatch (environment_id, chain_id) select environment_id, id from opened
     )
     select id from opened`,
    [environmentId, installationNumber],
  );
  return { chainId: rows[0]!.id, installationNumber };
}

/** The numbers that the agency was found to hold, or to have held. */
async function numbersAtTheAgency(client: pg.ClientBase, environmentId: number, chainId: number) {
  const { rows } = await client.query<{ highest: HighestNumber[] }>(
    'select highest from chain_fork where environment_id = $1 and chain_id = $2',
    [environmentId, chainId],
  );
  return rows[0]?.highest ?? [];
}

/**
 * What an operator says after a restore that cannot be seen from inside: holds every live chain and has it compared
 * with the agency. Answers how many are held.
 */
export async function checkAfterRestore(db: Db, by: WhoAndWhy): Promise<Outcome<number>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction(db.pool, async (client) => {
    const held = await holdAfterRestore(client);
    const entry = { environmentId: null, action: 'check_after_restore', subject: 'all live chains' };
    await noteAct(client, { ...entry, actor: by.actor, reason, details: { held } });
    return held;
  });
}
