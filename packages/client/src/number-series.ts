import { bodyOf, type CallOptions, type KeyedOptions, requestInit } from './calls.ts';
import type { Http } from './http.ts';
import { List } from './list.ts';
import type { components, operations } from './schema.ts';

export type NumberSeries = components['schemas']['NumberSeries'];
export type NumberSeriesRequest = components['schemas']['NumberSeriesRequest'];
/** `limit` is how many are read at once. */
export type NumberSeriesFilter = Omit<
  NonNullable<operations['listNumberSeries']['parameters']['query']>,
  'starting_after' | 'ending_before'
>;

/** Where numbers come from. A series never changes. */
export class NumberSeriesList {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  create(body: NumberSeriesRequest, options?: KeyedOptions): Promise<NumberSeries> {
    return bodyOf(this.#http.POST('/v1/number_series', { body, ...requestInit(options) }));
  }

  retrieve(id: string, options?: CallOptions): Promise<NumberSeries> {
    const params = { path: { id } };
    return bodyOf(this.#http.GET('/v1/number_series/{id}', { params, ...requestInit(options) }));
  }

  list(filter: NumberSeriesFilter = {}, options?: CallOptions): List<NumberSeries> {
    return new List((cursor) => {
      const query = { limit: 100, ...filter, ...(cursor === undefined ? {} : { starting_after: cursor }) };
      return bodyOf(this.#http.GET('/v1/number_series', { params: { query }, ...requestInit(options) }));
    });
  }

  /** `number_series_in_use` once something was issued on it. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#http.DELETE('/v1/number_series/{id}', { params: { path: { id } }, ...requestInit(options) });
  }
}
