export type { CallOptions, KeyedOptions } from './calls.ts';
export { LacreClient } from './client.ts';
export type { Customer, CustomerFilter, CustomerOptions, CustomerReplacement } from './customers.ts';
export { type ErrorCode, type FieldIssue, LacreError, type LocalErrorCode } from './errors.ts';
export type * from './event-types.ts';
export type { EventFilter, FollowOptions } from './events.ts';
export type {
  ExchangeReplacement,
  ExchangeReplacementRequest,
  ExchangeRequest,
  ExchangeReturn,
  ExchangeReturnRequest,
} from './exchanges.ts';
export type { Http } from './http.ts';
export type { InvoiceBatch, InvoiceBatchRequest, InvoiceBatchResult } from './invoice-batches.ts';
export type {
  InvoiceDraft,
  InvoiceDraftChange,
  InvoiceDraftFilter,
  InvoiceDraftRequest,
} from './invoice-drafts.ts';
export type {
  InvoiceSchedule,
  InvoiceScheduleChange,
  InvoiceScheduleFilter,
  InvoiceScheduleRequest,
} from './invoice-schedules.ts';
export type {
  Download,
  Invoice,
  InvoiceChange,
  InvoiceEmail,
  InvoiceExpansion,
  InvoiceFilter,
  InvoiceRequest,
  RetrieveOptions,
  SendInvoiceRequest,
  ValidatedInvoice,
  VoidRequest,
} from './invoices.ts';
export type { List, Page } from './list.ts';
export type { NumberSeries, NumberSeriesFilter, NumberSeriesRequest } from './number-series.ts';
export type { components, operations, paths } from './schema.ts';
export type { TestClock, TestClockRequest } from './test-clock.ts';
export type { ClientOptions } from './transport.ts';
export type { Unlisted } from './unlisted.ts';
export type {
  WebhookDelivery,
  WebhookDeliveryFilter,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointRequest,
  WebhookEndpointWithSecret,
  WebhookReplayRequest,
  WebhookSecretRotation,
} from './webhook-endpoints.ts';
export { type VerifyOptions, verifyWebhook, type WebhookHeaders } from './webhooks.ts';
