import { expect } from 'vitest';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { type Authority, newAuthority, representative } from '../support/agency/certificates.ts';
import { companyNif } from '../support/agency/registration.ts';
import type { TestService } from '../support/http/http-service.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import type { Issued } from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { Sending } from '../support/mail/sending.ts';

/** A service with two companies of one account, in which mutations have something to change. */
export type Setup = {
  readonly sending: Sending;
  readonly service: TestService;
  readonly company: TestCompany;
  /** Another company of the same account. */
  readonly beside: TestCompany;
  /** The keys of the company's test environment and of an operator. */
  readonly merchant: string;
  readonly operator: string;
  readonly authority: Authority;
  /** Sends a query or mutation; its data, or the test fails. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  readonly execute: (query: string, variables?: object, key?: string) => Promise<any>;
  /** Issues a simplified invoice of 12.10 €, with the merchant's key unless another is given. */
  readonly ticket: (key?: string) => Promise<Issued>;
  close(): Promise<void>;
};

export async function openSetup(): Promise<Setup> {
  const sending = await Sending.open({ EMAIL_BOUNCES: 'rebotes@emisora.example' });
  const { service } = sending;
  const { company } = service;
  const { key: operator } = await createOperatorKey(service.db.pool, 'Ada');
  const { accountId } = company;
  return {
    ...{ sending, service, company, operator },
    beside: await createCompany(service.db, { nif: companyNif(900), accountId }),
    merchant: company.test.key,
    authority: newAuthority(),
    async execute(query, variables = {}, key = company.test.key) {
      const { body } = await service.graphql(query, variables, { key });
      expect(body.errors, query).toBeUndefined();
      return body.data;
    },
    async ticket(key = company.test.key) {
      const taxed = { tax_items: [{ type: 'vat', rate: 21 }] };
      const line = { description: 'Café', quantity: 1, unit_amount: 1_000, ...taxed };
      const body = aSimplifiedInvoice({ line_items: [line] });
      const answer = await service.call('POST', '/v1/invoices', { body, key });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return answer.body;
    },
    close: () => sending.close(),
  };
}

/** A client certificate of the company, to be uploaded. */
export function certificateOf({ authority, company }: Setup) {
  const issued = authority.issue({ subject: representative('B72877814') });
  const pkcs12Base64 = issued.p12('secret').toString('base64');
  return { companyId: company.companyId, pkcs12Base64, password: 'secret', reason: 'r' };
}

/** What is sent, after whatever it needs: the field of the mutation with everything that it changes. */
export type PreparedCase = {
  readonly done: string;
  /** By name: the type and the value. */
  readonly variables?: Readonly<Record<string, readonly [type: string, value: unknown]>>;
  /** Somebody else's key than the merchant's. */
  readonly key?: string;
  /** What is deleted beside the object that is returned. */
  readonly removed?: readonly string[];
  /** Fields that no answer holds, because whoever shows them reads them again and again. */
  readonly polled?: RegExp;
};

export type MutationCase = {
  readonly name: string;
  readonly prepare: (setup: Setup) => Promise<PreparedCase>;
};

/** A mutation that changes one object alone, which is all that it returns. */
export const alone = (
  name: string,
  type: string,
  given: (setup: Setup) => Promise<string> | string,
): MutationCase => ({
  name,
  prepare: async (setup) => ({ done: `${name}${await given(setup)} { ...${type} }` }),
});

/** In Madrid, where invoices and payments have their days. */
export const today = (): string => madridDay(new Date());
