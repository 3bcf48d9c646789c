import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { isInvoiceId } from './list.ts';
import { changed, type MetadataChange } from './metadata-request.ts';
import { lockMetadata, storeMetadata } from './store/metadata.ts';

/**
 * Changes the metadata of an invoice: keys that are not in the change stay. The invoice itself, its record and its
 * document do not change, and the journal does not record it, because metadata is no evidence. Refuses with
 * `invoice_not_found`, and with `invalid_request` when there would be too many keys.
 */
export async function changeMetadata(
  { pool }: Pick<Db, 'pool'>,
  environmentId: number,
  invoiceId: string,
  change: MetadataChange,
): Promise<Outcome<null>> {
  if (!isInvoiceId(invoiceId)) return notFound();
  return inTransaction<Outcome<null>>(pool, async (client) => {
    const before = await lockMetadata(client, environmentId, invoiceId);
    if (before === null) return notFound();
    const after = changed(before, change);
    if (after === null) return invalidField('metadata', 'too_big', 'must not come to more than 50 keys');
    await storeMetadata(client, environmentId, invoiceId, after);
    return null;
  });
}

function notFound(): Refusal {
  return new Refusal('invoice_not_found', 'No invoice of this id exists in the environment.');
}
