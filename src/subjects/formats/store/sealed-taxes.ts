import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRow } from '../../../ground/db/rows.ts';
import { taxDetail } from '../../taxes/shapes.ts';

const SEALED_TAXES = {
  name: 'sealed-taxes',
  text: 'select breakdown from invoice where environment_id = $1 and id = $2',
};

const shape = z.object({ breakdown: z.array(taxDetail) });

/** The declared tax breakdown of an invoice; null when the environment has no such invoice. Takes no lock. */
export async function readSealedTaxes(
  db: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<z.output<typeof shape>['breakdown'] | null> {
  const row = await readRow(db, shape, SEALED_TAXES, [environmentId, invoiceId]);
  return row?.breakdown ?? null;
}
