import { bodyOf, type CallOptions, requestInit } from './calls.ts';
import type { Http } from './http.ts';
import type { Invoice } from './invoices.ts';
import { List } from './list.ts';
import type { components, operations } from './schema.ts';

export type InvoiceDraft = components['schemas']['InvoiceDraft'];
export type InvoiceDraftRequest = components['schemas']['InvoiceDraftRequest'];
export type InvoiceDraftChange = components['schemas']['InvoiceDraftChange'];
/** `limit` is how many are read at once. */
export type InvoiceDraftFilter = Omit<
  NonNullable<operations['listInvoiceDrafts']['parameters']['query']>,
  'starting_after'
>;

/** Invoices that are not issued yet. */
export class InvoiceDrafts {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** `errors` of the answer state what it still lacks. */
  create(body: InvoiceDraftRequest, options?: CallOptions): Promise<InvoiceDraft> {
    return bodyOf(this.#http.POST('/v1/invoice_drafts', { body, ...requestInit(options) }));
  }

  retrieve(id: string, options?: CallOptions): Promise<InvoiceDraft> {
    const params = { path: { id } };
    return bodyOf(this.#http.GET('/v1/invoice_drafts/{id}', { params, ...requestInit(options) }));
  }

  /** What is not sent stays; `invoice` is sent whole. */
  update(id: string, body: InvoiceDraftChange, options?: CallOptions): Promise<InvoiceDraft> {
    const params = { path: { id } };
    return bodyOf(this.#http.PATCH('/v1/invoice_drafts/{id}', { params, body, ...requestInit(options) }));
  }

  /** The newest first. */
  list(filter: InvoiceDraftFilter = {}, options?: CallOptions): List<InvoiceDraft> {
    return new List((cursor) => {
      const query = { limit: 100, ...filter, ...(cursor === undefined ? {} : { starting_after: cursor }) };
      return bodyOf(this.#http.GET('/v1/invoice_drafts', { params: { query }, ...requestInit(options) }));
    });
  }

  /** `invoice_draft_already_issued` once it was. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#http.DELETE('/v1/invoice_drafts/{id}', { params: { path: { id } }, ...requestInit(options) });
  }

  /** Issues it, once: asked again, it answers the same invoice. So it may be tried again without harm. */
  issue(id: string, options?: CallOptions): Promise<Invoice> {
    const params = { path: { id } };
    return bodyOf(this.#http.POST('/v1/invoice_drafts/{id}/issue', { params, ...requestInit(options) }));
  }
}
