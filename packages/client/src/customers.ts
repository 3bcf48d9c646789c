import { bodyOf, type CallOptions, requestInit } from './calls.ts';
import type { Http } from './http.ts';
import { List } from './list.ts';
import type { components, operations } from './schema.ts';

export type Customer = components['schemas']['Customer'];
export type CustomerReplacement = components['schemas']['CustomerReplacement'];
/** `limit` is how many are read at once. */
export type CustomerFilter = Omit<
  NonNullable<operations['listCustomers']['parameters']['query']>,
  'starting_after' | 'ending_before'
>;
export type CustomerOptions = CallOptions & {
  /** Whose ids they are, if the key's environment has several integrations. */
  readonly integrationId?: string | undefined;
};

/** Whom you invoice, by your own ids. */
export class Customers {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  list(filter: CustomerFilter = {}, options?: CallOptions): List<Customer> {
    return new List((cursor) => {
      const query = { limit: 100, ...filter, ...(cursor === undefined ? {} : { starting_after: cursor }) };
      return bodyOf(this.#http.GET('/v1/customers', { params: { query }, ...requestInit(options) }));
    });
  }

  retrieve(externalId: string, options: CustomerOptions = {}): Promise<Customer> {
    const params = paramsOf(externalId, options);
    const path = '/v1/customers/{external_customer_id}';
    return bodyOf(this.#http.GET(path, { params, ...requestInit(options) }));
  }

  /** Makes it, or puts what is sent in place of all that was known. Invoices keep what they were issued with. */
  save(externalId: string, body: CustomerReplacement, options: CustomerOptions = {}): Promise<Customer> {
    const params = paramsOf(externalId, options);
    const path = '/v1/customers/{external_customer_id}';
    return bodyOf(this.#http.PUT(path, { params, body, ...requestInit(options) }));
  }

  async delete(externalId: string, options: CustomerOptions = {}): Promise<void> {
    const params = paramsOf(externalId, options);
    await this.#http.DELETE('/v1/customers/{external_customer_id}', { params, ...requestInit(options) });
  }
}

function paramsOf(externalId: string, { integrationId }: CustomerOptions) {
  const query = integrationId === undefined ? {} : { integration_id: integrationId };
  return { path: { external_customer_id: externalId }, query };
}
