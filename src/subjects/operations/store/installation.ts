import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readOneRow, readRow } from '../../../ground/db/rows.ts';
import { type ChainKey, type HighestNumber, highestNumberRow } from '../../registration/shapes.ts';

const openChainRow = z.object({
  id: column.whole,
  hold: z.enum(['restored', 'forked']).nullable(),
  installationNumber: z.string(),
});

/** Locks the open chain of an environment until the caller's transaction ends: nothing is issued meanwhile. */
export async function lockOpenChain(client: Queryable, environmentId: number) {
  return readRow(
    client,
    openChainRow,
    `select id, hold::text, installation_number as "installationNumber" from chain
      where environment_id = $1 and closed_at is null for update`,
    [environmentId],
  );
}

/** Closes a chain, whose row the caller has locked: it accepts no more records. */
export async function closeChain(client: Queryable, chain: ChainKey, now: Date): Promise<void> {
  await execute(client, 'update chain set closed_at = $3 where environment_id = $1 and id = $2', [
    chain.environmentId,
    chain.chainId,
    now,
  ]);
}

/** Opens a chain after the caller's transaction has closed the previous one; returns its id. */
export async function openChain(
  client: Queryable,
  environmentId: number,
  installationNumber: string,
): Promise<number> {
  const { id } = await readOneRow(
    client,
    z.object({ id: column.whole }),
    `with opened as (
       insert into chain (environment_id, installation_number, issuing_ended_at)
       select $1, $2, max(issuing_ended_at) from chain where environment_id = $1 returning id
     ), dispatch as (
       insert into chain_dispatch (environment_id, chain_id) select $1, id from opened
     )
     select id from opened`,
    [environmentId, installationNumber],
  );
  return id;
}

const forkRow = z.object({ highest: z.array(highestNumberRow) });

/** The numbers that the agency has, or had; empty when the chain is not forked. */
export async function numbersAtTheAgency(
  client: Queryable,
  { environmentId, chainId }: ChainKey,
): Promise<HighestNumber[]> {
  const fork = await readRow(
    client,
    forkRow,
    'select highest from chain_fork where environment_id = $1 and chain_id = $2',
    [environmentId, chainId],
  );
  return fork?.highest ?? [];
}
