import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { Refusal } from '../../ground/errors/refusal.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import type { PreparedInvoice } from './prepared-invoice.ts';
import { holderOf, holdersOf } from './store.ts';

/** 409 `external_id_already_used`; the detail names the invoice with the value. */
export function externalIdUsed(invoiceId: string): Refusal {
  return new Refusal('external_id_already_used', `The external_id is already used by invoice ${invoiceId}.`);
}

/** The invoice of the environment with the external_id, for an early refusal; the transaction checks again. */
export async function externalIdHolder(
  {
    db,
    externalIdsChecked = false,
  }: { readonly db: Pick<Db, 'pool'>; readonly externalIdsChecked?: boolean },
  { environmentId }: Pick<Scope, 'environmentId'>,
  externalId: string,
): Promise<string | null> {
  return externalIdsChecked ? null : holderOf(db.pool, environmentId, externalId);
}

/**
 * For each invoice of a group, the refusal if its external_id is used. The chain's row is locked, so every other
 * issuing of its environment has committed or not begun: the result stays true. Within the group the first invoice
 * wins.
 */
export async function usedExternalIds(
  client: Queryable,
  group: readonly Pick<PreparedInvoice, 'unnumbered'>[],
): Promise<(Refusal | null)[]> {
  const withExternalId = group
    .map(({ unnumbered }) => unnumbered)
    .filter(({ external_id }) => external_id !== null);
  const holders = new Map<string, string>();
  for (const [environmentId, own] of Map.groupBy(withExternalId, (row) => row.environment_id)) {
    const wanted = own.map(({ external_id }) => external_id!);
    for (const { external_id, id } of await holdersOf(client, environmentId, wanted))
      holders.set(`${environmentId}/${external_id}`, id);
  }
  return group.map(({ unnumbered }) => {
    if (unnumbered.external_id === null) return null;
    const key = `${unnumbered.environment_id}/${unnumbered.external_id}`;
    const holder = holders.get(key);
    if (holder !== undefined) return externalIdUsed(holder);
    holders.set(key, unnumbered.id);
    return null;
  });
}
