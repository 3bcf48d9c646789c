import { bodyOf, type KeyedOptions, requestInit } from './calls.ts';
import type { Http } from './http.ts';
import type { Invoice } from './invoices.ts';
import type { components } from './schema.ts';

export type ExchangeRequest = components['schemas']['ExchangeRequest'];
export type ExchangeReturn = components['schemas']['ExchangeReturn'];
export type ExchangeReturnRequest = components['schemas']['ExchangeReturnRequest'];
export type ExchangeReplacement = components['schemas']['ExchangeReplacement'];
export type ExchangeReplacementRequest = components['schemas']['ExchangeReplacementRequest'];

/** Tickets that became one complete invoice, and what happens to it afterwards. `id` is the exchange's invoice. */
export class Exchanges {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Issues the complete invoice in exchange for simplified ones. */
  create(body: ExchangeRequest, options?: KeyedOptions): Promise<Invoice> {
    return bodyOf(this.#http.POST('/v1/exchanges', { body, ...requestInit(options) }));
  }

  /** Corrects it by what was given back. */
  return(id: string, body: ExchangeReturnRequest, options?: KeyedOptions): Promise<ExchangeReturn> {
    const params = { path: { id } };
    return bodyOf(this.#http.POST('/v1/exchanges/{id}/returns', { params, body, ...requestInit(options) }));
  }

  /** Issues it anew, for another recipient or with other data of the same one. */
  replace(
    id: string,
    body: ExchangeReplacementRequest,
    options?: KeyedOptions,
  ): Promise<ExchangeReplacement> {
    const path = '/v1/exchanges/{id}/replacement';
    return bodyOf(this.#http.POST(path, { params: { path: { id } }, body, ...requestInit(options) }));
  }
}
