import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import { atEnvironmentTime } from '../accounts/entry/environment-time.ts';
import { readClockAhead } from '../accounts/store/read-clocks.ts';
import { type RecipientStatusRequest, recipientStatusRequest } from '../payments/recipient-status-request.ts';
import { addRecipientStatus } from '../payments/recipient-statuses.ts';
import type { ReportedStatus } from './application-response.ts';
import { countStatus } from './metrics.ts';
import { NoResponse, type PublicSolution, type Received } from './public-solution.ts';
import {
  advanceStatusPosition,
  invoiceOfMessage,
  issuerWithAccepted,
  lockPosition,
} from './store/messages.ts';

type Receiving = {
  readonly db: Pick<Db, 'pool'>;
  readonly log: Logger;
  readonly publicSolution: PublicSolution;
};

const STATUSES: ReadonlyMap<string, 'paid' | 'rejected'> = new Map([
  ['PAYMENT', 'paid'],
  ['REJECTION', 'rejected'],
]);

/**
 * Records statuses that recipients report on the invoices of an environment. The position is stored in the
 * transaction that records a status, so each is recorded once even after a crash. A status that cannot be recorded
 * is skipped and logged.
 */
export async function receiveStatuses(receiving: Receiving, environmentId: number): Promise<void> {
  const { db, publicSolution } = receiving;
  const issuer = await issuerWithAccepted(db.pool, environmentId);
  if (issuer === null) return;
  for (let count = 0; count < LIMITS.exchangeEntries.value; count += 1) {
    const after = await inTransaction(
      db.pool,
      async (client) => (await lockPosition(client, environmentId)).received,
    );
    const next = await publicSolution.next(issuer, after).catch((error: unknown) => {
      if (error instanceof NoResponse) return null;
      throw error;
    });
    if (next === null) return;
    await take(receiving, environmentId, next);
  }
}

async function take(
  { db, log }: Receiving,
  environmentId: number,
  { sequence, status }: Received,
): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    const { received } = await lockPosition(client, environmentId);
    if (sequence <= received) return;
    await advanceStatusPosition(client, environmentId, sequence);
    const invoiceId =
      status?.message == null ? null : await invoiceOfMessage(client, environmentId, status.message);
    // Another environment of the same issuer may have sent the invoice.
    if (status !== null && invoiceId === null) return;
    const clockAheadMs = await readClockAhead(client, environmentId);
    const request = status === null ? null : atEnvironmentTime({ clockAheadMs }, () => requestOf(status));
    const recorded =
      request === null || invoiceId === null
        ? null
        : await addRecipientStatus(client, environmentId, invoiceId, request);
    const isRecorded = recorded !== null && !isRefusal(recorded);
    countStatus(isRecorded ? 'recorded' : 'passed_over');
    if (isRecorded) return;
    const code = recorded?.code ?? 'invalid_request';
    log.warn({ environmentId, invoiceId, sequence, code }, 'a status of a recipient was skipped');
  });
}

/**
 * The status to record; null when it is not one that a recipient may report. Days are checked against the clock.
 */
function requestOf({ code, on, reason, reportedOn }: ReportedStatus): RecipientStatusRequest | null {
  const status = STATUSES.get(code);
  if (status === undefined || on === null) return null;
  const withReason = status === 'paid' ? {} : { statusReason: reason ?? 'no reason was given' };
  // A status before the issue day comes from another time zone, or a clock that is slow: then the present is used.
  const statedDay = reportedOn === null || reportedOn < on ? {} : { toldOn: reportedOn };
  const parsed = recipientStatusRequest.safeParse({ status, on, ...statedDay, ...withReason });
  return parsed.success ? parsed.data : null;
}
