import type { TestService } from '../support/http/http-service.ts';
import { type Operations, operationsOf, type Protocol, type Reply } from '../support/http/protocols.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';

/** Where a code is provoked: a company of its own, over one protocol, so that nothing stands in the way of the next. */
export type Stage = {
  readonly service: TestService;
  readonly protocol: Protocol;
  readonly ask: Operations;
  readonly company: TestCompany;
};

/** How each code comes about. What a provocation gives is the answer that must carry the code. */
export type Provocations = Readonly<Record<string, (stage: Stage) => Promise<Reply>>>;

/** A stage of the service's, with a company that was just made. */
export async function newStage(service: TestService, protocol: Protocol): Promise<Stage> {
  const company = await createCompany(service.db);
  const own: TestService = {
    ...service,
    company,
    call: (method, path, options = {}) => service.call(method, path, { key: company.test.key, ...options }),
    graphql: (query, variables, options = {}) =>
      service.graphql(query, variables, { key: company.test.key, ...options }),
  };
  return { service: own, protocol, company, ask: operationsOf(own, protocol) };
}

/** The body of what must have succeeded for a provocation to begin. */
export async function done(asked: Promise<Reply>): Promise<Reply['body']> {
  const reply = await asked;
  if (reply.code !== null) throw new Error(`${reply.code}: ${reply.detail}`);
  return reply.body;
}
