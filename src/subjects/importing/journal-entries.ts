import type { Queryable } from '../../ground/db/queryable.ts';
import type { NewEntry } from '../../ground/journal/append.ts';
import { sha256 } from '../../ground/journal/canonical.ts';
import { bodyText, invoiceText } from '../../ground/journal/content.ts';
import { readBodies } from '../../ground/journal/store/sealed.ts';
import { INVOICE_BODY } from '../extensions/columns.ts';

/**
 * The journal entries of imported invoices, in the order of their ids. The invoices are read back, because a row of
 * the file is not always stored as it was written.
 */
export async function importedEntries(
  client: Queryable,
  environmentId: number,
  ids: readonly string[],
  at: Date,
): Promise<NewEntry[]> {
  const bodies = await readBodies(client, INVOICE_BODY, environmentId, ids);
  return [...ids].sort().map((id) => {
    const body = bodies.get(id)!;
    const contentHash = sha256(invoiceText(sha256(bodyText(INVOICE_BODY, body)), body.invoice, null));
    return { environmentId, type: 'invoice.imported', subjectId: id, at, contentHash };
  });
}
