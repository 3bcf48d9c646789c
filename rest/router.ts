import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { contextFactory } from '../src/faces/graphql/context.ts';
import { parseRequest } from '../src/ground/errors/issues.ts';
import { isRefusal, Refusal } from '../src/ground/errors/refusal.ts';
import type { Services } from '../src/services.ts';
import type { LimitedOperation } from '../src/subjects/accounts/entry/rate-limit.ts';
import { accessTokenHandler } from './access-tokens.ts';
import { sendRefusal } from './answer.ts';
import { bodyBounds } from './body-bounds.ts';
import { CONTRACT } from './contract/all.ts';
import { portalSessionHandler } from './customer-portal.ts';
import { DRAFT_LIST, draftHandlers } from './drafts.ts';
import { EMAIL_LIST, emailHandlers } from './emails.ts';
import { EVENT_LIST, eventHandlers } from './events.ts';
import {
  countAgainstLimit,
  type Guard,
  readIdempotencyKey,
  requireKey,
  requireRoomForBatch,
} from './guards.ts';
import { healthHandlers } from './health.ts';
import { BATCH_LIST, batchHandlers, RESULT_LIST } from './invoice-batches.ts';
import { EXPAND } from './invoice-expansions.ts';
import { EXPORT, exportHandlers } from './invoice-export.ts';
import { FILE, INVOICE_LIST, invoiceHandlers, PAPER } from './invoices.ts';
import { routeOf, urlOf } from './kernel/routes.ts';
import { type Exposition, metricsHandler } from './metrics.ts';
import { openApiHandler, postmanHandler } from './openapi-handlers.ts';
import { type HandlerServices, handlerServices } from './operation.ts';
import { PAYMENT_LIST, paymentHandlers } from './payments.ts';
import { QR_CHECK_PATH, qrCheckHandler } from './qr-check.ts';
import { type Parameters, readQuery } from './query.ts';
import { registerBookHandler } from './register-books.ts';
import type { Method, Route } from './route.ts';
import { SCHEDULE_LIST, scheduleHandlers } from './schedules.ts';
import { validateTaxIdHandler } from './tax-ids.ts';
import { testClockHandlers } from './test-clock.ts';
import { DELIVERY_LIST, ENDPOINT_LIST, webhookHandlers } from './webhooks.ts';

/** Information about the process, passed in. */
export type ProcessStatus = {
  /** Whether every migration of this version has been applied. */
  readonly isMigrated: () => Promise<boolean>;
  readonly exposition: Exposition;
};

/**
 * Every endpoint, one per line. The guards are in the order in which they check a request
 * (docs/contract.md#order-of-checks).
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of routes
function routes(
  services: Services,
  handling: HandlerServices,
  { isMigrated, exposition }: ProcessStatus,
): Route[] {
  const invoices = invoiceHandlers(handling);
  const exported = exportHandlers(handling, services);
  const batches = batchHandlers(handling);
  const drafts = draftHandlers(handling);
  const schedules = scheduleHandlers(handling);
  const testClock = testClockHandlers(handling);
  const payments = paymentHandlers(handling);
  const events = eventHandlers(handling);
  const emails = emailHandlers(handling);
  const webhooks = webhookHandlers(handling);
  const health = healthHandlers(services, isMigrated);
  const may = (field: string) => requireKey(services, field);
  const keyed = readIdempotencyKey(services);
  const limited = (operation: LimitedOperation) => countAgainstLimit(services, operation);
  return [
    ['POST', '/v1/invoices', [may('issueInvoice'), keyed], EXPAND, invoices.issue],
    ['GET', '/v1/invoices', [may('invoices')], INVOICE_LIST, invoices.list],
    [
      'POST',
      '/v1/invoices/validate',
      [may('validateInvoice'), limited('validate_invoice')],
      {},
      invoices.validate,
    ],
    ['GET', '/v1/invoices/export', [may('documentExport')], EXPORT, exported.link],
    ['GET', '/v1/invoices/export/file', [], FILE, exported.file],
    ['GET', '/v1/invoices/:id', [may('invoice')], EXPAND, invoices.get],
    ['PATCH', '/v1/invoices/:id', [may('updateInvoiceMetadata')], {}, invoices.change],
    ['POST', '/v1/invoices/:id/payments', [may('recordPayment'), keyed], {}, payments.record],
    ['GET', '/v1/invoices/:id/payments', [may('invoice')], PAYMENT_LIST, payments.list],
    ['GET', '/v1/invoices/:id/payments/:payment_id', [may('invoice')], {}, payments.get],
    ['DELETE', '/v1/invoices/:id/payments/:payment_id', [may('removePayment')], {}, payments.remove],
    ['GET', '/v1/invoices/:id/business_statuses', [may('invoice')], {}, payments.statuses],
    [
      'POST',
      '/v1/invoices/:id/recipient_statuses',
      [may('recordRecipientStatus'), keyed],
      {},
      payments.recordStatus,
    ],
    ['GET', '/v1/invoices/:id/recipient_statuses', [may('invoice')], {}, payments.recipientStatuses],
    ['GET', '/v1/invoices/:id/download', [may('invoiceDownload')], PAPER, invoices.download],
    ['GET', '/v1/invoices/:id/formats/:format', [may('invoice')], {}, invoices.format],
    ['GET', '/v1/invoices/:id/file', [], { ...FILE, ...PAPER }, invoices.file],
    [
      'POST',
      '/v1/invoice_batches',
      [may('createInvoiceBatch'), keyed, requireRoomForBatch(services)],
      {},
      batches.create,
    ],
    ['GET', '/v1/invoice_batches', [may('invoiceBatches')], BATCH_LIST, batches.list],
    ['GET', '/v1/invoice_batches/:id', [may('invoiceBatch')], {}, batches.get],
    ['GET', '/v1/invoice_batches/:id/results', [may('invoiceBatchResults')], RESULT_LIST, batches.results],
    ['POST', '/v1/invoices/:id/send', [may('sendInvoice'), keyed], {}, emails.send],
    ['GET', '/v1/invoices/:id/emails', [may('invoice')], EMAIL_LIST, emails.list],
    ['GET', '/v1/email_settings', [may('emailSettings')], {}, emails.settings],
    ['PATCH', '/v1/email_settings', [may('setEmailSettings')], {}, emails.change],
    ['POST', '/v1/invoice_drafts', [may('createInvoiceDraft')], {}, drafts.create],
    ['GET', '/v1/invoice_drafts', [may('invoiceDrafts')], DRAFT_LIST, drafts.list],
    ['GET', '/v1/invoice_drafts/:id', [may('invoiceDraft')], {}, drafts.get],
    ['PATCH', '/v1/invoice_drafts/:id', [may('updateInvoiceDraft')], {}, drafts.update],
    ['DELETE', '/v1/invoice_drafts/:id', [may('deleteInvoiceDraft')], {}, drafts.remove],
    ['POST', '/v1/invoice_drafts/:id/issue', [may('issueInvoiceDraft')], {}, drafts.issue],
    ['POST', '/v1/invoice_schedules', [may('createInvoiceSchedule')], {}, schedules.create],
    ['GET', '/v1/invoice_schedules', [may('invoiceSchedules')], SCHEDULE_LIST, schedules.list],
    ['GET', '/v1/invoice_schedules/:id', [may('invoiceSchedule')], {}, schedules.get],
    ['PATCH', '/v1/invoice_schedules/:id', [may('updateInvoiceSchedule')], {}, schedules.update],
    ['POST', '/v1/invoice_schedules/:id/pause', [may('pauseInvoiceSchedule')], {}, schedules.pause],
    ['POST', '/v1/invoice_schedules/:id/resume', [may('resumeInvoiceSchedule')], {}, schedules.resume],
    ['POST', '/v1/invoice_schedules/:id/end', [may('endInvoiceSchedule')], {}, schedules.end],
    ['GET', '/v1/test_clock', [may('testClock')], {}, testClock.get],
    ['POST', '/v1/test_clock', [may('advanceTestClock')], {}, testClock.advance],
    ['DELETE', '/v1/test_clock', [may('removeTestClock')], {}, testClock.remove],
    [
      'POST',
      '/v1/customer_portal/sessions',
      [may('createCustomerPortalSession')],
      {},
      portalSessionHandler(handling),
    ],
    [
      'POST',
      '/v1/tax_ids/validate',
      [may('validateTaxId'), limited('validate_tax_id')],
      {},
      validateTaxIdHandler(handling),
    ],
    ['GET', '/v1/register_books/file', [], FILE, registerBookHandler(services)],
    ['POST', '/v1/access_tokens', [may('createAccessToken')], {}, accessTokenHandler(handling)],
    ['GET', '/v1/events', [may('events')], EVENT_LIST, events.list],
    ['GET', '/v1/events/:id', [may('event')], {}, events.get],
    ['POST', '/v1/webhook_endpoints', [may('createWebhookEndpoint')], {}, webhooks.create],
    ['GET', '/v1/webhook_endpoints', [may('webhookEndpoints')], ENDPOINT_LIST, webhooks.list],
    ['GET', '/v1/webhook_endpoints/:id', [may('webhookEndpoint')], {}, webhooks.get],
    ['PATCH', '/v1/webhook_endpoints/:id', [may('updateWebhookEndpoint')], {}, webhooks.update],
    ['DELETE', '/v1/webhook_endpoints/:id', [may('deleteWebhookEndpoint')], {}, webhooks.remove],
    ['POST', '/v1/webhook_endpoints/:id/rotate_secret', [may('rotateWebhookSecret')], {}, webhooks.rotate],
    ['POST', '/v1/webhook_endpoints/:id/ping', [may('pingWebhookEndpoint')], {}, webhooks.ping],
    ['POST', '/v1/webhook_endpoints/:id/replay', [may('replayWebhookEvents')], {}, webhooks.replay],
    [
      'GET',
      '/v1/webhook_endpoints/:id/deliveries',
      [may('webhookDeliveries')],
      DELIVERY_LIST,
      webhooks.deliveries,
    ],
    ['POST', '/v1/webhook_deliveries/:id/redeliver', [may('redeliverWebhook')], {}, webhooks.redeliver],
    ['GET', '/v1/openapi.json', [], null, openApiHandler(services)],
    ['GET', '/docs/postman.json', [], null, postmanHandler(services)],
    ['GET', QR_CHECK_PATH, [], null, qrCheckHandler(services)],
    ['GET', '/healthz', [], null, health.alive],
    ['GET', '/readyz', [], null, health.ready],
    ...metricsRoute(services, exposition),
  ];
}

/** Only if it has no separate port. */
function metricsRoute({ config }: Pick<Services, 'config'>, exposition: Exposition): Route[] {
  return config.metricsPort === null ? [['GET', '/metrics', [], null, metricsHandler(exposition)]] : [];
}

/** Paths that are served, with their methods, for `method_not_allowed`. */
const served = new Map<string, string[]>([['/graphql', ['GET', 'HEAD', 'POST']]]);

export function addRoutes(server: FastifyInstance, services: Services, status: ProcessStatus): void {
  const handling = handlerServices(services, contextFactory(services));
  const all = [
    ...routes(services, handling, status),
    ...CONTRACT.map((operation) => routeOf(operation, services, handling)),
  ];
  for (const [method, path, guards, parameters, handler] of all) {
    const methods = new Set([...(served.get(path) ?? []), method, ...(method === 'GET' ? ['HEAD'] : [])]);
    served.set(path, [...methods]);
    const bare = takesNoFields(method, path) ? [refuseFields(services)] : [];
    const reading =
      parameters === null ? {} : { preHandler: [readParameters(services, parameters), ...bare] };
    const onRequest = path.includes(':') ? [refuseMisread(services), ...guards] : [...guards];
    const { bytes: bodyLimit } = bodyBounds(method, path);
    server.route({ method, url: path, onRequest, bodyLimit, ...reading, handler });
  }
}

function refuseMisread({ config }: Pick<Services, 'config'>): Guard {
  return async (request, reply) =>
    isMisread(request.url) ? refuseRoute(request, reply, config.baseUrl) : undefined;
}

const BARE = new Set(
  CONTRACT.filter(({ body }) => body === undefined).map((one) => `${one.method} ${urlOf(one)}`),
);

const takesNoFields = (method: Method, path: string): boolean =>
  method === 'POST' && (WITHOUT_FIELDS.has(path) || BARE.has(`${method} ${path}`));

/** These requests take no fields: a body may be missing or empty, and one with fields is an error. */
const WITHOUT_FIELDS: ReadonlySet<string> = new Set([
  '/v1/invoice_drafts/:id/issue',
  '/v1/invoice_schedules/:id/pause',
  '/v1/invoice_schedules/:id/resume',
  '/v1/invoice_schedules/:id/end',
  '/v1/webhook_endpoints/:id/ping',
  '/v1/webhook_deliveries/:id/redeliver',
]);

const noFields = z.strictObject({});

function refuseFields({ config }: Pick<Services, 'config'>): Guard {
  return async (request, reply) => {
    const body = parseRequest(noFields, request.body ?? {});
    return isRefusal(body) ? sendRefusal(reply, body, config.baseUrl, 'of REST') : undefined;
  };
}

const LEFT = new Refusal('service_unavailable', 'The caller has left before it was answered.');

function readParameters({ config }: Pick<Services, 'config'>, parameters: Parameters): Guard {
  return async (request, reply) => {
    // Callers that disconnect and repeat their request would have answers built that are never read.
    if (request.repeatable && request.raw.socket.destroyed) return sendRefusal(reply, LEFT, config.baseUrl);
    const variables = readQuery(request.url, request.query as object, parameters);
    if (isRefusal(variables)) return sendRefusal(reply, variables, config.baseUrl, 'of REST');
    request.variables = variables;
    return undefined;
  };
}

/**
 * The methods for which a path is served, or null if it is not served. A path with a name of its own
 * (`/v1/invoices/validate`) does not match an id.
 */
export function allowedMethods(url: string): string[] | null {
  const path = url.split('?', 1)[0]!;
  const allowed = served.get(path);
  if (allowed !== undefined) return allowed;
  const steps = path.split('/');
  const matching = [...served].filter(([pattern]) => fits(pattern.split('/'), steps));
  return matching.length === 0 ? null : [...new Set(matching.flatMap(([, methods]) => methods))];
}

function fits(pattern: readonly string[], steps: readonly string[]): boolean {
  return (
    pattern.length === steps.length &&
    pattern.every((step, i) => (step.startsWith(':') ? steps[i] !== '' : step === steps[i]))
  );
}

/**
 * Values that the router matches as an id and that are none: an empty one (`//`, a trailing `/`), or a path with a name of
 * its own.
 */
const isMisread = (url: string): boolean => {
  const path = url.split('?', 1)[0]!;
  return path.endsWith('/') || path.includes('//') || served.has(path);
};

/** Refuses unknown routes, and known routes with other methods. */
export function refuseRoute(request: FastifyRequest, reply: FastifyReply, baseUrl: string): FastifyReply {
  const allowed = allowedMethods(request.url);
  if (allowed === null) return sendRefusal(reply, new Refusal('not_found', 'No such route.'), baseUrl);
  reply.header('allow', allowed.join(', '));
  return sendRefusal(
    reply,
    new Refusal('method_not_allowed', `${request.method} is not allowed here.`),
    baseUrl,
  );
}
