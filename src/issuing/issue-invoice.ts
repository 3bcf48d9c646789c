import type { Caller } from '../accounts/authenticate.ts';
import { checkGates } from '../accounts/gates.ts';
import { isRefusal, type Outcome } from '../errors/refusal.ts';
import { once, requestDigest, storedAnswer } from '../idempotency/keys.ts';
import type { Services } from '../services.ts';
import { checkInvoice } from './check-invoice.ts';
import { commitInvoices, type PreparedInvoice } from './commit-invoices.ts';
import { GroupCommit } from './group-commit.ts';
import { prepareInvoice } from './prepare-invoice.ts';
import type { InvoiceRequest } from './request.ts';
import type { StoredInvoice } from './rows.ts';

/** Where prepared invoices wait for each other, to be committed together. */
export type IssueQueue = GroupCommit<PreparedInvoice, Outcome<StoredInvoice>>;

/** More lanes would only make smaller groups; fewer would let one held chain stop them all. */
const LANES = 4;

export function createIssueQueue(services: Pick<Services, 'db'>): IssueQueue {
  return new GroupCommit((group) => commitInvoices(services.db.pool, group), LANES);
}

/** An issued invoice and the link to its document: signed once, so that a replay gives it verbatim. */
export type Issued = { readonly stored: StoredInvoice; readonly pdfToken: string };

/**
 * Issues an invoice: checks everything (order of DECISIONS D10), then commits it with its number, its sealed record
 * and its jobs in one transaction. `key` is the caller's idempotency key, `sent` the request as it came, for the
 * comparison of two requests under one key, `sign` makes the token of the link to the document. Codes: those of `checkInvoice`, of the gates, `idempotency_conflict`.
 */
export async function issueInvoice(
  services: Services,
  caller: Caller,
  request: InvoiceRequest,
  { key, sent, sign }: { key: string | null; sent: unknown; sign: (stored: StoredInvoice) => string },
): Promise<{ readonly outcome: Outcome<Issued>; readonly replayed: boolean }> {
  const digest = () => requestDigest(sent);
  const { environmentId } = caller;
  return once<Issued>(
    services.db,
    { environmentId, key, operation: 'issue_invoice', digest },
    async (claim) => {
      const refusal = checkGates(caller);
      if (refusal !== null) return refusal;
      const checked = await checkInvoice(services, caller, request);
      if (isRefusal(checked)) return checked;
      const issued = (stored: StoredInvoice): Issued => ({ stored, pdfToken: sign(stored) });
      const prepared = prepareInvoice(
        caller,
        services.config.software,
        checked,
        claim && { key: claim.key, answer: (stored) => storedAnswer(issued(stored)) },
      );
      const stored = await services.issueQueue.submit(caller.openChainId, prepared);
      return isRefusal(stored) ? stored : issued(stored);
    },
    (answer) => answer as Issued,
  );
}
