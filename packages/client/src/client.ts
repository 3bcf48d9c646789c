import { bodyOf, type CallOptions, requestInit } from './calls.ts';
import { Customers } from './customers.ts';
import { Events } from './events.ts';
import { Exchanges } from './exchanges.ts';
import { type Http, httpOver } from './http.ts';
import { InvoiceBatches } from './invoice-batches.ts';
import { InvoiceDrafts } from './invoice-drafts.ts';
import { InvoiceSchedules } from './invoice-schedules.ts';
import { Invoices } from './invoices.ts';
import { NumberSeriesList } from './number-series.ts';
import type { components } from './schema.ts';
import { TestClocks } from './test-clock.ts';
import { type ClientOptions, Transport } from './transport.ts';
import { WebhookEndpoints } from './webhook-endpoints.ts';

type Schemas = components['schemas'];

/** A service as one key sees it. It holds no connection; make one for each key and keep it. */
export class LacreClient {
  readonly invoices: Invoices;
  readonly exchanges: Exchanges;
  readonly customers: Customers;
  readonly invoiceBatches: InvoiceBatches;
  readonly invoiceDrafts: InvoiceDrafts;
  readonly invoiceSchedules: InvoiceSchedules;
  readonly testClock: TestClocks;
  readonly numberSeries: NumberSeriesList;
  readonly events: Events;
  readonly webhookEndpoints: WebhookEndpoints;
  /** Every endpoint by its path: also those that have no method here. */
  readonly http: Http;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.http = httpOver(transport);
    this.invoices = new Invoices(this.http, transport);
    this.exchanges = new Exchanges(this.http);
    this.customers = new Customers(this.http);
    this.invoiceBatches = new InvoiceBatches(this.http);
    this.invoiceDrafts = new InvoiceDrafts(this.http);
    this.invoiceSchedules = new InvoiceSchedules(this.http);
    this.testClock = new TestClocks(this.http);
    this.numberSeries = new NumberSeriesList(this.http);
    this.events = new Events(this.http, transport);
    this.webhookEndpoints = new WebhookEndpoints(this.http);
  }

  /** Whether a tax id is one, and is registered. */
  validateTaxId(body: Schemas['TaxIdRequest'], options?: CallOptions): Promise<Schemas['TaxIdValidation']> {
    return bodyOf(this.http.POST('/v1/tax_ids/validate', { body, ...requestInit(options) }));
  }

  /** A link to the page of a customer, good for an hour. */
  createCustomerPortalSession(
    body: Schemas['CustomerPortalSessionRequest'],
    options?: CallOptions,
  ): Promise<Schemas['CustomerPortalSession']> {
    return bodyOf(this.http.POST('/v1/customer_portal/sessions', { body, ...requestInit(options) }));
  }

  /** A link to the register book of a period, good for 15 minutes, which needs no key. */
  createRegisterBook(
    body: Schemas['RegisterBookRequest'],
    options?: CallOptions,
  ): Promise<Schemas['RegisterBookLink']> {
    return bodyOf(this.http.POST('/v1/register_books', { body, ...requestInit(options) }));
  }

  /** A token for a web page, in place of the key. */
  createAccessToken(
    body: Schemas['AccessTokenRequest'],
    options?: CallOptions,
  ): Promise<Schemas['AccessToken']> {
    return bodyOf(this.http.POST('/v1/access_tokens', { body, ...requestInit(options) }));
  }
}
