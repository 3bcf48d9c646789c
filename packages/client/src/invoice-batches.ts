import { bodyOf, type CallOptions, type KeyedOptions, requestInit } from './calls.ts';
import type { Http } from './http.ts';
import { List } from './list.ts';
import { pause } from './pause.ts';
import type { components } from './schema.ts';

export type InvoiceBatch = components['schemas']['InvoiceBatch'];
export type InvoiceBatchRequest = components['schemas']['InvoiceBatchRequest'];
export type InvoiceBatchResult = components['schemas']['InvoiceBatchResult'];

/** How long to wait before looking for the first time; doubled each time, up to ten seconds. */
const FIRST_POLL_MS = 250;
const LONGEST_POLL_MS = 10_000;

/** Up to 1,000 invoices that are sent together and issued in their order, each with its own result. */
export class InvoiceBatches {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Sends a batch. The same invoices sent again are the ones that were issued. */
  create(body: InvoiceBatchRequest, options?: KeyedOptions): Promise<InvoiceBatch> {
    return bodyOf(this.#http.POST('/v1/invoice_batches', { body, ...requestInit(options) }));
  }

  retrieve(id: string, options?: CallOptions): Promise<InvoiceBatch> {
    const params = { path: { id } };
    return bodyOf(this.#http.GET('/v1/invoice_batches/{id}', { params, ...requestInit(options) }));
  }

  /** The newest first. */
  list(options?: CallOptions): List<InvoiceBatch> {
    return new List((cursor) => {
      const query = { limit: 100, ...(cursor === undefined ? {} : { starting_after: cursor }) };
      return bodyOf(this.#http.GET('/v1/invoice_batches', { params: { query }, ...requestInit(options) }));
    });
  }

  /** What became of each invoice, in the order in which they were sent. */
  results(id: string, options?: CallOptions): List<InvoiceBatchResult> {
    return new List((cursor) => {
      const query = { limit: 100, ...(cursor === undefined ? {} : { starting_after: cursor }) };
      const params = { path: { id }, query };
      return bodyOf(this.#http.GET('/v1/invoice_batches/{id}/results', { params, ...requestInit(options) }));
    });
  }

  /** The batch once every invoice has its result; `onProgress` is called with its progress. */
  async untilCompleted(
    id: string,
    options: CallOptions & { readonly onProgress?: (batch: InvoiceBatch) => void } = {},
  ): Promise<InvoiceBatch> {
    const { onProgress, ...calling } = options;
    for (let wait = FIRST_POLL_MS; ; wait = Math.min(2 * wait, LONGEST_POLL_MS)) {
      const batch = await this.retrieve(id, calling);
      onProgress?.(batch);
      if (batch.status === 'completed') return batch;
      await pause(wait, calling.signal);
    }
  }
}
