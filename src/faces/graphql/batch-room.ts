import type { Refusal } from '../../ground/errors/refusal.ts';
import type { Services } from '../../services.ts';
import { refusalBeforeReading } from '../../subjects/batches/accept-batch.ts';

/** Why `createInvoiceBatch` would refuse a batch of the environment before it looks at it; for callers who have not read it yet. */
export function refusalOfBatch(
  { db }: Pick<Services, 'db'>,
  environmentId: number,
  key: string | null,
): Promise<Refusal | null> {
  return refusalBeforeReading(db, environmentId, key);
}
