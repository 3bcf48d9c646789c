import type { Db } from '../../../src/ground/db/client.ts';
import { createOperatorKey, type NewKey } from '../../../src/subjects/accounts/keys.ts';
import { listByDecisive } from '../../../src/subjects/registration/store/listed.ts';
import { journalMissing } from '../database/journal.ts';
import type { Answer, TestService } from '../http/http-service.ts';
import { aLine } from './invoices.ts';

/** Helpers of the tests that correct, void, exchange and amend. */

export type Verdict = 'registered' | 'registered_with_errors' | 'rejected';

/** Sets all pending records of an invoice to the given outcome, as if the agency had answered. */
export async function decideRecords(
  db: Db,
  invoiceId: string,
  outcome: Verdict,
  code?: string,
  /** Of the invoice: all servers need not be asked then. */
  environmentId?: number,
): Promise<void> {
  const errorCode = code ?? { registered: null, registered_with_errors: '2001', rejected: '1110' }[outcome];
  const within = environmentId === undefined ? '' : `and state.environment_id = ${environmentId}`;
  const { rows } = await db.pool.query<{ id: number }>(
    `update record_state state set status = $2, error_code = $3, error_message = $4, settled_at = now(), attempts = 1
       from registration_record record
      where record.invoice_id = $1 and record.environment_id = state.environment_id and record.id = state.record_id
        and state.status = 'pending' ${within} returning state.environment_id as id`,
    [invoiceId, outcome, errorCode, errorCode && `Mensaje ${errorCode}`],
  );
  if (rows[0] === undefined) throw new Error(`${invoiceId} has no pending record`);
  await listByDecisive(db.pool, rows[0].id, [invoiceId]);
  await journalMissing(db, rows[0].id);
}

/** The records of an invoice as text, the oldest first. */
export async function xmlOf(db: Db, invoiceId: string): Promise<string[]> {
  const { rows } = await db.pool.query<{ xml: string }>(
    'select xml from registration_record where invoice_id = $1 order by chain_id, position',
    [invoiceId],
  );
  return rows.map(({ xml }) => xml);
}

/** What tests read of the answer to an issued invoice. */
export type Issued = { id: string; number: string; type: string; invoice_date: string; total: number };

/** Issues an invoice over REST. Throws if it is refused. */
export async function issueWith(service: TestService, body: object, kind: 'test' | 'live'): Promise<Issued> {
  const answer = await service.call('POST', '/v1/invoices', { body, key: service.company[kind].key });
  if (answer.status !== 201) throw new Error(`not issued: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The counts that a refused request must not change, as one value to be compared. */
export async function persistedCounts(db: Db): Promise<object> {
  const { rows } = await db.pool.query(
    `select (select coalesce(sum(last_number), 0)::int from series_counter) as numbers,
            (select count(*)::int from invoice) as invoices,
            (select count(*)::int from registration_record) as records,
            (select count(*)::int from invoice_void) as voids,
            (select count(*)::int from invoice_exchange) as exchanges,
            (select count(*)::int from invoice_amendment) as amendments,
            (select count(*)::int from audit_entry) as acts,
            (select count(*)::int from graphile_worker.jobs) as jobs`,
  );
  return rows[0] as object;
}

/** An operator of the service, and the requests that the tests make as one. */
export async function operatorOf(service: TestService) {
  return correctorWith(service, await createOperatorKey(service.db.pool, 'Ada'));
}

/** The same with a given key. */
export function correctorWith(service: TestService, { key, id }: Pick<NewKey, 'key' | 'id'>) {
  const execute = async (query: string, variables: object): Promise<Answer['body']> => {
    const { body } = await service.graphql(query, variables, { key });
    return body;
  };
  const mutation = (call: string, parameters: string) =>
    `mutation (${parameters}) { ${call} { ${INVOICE} } }`;
  const voiding = mutation(
    'result: voidInvoice(invoiceId: $invoiceId, reason: $reason)',
    '$invoiceId: ID!, $reason: String!',
  );
  const exchanging = mutation('result: exchangeInvoices(input: $input)', '$input: ExchangeInvoicesInput!');
  const amending = mutation('result: amendRecord(input: $input)', '$input: AmendRecordInput!');
  const skipping = mutation(
    'result: skipRecord(recordId: $recordId, reason: $reason)',
    '$recordId: ID!, $reason: String!',
  );
  return {
    id,
    key,
    execute,
    voidInvoice: (invoiceId: string, reason = 'Duplicada') => execute(voiding, { invoiceId, reason }),
    exchangeInvoices: (input: object) => execute(exchanging, { input }),
    amendRecord: (input: object) => execute(amending, { input: { reason: 'Dato erróneo', ...input } }),
    skipRecord: (recordId: string, reason = 'Sin obligación') => execute(skipping, { recordId, reason }),
    readInvoice: (id: string) =>
      execute(`query ($id: ID!) { result: invoice(id: $id) { ${INVOICE} } }`, { id }),
  };
}

const INVOICE = `id number status kind type total environment companyId notes externalId
  recipient { name companyName taxId taxIdType }
  rectifiedBy { id } exchanges { id } exchangedBy { id }
  verifactu { status hash qrUrl error { code message } }
  records { id kind status hash position xml error { code } }`;

/** The code of a refusal; null for a success. */
export const codeOf = (body: Answer['body']): string | null => body.errors?.[0]?.extensions.code ?? null;

type Named = { id: string; type: string };

/** The body of a rectificativa by differences over an invoice, of one line. */
export function differences(invoice: Named, unitAmount: number, parts: object = {}) {
  return {
    type: invoice.type,
    line_items: [aLine({ quantity: 1, unit_amount: unitAmount })],
    rectifies: { invoice_id: invoice.id, method: 'differences' },
    ...parts,
  };
}

/** The same by substitution. */
export function substitution(invoice: Named, unitAmount: number, parts: object = {}) {
  return differences(invoice, unitAmount, {
    rectifies: { invoice_id: invoice.id, method: 'substitution' },
    ...parts,
  });
}

/** A recipient that the simulated census knows, as GraphQL's input. */
export const ANA = {
  name: 'García Pérez Ana',
  taxId: '12345678Z',
  address: { line1: 'Calle Mayor 1', postalCode: '28001', city: 'Madrid', country: 'ES' },
};
