import type { Config } from '../../ground/config/config.ts';
import type { Db } from '../../ground/db/client.ts';
import { statementsOf } from '../../ground/db/statement-time.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { EventLoopScheduler } from '../../ground/lib/event-loop-scheduler.ts';
import { addLogFields } from '../../ground/lib/logger.ts';
import { inSpan } from '../../ground/lib/tracing.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { checkGates } from '../accounts/gates.ts';
import type { Claim } from '../idempotency/claim.ts';
import { once, requestDigest, storedAnswer } from '../idempotency/keys.ts';
import type { StoredInvoice } from '../invoices/rows.ts';
import { unknownSeries } from '../number-series/choose.ts';
import type { CheckSources } from './check-invoice.ts';
import { commitInvoices, commitTogether, needsOwnTransaction } from './commit-invoices.ts';
import { GroupCommit } from './group-commit.ts';
import { measureIssuing } from './metrics.ts';
import { type CheckedInvoice, prepareInvoice } from './prepare-invoice.ts';
import type { PreparedInvoice } from './prepared-invoice.ts';
import type { InvoiceRequest } from './request.ts';

/** The queue in which prepared invoices are grouped for commits. */
export type IssueQueue = GroupCommit<PreparedInvoice, Outcome<StoredInvoice>>;

/** More lanes would make groups smaller; with fewer, one locked chain could stop them all. */
const LANES = 4;

export function createIssueQueue({ db }: { readonly db: Pick<Db, 'pool' | 'lineage'> }): IssueQueue {
  const commit = (group: readonly PreparedInvoice[]) =>
    statementsOf('changing', () => commitInvoices(db, group));
  return new GroupCommit(commit, {
    lanes: LANES,
    needsOwnGroup: needsOwnTransaction,
    mayShare: ({ unnumbered: one }, { unnumbered: other }) =>
      db.lineage.mayShare(one.environment_id, other.environment_id),
    usualLane: ({ chainId, unnumbered }) => {
      const worker = db.lineage.workerOf(unnumbered.environment_id);
      // Two lanes for each worker: in one lane those of several workers make small groups.
      return worker === null ? chainId : 2 * worker + (chainId % 2);
    },
    weight: ({ lines }) => lines.length,
    whenFull: () => new Refusal('service_unavailable', 'More is being issued than can be committed in time.'),
  });
}

/** An issued invoice and the link to its document: signed once, so that a replay returns it unchanged. */
export type Issued = { readonly stored: StoredInvoice; readonly pdfToken: string };

/** The rules of one kind of invoice; `checkInvoice` has those of an ordinary one. */
export type Check = (
  sources: CheckSources,
  caller: Scope,
  request: InvoiceRequest,
) => Promise<Outcome<CheckedInvoice>>;

type Issuing = {
  readonly key: string | null;
  readonly sent: unknown;
  readonly sign: (stored: StoredInvoice) => string;
  readonly check: Check;
};

/**
 * The dependencies of issuing: the sources of its checks, the software named in the record, and the commit queue.
 */
export type IssuingServices = CheckSources & {
  readonly db: Pick<Db, 'pool' | 'lineage'>;
  readonly config: Pick<Config, 'software'>;
  readonly issueQueue: Pick<IssueQueue, 'submit'>;
  readonly eventLoop: Pick<EventLoopScheduler, 'waitIfLarge'>;
};

/** An invoice that has passed every rule and waits to be committed. */
export type ReadyInvoice = { readonly prepared: PreparedInvoice; readonly checked: CheckedInvoice };

/** The origin of a checked request. */
type Readying = {
  /** The request as received. */
  readonly sent: unknown;
  readonly check: Check;
  /** The claimed key, and the answer that is stored for it. */
  readonly idempotency?: Parameters<typeof prepareInvoice>[3];
  /** The id of the invoice, if one was reserved. */
  readonly id?: string;
};

/**
 * Issues an invoice: checks everything (docs/contract.md#order-of-checks), then commits it with its number, its
 * sealed record and its jobs in one transaction. `key` is the caller's idempotency key, `sent` the request as
 * received, for comparing requests with one key, `sign` creates the token of the link to the document, `check`
 * contains the rules. Codes: those of `check`, of the gates, `idempotency_conflict`.
 */
export async function issueInvoice(
  services: IssuingServices,
  caller: Scope,
  request: InvoiceRequest,
  { key, sent, sign, check }: Issuing,
): Promise<{ readonly outcome: Outcome<Issued>; readonly replayed: boolean }> {
  const digest = () => requestDigest(sent);
  const { environmentId } = caller;
  const issue = async (claim: Claim | null): Promise<Outcome<Issued>> => {
    const issued = signedOnce(sign);
    const idempotency = claim && { claim, answer: (stored: StoredInvoice) => storedAnswer(issued(stored)) };
    const ready = await readyInvoice(services, caller, request, { sent, check, idempotency });
    if (isRefusal(ready)) return ready;
    const stored = await commitReady(services, ready);
    return isRefusal(stored) ? stored : issued(stored);
  };
  const issued = await measureIssuing(caller.environment, () =>
    once<Issued>(
      services.db,
      { environmentId, key, operation: 'issue_invoice', digest },
      issue,
      (answer) => answer as Issued,
    ),
  );
  if (!isRefusal(issued.outcome)) {
    const { invoice, record } = issued.outcome.stored;
    // The jobs of the invoice and the envelope of its record are logged with the same names.
    addLogFields({ invoiceId: invoice.id, chainId: record.chain_id });
  }
  return issued;
}

/** Checks everything and prepares the invoice, without storing anything: refuses as `issueInvoice` does. */
export async function readyInvoice(
  services: IssuingServices,
  scope: Scope,
  request: InvoiceRequest,
  { sent, check, idempotency = null, id }: Readying,
): Promise<Outcome<ReadyInvoice>> {
  const refusal = checkGates(scope);
  if (refusal !== null) return refusal;
  const checked = await inSpan('check', {}, () => check(services, scope, request));
  if (isRefusal(checked)) return checked;
  await services.eventLoop.waitIfLarge(scope.environmentId, request.lineItems.length);
  const digest = request.externalId === undefined ? null : requestDigest(sent).toString('hex');
  const identity = { digest, ...(id === undefined ? {} : { id }) };
  return {
    checked,
    prepared: prepareInvoice(scope, services.config.software, checked, idempotency, identity),
  };
}

/** Commits an invoice together with other ready ones; those of one chain in the order of the calls. */
export function commitReady(
  { issueQueue }: Pick<IssuingServices, 'issueQueue'>,
  { prepared, checked }: ReadyInvoice,
): Promise<Outcome<StoredInvoice>> {
  return issueQueue
    .submit(prepared.chainId, prepared)
    .catch((error: unknown) => seriesDeleted(error, checked));
}

/** Commits invoices that one request issues, in their order: all of them, or none. */
export function commitAll(
  { db }: Pick<IssuingServices, 'db'>,
  all: readonly ReadyInvoice[],
): Promise<Outcome<StoredInvoice[]>> {
  const group = all.map(({ prepared }) => prepared);
  return commitTogether(db, group).catch((error: unknown) => seriesDeleted(error, all[0]!.checked));
}

/** The link is signed once: replays return what the first caller got, whatever the time. */
function signedOnce(sign: Issuing['sign']): (stored: StoredInvoice) => Issued {
  let last: Issued | null = null;
  return (stored) => {
    // If the transaction is retried, it issues another invoice for the request.
    if (last?.stored !== stored) last = { stored, pdfToken: sign(stored) };
    return last;
  };
}

/** SQLSTATE of a foreign key violation. */
const FOREIGN_KEY_VIOLATION = '23503';

/**
 * A series that was deleted after its lookup has no counter to take a number from. If the request named none, it
 * was the default of a moment ago, and the same request goes on the default of now.
 */
function seriesDeleted(error: unknown, { kind, request }: CheckedInvoice): Refusal {
  const { code, table } = error as { code?: string; table?: string };
  if (code !== FOREIGN_KEY_VIOLATION || table !== 'series_counter') throw error;
  if (request.numberSeriesId === undefined) {
    const detail = 'The default number series was replaced while the request was being checked. Retry.';
    return new Refusal('service_unavailable', detail, { retryAfter: 1 });
  }
  return unknownSeries(kind.startsWith('rectifying') ? 'rectifying' : 'standard');
}
