import type { Db } from '../../ground/db/client.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { newId } from '../../ground/lib/ids.ts';
import { addLogFields } from '../../ground/lib/logger.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { checkGates } from '../accounts/gates.ts';
import { readScope } from '../accounts/store/read-callers.ts';
import { NO_EXTENSIONS } from '../extensions/request.ts';
import type { Claim, KeyedOperation } from '../idempotency/claim.ts';
import { once, requestDigest, storedAnswer } from '../idempotency/keys.ts';
import { commitAll, type IssuingServices, type ReadyInvoice } from '../issuing/issue-invoice.ts';
import { measureIssuing } from '../issuing/metrics.ts';
import { type CheckedInvoice, prepareInvoice, prepareRecord } from '../issuing/prepare-invoice.ts';
import type { PreparedInvoice } from '../issuing/prepared-invoice.ts';
import { withNextStep } from './next-step.ts';
import { environmentOfInvoice } from './store.ts';
import type { Corrector } from './who-may-correct.ts';

/** Issues the invoices of one request in one transaction, once for its idempotency key. */

export type TogetherServices = Pick<IssuingServices, 'config' | 'registers' | 'catalogs'> & {
  readonly db: Pick<Db, 'pool' | 'lineage'>;
};

/** How a request is known when it comes again, and the token of the link to the document of each of its invoices. */
export type Repeatable = {
  readonly key: string | null;
  readonly sent: unknown;
  readonly sign: (invoice: { readonly environmentId: number; readonly id: string }) => string;
};

/** For a caller without idempotency keys, whose answer has no links. */
export const NOT_REPEATED: Repeatable = { key: null, sent: null, sign: () => '' };

/** The invoices that a request has issued, in their order, with their links. */
export type IssuedTogether = {
  readonly environmentId: number;
  readonly invoices: readonly { readonly id: string; readonly pdfToken: string }[];
};

export type Once<T> = { readonly outcome: Outcome<T>; readonly replayed: boolean };

/** The fields of a request that an invoice of such a group was not sent. */
export const NOTHING_SENT = {
  ...{ lineItems: [], externalId: undefined, notes: undefined, recargoEquivalencia: false },
  ...{ numberSeriesId: undefined, rectifies: undefined, operationDate: undefined, recipient: undefined },
  ...{ metadata: undefined, externalCustomerId: undefined, integrationId: undefined, ...NO_EXTENSIONS },
};

/** A checked invoice with the id that the others name it by. */
export type Member = {
  readonly id: string;
  readonly checked: CheckedInvoice;
  /** The member that it is given in exchange for, whose number is known only when that is sealed. */
  readonly inExchangeFor?: string;
};

/** Ids of so many invoices, in their order. */
export const newInvoiceIds = (count: number): string[] => Array.from({ length: count }, () => newId('inv'));

/**
 * Checks the invoices that correct an exchange invoice by `check` and issues them: all of them, or none. Refuses with
 * `invoice_not_found`, `idempotency_conflict`, and the codes of the gates and of `check`.
 */
export async function issueTogether(
  services: Pick<TogetherServices, 'db' | 'config'>,
  { within }: Corrector,
  exchangeInvoiceId: string,
  operation: KeyedOperation,
  { key, sent, sign }: Repeatable,
  check: (scope: Scope) => Promise<Outcome<readonly Member[]>>,
): Promise<Once<IssuedTogether>> {
  const environmentId = await environmentOfInvoice(services.db.pool, exchangeInvoiceId, within);
  if (isRefusal(environmentId)) return { outcome: environmentId, replayed: false };
  const scope = await readScope(services.db.pool, environmentId);
  const issue = async (claim: Claim | null): Promise<Outcome<IssuedTogether>> => {
    const refusal = checkGates(scope);
    if (refusal !== null) return refusal;
    const members = await check(scope);
    if (isRefusal(members)) return withNextStep(services.db, environmentId, members);
    const invoices = members.map(({ id }) => ({ id, pdfToken: sign({ environmentId, id }) }));
    const idempotency = claim && { claim, answer: () => storedAnswer({ environmentId, invoices }) };
    const stored = await commitAll(services, prepared(services, scope, members, idempotency));
    if (isRefusal(stored)) return stored;
    addLogFields({ invoiceId: stored[0]!.invoice.id, chainId: stored[0]!.record.chain_id });
    return { environmentId, invoices };
  };
  return measureIssuing(scope.environment, () =>
    once<IssuedTogether>(
      services.db,
      { environmentId, key, operation, digest: () => requestDigest(sent) },
      issue,
      (answer) => answer as IssuedTogether,
    ),
  );
}

/** The answer for the key is stored with the first of them. */
function prepared(
  { config }: Pick<TogetherServices, 'config'>,
  scope: Scope,
  members: readonly Member[],
  idempotency: Parameters<typeof prepareInvoice>[3],
): ReadyInvoice[] {
  const numbers = new Map<string, string>();
  return members.map(({ id, checked, inExchangeFor }, index) => {
    const one = prepareInvoice(scope, config.software, checked, index === 0 ? idempotency : null, { id });
    const seal: PreparedInvoice['record']['seal'] = (invoice, link) => {
      numbers.set(id, invoice.number);
      if (inExchangeFor === undefined) return one.record.seal(invoice, link);
      const number = numbers.get(inExchangeFor)!;
      const reference = { id: inExchangeFor, nif: scope.issuer.nif, number, issuedOn: invoice.issuedOn };
      const whole = { ...checked, exchanged: [reference] };
      return prepareRecord(scope, config.software, whole, id).seal(invoice, link);
    };
    return { checked, prepared: { ...one, record: { seal } } };
  });
}
