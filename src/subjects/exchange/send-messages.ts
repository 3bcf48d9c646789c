import type { Db } from '../../ground/db/client.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { madridDay } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import type { FormatServices } from '../formats/format.ts';
import { structuredDocument } from '../formats/registry.ts';
import type { InvoiceReader } from '../invoices/reader.ts';
import { statusDocument } from './application-response.ts';
import { countMessage } from './metrics.ts';
import { NoResponse, type PublicSolution } from './public-solution.ts';
import {
  type DueMessage,
  postponeMessage,
  readDue,
  recordOutcomeOf,
  saveMessageBytes,
} from './store/messages.ts';

export type Sending = FormatServices & {
  readonly db: Pick<Db, 'pool'>;
  readonly readInvoice: InvoiceReader;
  readonly publicSolution: PublicSolution;
};

const MINUTE_MS = 60_000;

/** The delay before a retry: 1, 2, 4 minutes and so on up to an hour. */
const pauseAfter = (attempts: number): number => Math.min(60, 2 ** Math.min(attempts, 6)) * MINUTE_MS;

/**
 * Sends the due messages of an environment, those of one invoice in order. A message keeps its id and its bytes,
 * which are stored before it is sent: a message whose acceptance is unknown is sent again, and accepted once.
 */
export async function sendMessages(
  sending: Sending,
  environmentId: number,
  signal?: AbortSignal,
): Promise<void> {
  const { pool } = sending.db;
  for (let rounds = 0; rounds < LIMITS.exchangeRounds.value; rounds += 1) {
    const due = await readDue(pool, environmentId, clock.now(), LIMITS.exchangeAtOnce.value);
    for (const message of due) {
      if (signal?.aborted) return;
      await sendOne(sending, environmentId, message);
    }
    if (due.length === 0) return;
  }
}

async function sendOne(sending: Sending, environmentId: number, message: DueMessage): Promise<void> {
  const { pool } = sending.db;
  const { id, attempts } = message;
  const recordOutcome = async (status: 'taken' | 'refused', reason: string | null) => {
    await recordOutcomeOf(pool, environmentId, id, { status, reason, at: clock.now() });
    countMessage(status);
  };
  const prepared = message.document ?? (await documentOf(sending, environmentId, message));
  if (isRefusal(prepared)) return recordOutcome('refused', prepared.detail);
  const document = await saveMessageBytes(pool, environmentId, id, prepared);
  // Another round has settled it meanwhile.
  if (document === null) return;
  try {
    const path = message.kind === 'invoice' ? 'invoices' : 'statuses';
    const answer = await sending.publicSolution.send(path, id, document);
    await recordOutcome(answer.accepted ? 'taken' : 'refused', answer.accepted ? null : answer.reason);
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    countMessage('unanswered');
    const nextAt = new Date(clock.now().getTime() + pauseAfter(attempts));
    await postponeMessage(pool, environmentId, id, { why: error.message, nextAt });
  }
}

async function documentOf(
  sending: Sending,
  environmentId: number,
  { id, kind, on, invoiceId, createdAt, invoiceMessage, invoiceStatus }: DueMessage,
): Promise<Outcome<Buffer>> {
  if (kind === 'invoice') {
    const request = { environmentId, invoiceId, actor: 'exchange', urgent: false };
    const document = await structuredDocument(sending, request, 'ubl_es');
    return isRefusal(document) ? document : document.bytes;
  }
  if (invoiceStatus === 'refused') return new Refusal('format_not_applicable', 'the invoice was refused');
  const view = await sending.readInvoice(environmentId, invoiceId);
  if (view === null) throw new Error('a message is of an invoice that is not there');
  const { invoice } = view;
  const reportedOn = madridDay(createdAt);
  return statusDocument({
    ...{ id, kind, on: on ?? reportedOn, reportedOn, issuerNif: invoice.issuer_nif },
    recipientNif: invoice.recipient_tax_id ?? '',
    invoice: {
      number: invoice.number,
      issuedOn: madridDay(new Date(invoice.issued_at)),
      message: invoiceMessage,
    },
  });
}
