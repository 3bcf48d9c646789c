import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { noteAct, readReason, type WhoAndWhy } from '../db/audit-log.ts';
import type { Db } from '../db/client.ts';
import { inTransaction } from '../db/transaction.ts';
import { invalidField, isRefusal, type Outcome } from '../errors/refusal.ts';
import { clock } from '../lib/clock.ts';
import type { HighestNumber } from '../registration/resume-after-restore.ts';
import { holdAfterRestore } from '../registration/resume-after-restore.ts';

/** Numbers that a series will not give, because the agency may hold them. */
export type Jump = {
  readonly seriesId: string;
  readonly year: number;
  readonly from: number;
  readonly to: number;
};

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
    const { rows } = await client.query<{ id: number; hold: string | null }>(
      'select id, hold::text from chain where environment_id = $1 and closed_at is null for update',
      [environmentId],
    );
    const old = rows[0];
    if (old === undefined) return invalidField('environmentId', 'not_found', 'there is no such environment');
    if (old.hold === 'restored') {
      return invalidField('environmentId', 'not_ready', 'its chain is still being compared with the agency');
    }
    const jumps = await passOverHeldNumbers(client, environmentId, old.id);
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

/** The chain's row is held, so no number is being taken meanwhile. */
async function passOverHeldNumbers(
  client: pg.ClientBase,
  environmentId: number,
  chainId: number,
): Promise<Jump[]> {
  const { rows } = await client.query<{ highest: HighestNumber[] }>(
    'select highest from chain_fork where environment_id = $1 and chain_id = $2',
    [environmentId, chainId],
  );
  const jumped = await client.query<Jump>(
    `with held as (
       select "seriesId" as series_id, highest.year, number, coalesce(counter.last_number, 0) as last
         from jsonb_to_recordset($2::jsonb) as highest ("seriesId" text, year int, number int)
         left join series_counter counter on counter.series_id = "seriesId" and counter.year = highest.year
     ), noted as (
       insert into counter_jump (environment_id, series_id, year, from_number, to_number, chain_id, jumped_at)
       select $1, series_id, year, last + 1, number, $3, $4 from held where number > last
       returning series_id, year, from_number, to_number
     ), counted as (
       insert into series_counter as counter (environment_id, series_id, year, last_number)
       select $1, series_id, year, to_number from noted
       on conflict (series_id, year) do update set last_number = excluded.last_number
     )
     select series_id as "seriesId", year, from_number as "from", to_number as "to" from noted
      order by series_id, year`,
    [environmentId, JSON.stringify(rows[0]?.highest ?? []), chainId, clock.now()],
  );
  return jumped.rows;
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
