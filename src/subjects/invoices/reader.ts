import type { Db } from '../../ground/db/client.ts';
import { gather, NEXT_TIME } from '../../ground/lib/gather.ts';
import type { StandingInvoice } from './standing.ts';
import { readStanding } from './store/standing.ts';

/** Reads an invoice of an environment with all that the contract shows of it; null when there is none. */
export type InvoiceReader = (environmentId: number, id: string) => Promise<StandingInvoice | null>;

/**
 * One statement for the invoices that are asked for at the same moment, whoever asks: as many as their lines leave room
 * for, and the others by the next.
 */
export function createInvoiceReader(db: Db): InvoiceReader {
  const read = gather<StandingInvoice>(async (keys) => {
    const wanted = keys.map((key) => key.split('/') as [string, string]);
    const found = await readStanding(
      db.pool,
      wanted.map(([environmentId]) => environmentId),
      wanted.map(([, id]) => id),
    );
    return new Map([...found].map(([key, standing]) => [key, standing ?? NEXT_TIME]));
  });
  return (environmentId, id) => read(`${environmentId}/${id}`);
}
