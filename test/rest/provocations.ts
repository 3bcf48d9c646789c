import type { TestService } from '../support/http/http-service.ts';
import { type Operations, operationsOf, type Protocol, type Reply } from '../support/http/protocols.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';

/** Where a code is provoked: a company of its own, over one protocol, so that provocations do not affect each other. */
export type Setup = {
  readonly service: TestService;
  readonly protocol: Protocol;
  readonly operations: Operations;
  readonly company: TestCompany;
};

/** A request that provokes each code; its answer must have the code. */
export type Provocations = Readonly<Record<string, (setup: Setup) => Promise<Reply>>>;

/** A setup with a new company. */
export async function newSetup(service: TestService, protocol: Protocol): Promise<Setup> {
  const company = await createCompany(service.db);
  const own: TestService = {
    ...service,
    company,
    call: (method, path, options = {}) => service.call(method, path, { key: company.test.key, ...options }),
    graphql: (query, variables, options = {}) =>
      service.graphql(query, variables, { key: company.test.key, ...options }),
  };
  return { service: own, protocol, company, operations: operationsOf(own, protocol) };
}

/** The body of the answer to a request that prepares a provocation. Throws if it was refused. */
export async function done(request: Promise<Reply>): Promise<Reply['body']> {
  const reply = await request;
  if (reply.code !== null) throw new Error(`${reply.code}: ${reply.detail}`);
  return reply.body;
}
