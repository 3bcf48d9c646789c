import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, OF_ALL, readOneRow, readRows } from '../../../ground/db/rows.ts';

const forkRow = z.object({
  companyId: z.string(),
  legalName: z.string(),
  environmentId: column.whole,
  chainId: column.whole,
  foundAt: column.instant,
  /** Whether a new installation was opened since, so that issuing goes on. */
  decided: z.boolean(),
  recordCount: column.whole,
  records: z.array(z.object({ number: z.string(), issueDate: z.string() })),
});

/** A chain of which the agency holds records that a restore has lost, with the first thousand of them. */
export type Fork = z.output<typeof forkRow>;

/** Every such chain, also of earlier restores; `companyId` null is all companies. */
export function readForks(client: Queryable, companyId: string | null): Promise<Fork[]> {
  return readRows(
    client,
    forkRow,
    `${OF_ALL} select company.id as "companyId", company.legal_name as "legalName", fork.environment_id as "environmentId",
            fork.chain_id as "chainId", fork.found_at as "foundAt", chain.closed_at is not null as decided,
            fork.record_count as "recordCount", fork.records
       from chain_fork fork
       join chain on chain.environment_id = fork.environment_id and chain.id = fork.chain_id
       join environment on environment.id = fork.environment_id
       join company on company.id = environment.company_id
      where $1::text is null or company.id = $1
      order by fork.found_at, fork.chain_id`,
    [companyId],
  );
}

/** How many chains are still being compared with the agency: what they lost is not known yet. */
export async function chainsBeingCompared(client: Queryable): Promise<number> {
  const text = `${OF_ALL} select count(*)::int as chains from chain where hold = 'restored' and closed_at is null`;
  return (await readOneRow(client, z.object({ chains: column.whole }), text)).chains;
}
