import { bodyOf, type CallOptions, requestInit } from './calls.ts';
import type { Http } from './http.ts';
import { List } from './list.ts';
import type { components, operations } from './schema.ts';

export type InvoiceSchedule = components['schemas']['InvoiceSchedule'];
export type InvoiceScheduleRequest = components['schemas']['InvoiceScheduleRequest'];
export type InvoiceScheduleChange = components['schemas']['InvoiceScheduleChange'];
/** `limit` is how many are read at once. */
export type InvoiceScheduleFilter = Omit<
  NonNullable<operations['listInvoiceSchedules']['parameters']['query']>,
  'starting_after'
>;

/** Invoices that repeat. */
export class InvoiceSchedules {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  create(body: InvoiceScheduleRequest, options?: CallOptions): Promise<InvoiceSchedule> {
    return bodyOf(this.#http.POST('/v1/invoice_schedules', { body, ...requestInit(options) }));
  }

  retrieve(id: string, options?: CallOptions): Promise<InvoiceSchedule> {
    return bodyOf(this.#http.GET('/v1/invoice_schedules/{id}', { ...at(id), ...requestInit(options) }));
  }

  /** Changes what comes next. What is not sent stays, null removes it; `invoice` is sent whole. */
  update(id: string, body: InvoiceScheduleChange, options?: CallOptions): Promise<InvoiceSchedule> {
    return bodyOf(
      this.#http.PATCH('/v1/invoice_schedules/{id}', { ...at(id), body, ...requestInit(options) }),
    );
  }

  /** The newest first. */
  list(filter: InvoiceScheduleFilter = {}, options?: CallOptions): List<InvoiceSchedule> {
    return new List((cursor) => {
      const query = { limit: 100, ...filter, ...(cursor === undefined ? {} : { starting_after: cursor }) };
      return bodyOf(this.#http.GET('/v1/invoice_schedules', { params: { query }, ...requestInit(options) }));
    });
  }

  pause(id: string, options?: CallOptions): Promise<InvoiceSchedule> {
    return bodyOf(
      this.#http.POST('/v1/invoice_schedules/{id}/pause', { ...at(id), ...requestInit(options) }),
    );
  }

  /** Goes on from today on: the days that have passed meanwhile are left out. */
  resume(id: string, options?: CallOptions): Promise<InvoiceSchedule> {
    return bodyOf(
      this.#http.POST('/v1/invoice_schedules/{id}/resume', { ...at(id), ...requestInit(options) }),
    );
  }

  end(id: string, options?: CallOptions): Promise<InvoiceSchedule> {
    return bodyOf(this.#http.POST('/v1/invoice_schedules/{id}/end', { ...at(id), ...requestInit(options) }));
  }
}

const at = (id: string) => ({ params: { path: { id } } });
