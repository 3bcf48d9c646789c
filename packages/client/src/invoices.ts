import { bodyOf, type CallOptions, type KeyedOptions, requestInit } from './calls.ts';
import type { Http } from './http.ts';
import { List } from './list.ts';
import { newsOf, Wakeups } from './live.ts';
import type { components, operations } from './schema.ts';
import type { Transport } from './transport.ts';

export type Invoice = components['schemas']['Invoice'];
export type InvoiceRequest = components['schemas']['InvoiceRequest'];
export type Payment = components['schemas']['Payment'];
export type VoidRequest = components['schemas']['VoidRequest'];
export type PaymentRequest = components['schemas']['PaymentRequest'];
export type RecipientStatus = components['schemas']['RecipientStatus'];
export type RecipientStatusRequest = components['schemas']['RecipientStatusRequest'];
export type InvoiceChange = components['schemas']['InvoiceChange'];
export type ValidatedInvoice = components['schemas']['ValidatedInvoice'];
export type InvoiceEmail = components['schemas']['InvoiceEmail'];
export type SendInvoiceRequest = components['schemas']['SendInvoiceRequest'];
export type Download = components['schemas']['Download'];
/** `limit` is how many are read at once. */
export type InvoiceFilter = Omit<
  NonNullable<operations['listInvoices']['parameters']['query']>,
  'starting_after' | 'ending_before'
>;

export type InvoiceExpansion = NonNullable<
  NonNullable<operations['retrieveInvoice']['parameters']['query']>['expand[]']
>[number];
export type PdfOptions = CallOptions & {
  /** `a4`, which it is without it, or `roll` for a receipt printer, 80 mm wide. */
  readonly paper?: components['schemas']['DocumentPaper'] | undefined;
};

export type RetrieveOptions = CallOptions & {
  /** What to answer beside the invoice's own fields. */
  readonly expand?: readonly InvoiceExpansion[] | undefined;
};

/** A state that nobody knew when this was made is waited through. */
const SETTLED = ['registered', 'registered_with_errors', 'rejected', 'skipped'];

/** How long to wait before looking for the first time; doubled each time, up to half an hour (the guide on polling). */
const FIRST_POLL_MS = 1_000;
const LONGEST_POLL_MS = 30 * 60_000;
/** With a stream that announces when to request it. */
const LIVE_POLL_MS = 60_000;

const CHANGES = 'subscription ($ids: [ID!]) { invoiceChanged(filter: { invoiceIds: $ids }) { type } }';

export class Invoices {
  readonly #http: Http;
  readonly #transport: Transport;

  constructor(http: Http, transport: Transport) {
    this.#http = http;
    this.#transport = transport;
  }

  /** Issues an invoice, or with `rectifies` a rectificativa. It exists legally as soon as this returns. */
  create(body: InvoiceRequest, options: KeyedOptions & RetrieveOptions = {}): Promise<Invoice> {
    return bodyOf(
      this.#http.POST('/v1/invoices', { params: expanding(options), body, ...requestInit(options) }),
    );
  }

  /** What it would be, by the same checks, with nothing stored and no number used. */
  validate(body: InvoiceRequest, options?: CallOptions): Promise<ValidatedInvoice> {
    return bodyOf(this.#http.POST('/v1/invoices/validate', { body, ...requestInit(options) }));
  }

  retrieve(id: string, options: RetrieveOptions = {}): Promise<Invoice> {
    const params = { path: { id }, ...expanding(options) };
    return bodyOf(this.#http.GET('/v1/invoices/{id}', { params, ...requestInit(options) }));
  }

  /** Changes your own notes on an invoice (`metadata`); nothing else of it ever changes. */
  update(id: string, body: InvoiceChange, options?: CallOptions): Promise<Invoice> {
    const params = { path: { id } };
    return bodyOf(this.#http.PATCH('/v1/invoices/{id}', { params, body, ...requestInit(options) }));
  }

  /** Voids an invoice that should never have been issued; what was sold is corrected by a rectificativa instead. */
  void(id: string, body: VoidRequest, options?: KeyedOptions): Promise<Invoice> {
    const params = { path: { id } };
    return bodyOf(this.#http.POST('/v1/invoices/{id}/void', { params, body, ...requestInit(options) }));
  }

  /** The newest first. */
  list(filter: InvoiceFilter = {}, options?: CallOptions): List<Invoice> {
    return new List((cursor) => {
      const query = { limit: 100, ...filter, ...(cursor === undefined ? {} : { starting_after: cursor }) };
      return bodyOf(this.#http.GET('/v1/invoices', { params: { query }, ...requestInit(options) }));
    });
  }

  /** Sends it by e-mail, to the address on it unless `to` names others. What becomes of it: `emails`, and the events. */
  send(id: string, body: SendInvoiceRequest = {}, options: KeyedOptions = {}): Promise<InvoiceEmail> {
    const params = { path: { id } };
    return bodyOf(this.#http.POST('/v1/invoices/{id}/send', { params, body, ...requestInit(options) }));
  }

  /** The e-mails that it was sent by, newest first. */
  emails(id: string, options?: CallOptions): List<InvoiceEmail> {
    return new List((cursor) => {
      const query = { limit: 100, ...(cursor === undefined ? {} : { starting_after: cursor }) };
      const params = { path: { id }, query };
      return bodyOf(this.#http.GET('/v1/invoices/{id}/emails', { params, ...requestInit(options) }));
    });
  }

  /** Records what was paid of an invoice; of one with a negative total, what was given back. */
  recordPayment(id: string, body: PaymentRequest, options?: KeyedOptions): Promise<Payment> {
    const params = { path: { id } };
    return bodyOf(this.#http.POST('/v1/invoices/{id}/payments', { params, body, ...requestInit(options) }));
  }

  /** The payments of an invoice that count, in the order in which they were recorded. */
  payments(id: string, options?: CallOptions): List<Payment> {
    return new List((cursor) => {
      const query = { limit: 100, ...(cursor === undefined ? {} : { starting_after: cursor }) };
      const params = { path: { id }, query };
      return bodyOf(this.#http.GET('/v1/invoices/{id}/payments', { params, ...requestInit(options) }));
    });
  }

  /** Removes a payment that was recorded wrongly. Removing it again does nothing more. */
  async removePayment(id: string, paymentId: string, options?: CallOptions): Promise<void> {
    const params = { path: { id, payment_id: paymentId } };
    await this.#http.DELETE('/v1/invoices/{id}/payments/{payment_id}', { params, ...requestInit(options) });
  }

  /** Records what the recipient of an invoice between businesses has stated: paid, rejected with its reason, or withdrawn. */
  recordRecipientStatus(
    id: string,
    body: RecipientStatusRequest,
    options?: KeyedOptions,
  ): Promise<RecipientStatus> {
    const path = '/v1/invoices/{id}/recipient_statuses';
    return bodyOf(this.#http.POST(path, { params: { path: { id } }, body, ...requestInit(options) }));
  }

  /** What the recipient has stated, in the order in which it was recorded; the last one counts. */
  async recipientStatuses(id: string, options?: CallOptions): Promise<readonly RecipientStatus[]> {
    const path = '/v1/invoices/{id}/recipient_statuses';
    const { data } = await bodyOf(
      this.#http.GET(path, { params: { path: { id } }, ...requestInit(options) }),
    );
    return data;
  }

  /** A link to the PDF that is good for 15 minutes and needs no key. */
  createDownload(id: string, { paper, ...options }: PdfOptions = {}): Promise<Download> {
    const params = { path: { id }, query: paper === undefined ? {} : { paper } };
    return bodyOf(this.#http.GET('/v1/invoices/{id}/download', { params, ...requestInit(options) }));
  }

  /** The PDF as it comes. It is requested where everything is requested, whatever address links are given out with. */
  async pdf(id: string, options: PdfOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const { download_url: link } = await this.createDownload(id, options);
    const url = this.#transport.baseUrl + link.slice(link.indexOf('/v1/invoices/'));
    const { signal } = options;
    // The link is good without the key.
    const request = { url, method: 'GET', headers: {}, body: null, signal };
    const { response } = await this.#transport.send(request);
    if (response.body === null) throw new TypeError('an answer without a body');
    return response.body;
  }

  /**
   * The invoice once the tax agency has answered, or once it is clear that it is not asked: announced by live updates, or
   * by looking after 1 s, 2 s, 4 s and so on up to every half hour. While the agency is down that may take days: give
   * `signal` a time, such as `AbortSignal.timeout(60_000)`.
   */
  async untilSettled(id: string, options: CallOptions = {}): Promise<Invoice> {
    const open = (signal: AbortSignal) => newsOf(this.#transport, CHANGES, { ids: [id] }, signal);
    const wakeups = new Wakeups(open, options.signal);
    try {
      for (let wait = FIRST_POLL_MS; ; wait = Math.min(2 * wait, LONGEST_POLL_MS)) {
        const invoice = await this.retrieve(id, options);
        if (invoice.verifactu === null || SETTLED.includes(invoice.verifactu.status)) return invoice;
        await wakeups.wait(wakeups.isLive ? Math.max(wait, LIVE_POLL_MS) : wait);
      }
    } finally {
      wakeups.close();
    }
  }
}

function expanding({ expand = [] }: RetrieveOptions): { query?: { 'expand[]': InvoiceExpansion[] } } {
  return expand.length === 0 ? {} : { query: { 'expand[]': [...expand] } };
}
