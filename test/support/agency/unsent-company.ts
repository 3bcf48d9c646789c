import { submitChain } from '../../../src/subjects/registration/submit.ts';
import type { TestService } from '../http/http-service.ts';
import { createCompany, type TestCompany } from '../invoices/company.ts';
import { aLine, aSimplifiedInvoice } from '../invoices/invoices.ts';
import { testLog } from '../processes/run-log.ts';
import { companyNif, skipWait } from './registration.ts';
import type { TestSimulator } from './simulator.ts';

/** A company whose records wait to be sent, or go to a simulator that a test can make fail. */
export type UnsentCompany = {
  readonly company: TestCompany;
  readonly chainId: number;
  /** Issues a live ticket, or whatever the parts make of it; gives its id and number. */
  issue(parts?: Record<string, unknown>): Promise<{ readonly id: string; readonly number: string }>;
  /** Sends what waits, as the job would, with the wait over. */
  send(): Promise<void>;
  /** The id of the newest record of an invoice. */
  recordOf(invoiceId: string): Promise<string>;
};

// Apart from those of `companiesWithHistory`.
let companies = 9_000;

export async function anUnsentCompany(service: TestService, legalName: string): Promise<UnsentCompany> {
  companies += 1;
  const company = await createCompany(service.db, { nif: companyNif(companies), legalName });
  const { environmentId, chainId } = company.live;
  return {
    company,
    chainId,
    async issue(parts = {}) {
      const body = aSimplifiedInvoice({ line_items: [aLine({ description: 'Consultoría' })], ...parts });
      const answer = await service.call('POST', '/v1/invoices', { key: company.live.key, body });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return { id: answer.body.id, number: answer.body.number };
    },
    async send() {
      await skipWait(service.db, { environmentId, chainId });
      const agency = await service.services.agencyClients.clientFor(environmentId);
      await submitChain({ db: service.db, log: testLog(), agency }, { environmentId, chainId });
    },
    async recordOf(invoiceId) {
      const { rows } = await service.db.pool.query<{ id: string }>(
        'select id from registration_record where invoice_id = $1 order by position desc limit 1',
        [invoiceId],
      );
      return rows[0]!.id;
    },
  };
}

/** What became of the invoices of a day: one registered, one refused, one flagged. */
export async function anOrdinaryDay(company: UnsentCompany, simulator: TestSimulator) {
  await simulator.control({ mode: 'ok', enforce_wait: false });
  const described = (description: string) => ({ line_items: [aLine({ description })] });
  const registered = await company.issue();
  const refused = await company.issue(described('SIMULATE-REJECT reparación'));
  const flagged = await company.issue(described('SIMULATE-FLAG montaje'));
  await company.send();
  return { registered, refused, flagged };
}
