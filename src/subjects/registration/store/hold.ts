import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, OF_ALL, readRow, readRows } from '../../../ground/db/rows.ts';
import { type ChainHold, chainHoldRow, HOLD_COLUMNS } from '../../chain/store/read-hold.ts';
import { type ChainKey, chainKeyRow } from '../shapes.ts';

const liveRow = z.object({ environmentId: column.whole });

/** The live environments that servers of a divided database have, by the numbers of their groups. */
export async function liveEnvironmentsOf(client: Queryable, workers: readonly number[]): Promise<number[]> {
  const rows = await readRows(
    client,
    liveRow,
    `select environment.id as "environmentId" from environment
       join pg_dist_placement place on place.shardid = get_shard_id_for_distribution_column('chain', environment.id)
      where environment.kind = 'live' and place.groupid = any ($1)`,
    [workers],
  );
  return rows.map(({ environmentId }) => environmentId);
}

/**
 * Holds the live chains that accept records (`held`), all or those of environments, and returns all that wait to be compared,
 * including those held before.
 */
export async function holdLiveChains(
  client: Queryable,
  now: Date,
  environments: readonly number[] | null,
): Promise<{ readonly held: ChainHold[]; readonly waiting: ChainKey[] }> {
  const held = await readRows(
    client,
    chainHoldRow,
    `${OF_ALL} update chain set hold = 'restored', held_at = $1 from environment
      where environment.id = chain.environment_id and environment.kind = 'live'
        and chain.closed_at is null and chain.hold is null and ($2::int[] is null or chain.environment_id = any ($2))
     returning ${HOLD_COLUMNS}`,
    [now, environments],
  );
  const waiting = await readRows(
    client,
    chainKeyRow,
    `${OF_ALL} select environment_id as "environmentId", id as "chainId" from chain
      where hold = 'restored' and closed_at is null order by id`,
  );
  return { held, waiting };
}

const heldChainRow = z.object({
  issuer: z.object({ nif: z.string(), legalName: z.string() }),
  installationNumber: z.string(),
  /** The last known time of the chain. */
  knownUntil: column.instant,
  /** Whether it has corrected operations of an earlier time that were invoiced elsewhere. */
  correctsEarlier: z.boolean(),
});

export type HeldChain = z.output<typeof heldChainRow>;

/** What querying the agency for a held chain requires; null when it is not held any more. */
export async function heldChain(client: Queryable, chain: ChainKey): Promise<HeldChain | null> {
  return readRow(
    client,
    heldChainRow,
    `select json_build_object('nif', company.nif, 'legalName', company.legal_name) as issuer,
            installation_number as "installationNumber",
            coalesce(last_generated_at, chain.created_at) as "knownUntil",
            exists (select 1 from invoice
              where invoice.environment_id = $1 and rectified_operation_on is not null) as "correctsEarlier"
       from chain join environment on environment.id = chain.environment_id
       join company on company.id = environment.company_id
      where chain.environment_id = $1 and chain.id = $2 and hold is not null and closed_at is null`,
    [chain.environmentId, chain.chainId],
  );
}
