import { createHash, type Hash } from 'node:crypto';
import type { Db } from '../../ground/db/client.ts';
import { isFailureOfStandby, readFromStandby } from '../../ground/db/standby/read-from.ts';
import type { Standby } from '../../ground/db/standby/standby.ts';
import {
  type OpenRegister,
  openRegister,
  type RegisteredInvoice,
  type RegisteredPeriod,
} from '../invoices/store/read-register.ts';

type Places = { readonly db: Pick<Db, 'pool'>; readonly standby: Standby | null };

/** As many as are compared with one statement. */
const COMPARED = 1_000;

/**
 * Opens the register of a period, on the standby if that has everything. If the standby fails while it is read, the primary is read
 * from the beginning: if what was handed out is the same there, it goes on, and the whole is as of that later instant. Otherwise the
 * failure is thrown, because one file would be as of two instants.
 */
export async function openSteadyRegister(
  { db, standby }: Places,
  period: RegisteredPeriod,
): Promise<OpenRegister> {
  let onStandby = false;
  let closed = false;
  const handedOut = { invoices: 0, digest: createHash('sha256') };
  let register = await readFromStandby({ db, standby }, period.environmentId, ({ pool }) => {
    onStandby = pool !== db.pool;
    return openRegister(pool, period);
  });

  async function nextOfPrimary(size: number, failure: unknown): Promise<RegisteredInvoice[]> {
    onStandby = false;
    standby?.suspect();
    await register.close();
    register = await openRegister(db.pool, period);
    // It was closed meanwhile, and nobody closes this one.
    if (closed) await register.close();
    if (closed || !(await continues(register, handedOut))) throw failure;
    return register.next(size);
  }

  return {
    get count() {
      return register.count;
    },
    async next(size) {
      const page = await register.next(size).catch((error: unknown) => {
        if (!onStandby || !isFailureOfStandby(error)) throw error;
        return nextOfPrimary(size, error);
      });
      note(handedOut.digest, page);
      handedOut.invoices += page.length;
      return page;
    },
    close() {
      closed = true;
      return register.close();
    },
  };
}

function note(digest: Hash, page: readonly RegisteredInvoice[]): void {
  for (const invoice of page) digest.update(JSON.stringify(invoice));
}

/** Whether a register begins with what was handed out; it is then read up to there. */
async function continues(
  register: OpenRegister,
  { invoices, digest }: { readonly invoices: number; readonly digest: Hash },
): Promise<boolean> {
  const again = createHash('sha256');
  for (let left = invoices; left > 0; ) {
    const page = await register.next(Math.min(left, COMPARED));
    if (page.length === 0) return false;
    note(again, page);
    left -= page.length;
  }
  return again.digest('hex') === digest.copy().digest('hex');
}
