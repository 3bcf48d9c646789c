import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../src/errors/refusal.ts';
import type { Services } from '../src/services.ts';
import { sendRefusal } from './answer.ts';
import { portalSessionHandler } from './customer-portal.ts';
import { docsPage, errorsPage } from './docs.ts';
import { healthHandlers } from './health.ts';
import { invoiceHandlers } from './invoices.ts';
import { metricsHandler } from './metrics.ts';
import { seriesHandlers } from './number-series.ts';
import { openApiHandler } from './openapi.ts';
import { validateTaxIdHandler } from './tax-ids.ts';

type Method = 'GET' | 'POST' | 'DELETE';
type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
type Route = readonly [method: Method, path: string, access: 'key' | 'open', handler: Handler];

/** Every endpoint, one a line. `key` wants a merchant's API key before anything else is looked at. */
function routes(services: Services): Route[] {
  const invoices = invoiceHandlers(services);
  const series = seriesHandlers(services);
  const health = healthHandlers(services);
  return [
    ['POST', '/v1/invoices', 'key', invoices.issue],
    ['GET', '/v1/invoices', 'key', invoices.list],
    ['POST', '/v1/invoices/validate', 'key', invoices.validate],
    ['GET', '/v1/invoices/:id', 'key', invoices.get],
    ['GET', '/v1/invoices/:id/download', 'key', invoices.download],
    ['GET', '/v1/invoices/:id/file', 'open', invoices.file],
    ['POST', '/v1/number_series', 'key', series.create],
    ['GET', '/v1/number_series', 'key', series.list],
    ['GET', '/v1/number_series/:id', 'key', series.get],
    ['DELETE', '/v1/number_series/:id', 'key', series.remove],
    ['POST', '/v1/customer_portal/sessions', 'key', portalSessionHandler(services)],
    ['POST', '/v1/tax_ids/validate', 'key', validateTaxIdHandler(services)],
    ['GET', '/v1/openapi.json', 'open', openApiHandler(services)],
    ['GET', '/docs', 'open', docsPage(services)],
    ['GET', '/docs/errors', 'open', errorsPage(services)],
    ['GET', '/healthz', 'open', health.alive],
    ['GET', '/readyz', 'open', health.ready],
    ['GET', '/metrics', 'open', metricsHandler()],
  ];
}

/** Paths that are served, with their methods, for `method_not_allowed`. */
const served = new Map<string, string[]>([['/graphql', ['GET', 'POST']]]);

export function addRoutes(server: FastifyInstance, services: Services): void {
  const authenticate = requireKey(services);
  for (const [method, path, access, handler] of routes(services)) {
    const methods = served.get(path) ?? [];
    if (!methods.includes(method)) served.set(path, [...methods, method]);
    server.route({ method, url: path, handler, ...(access === 'key' ? { onRequest: authenticate } : {}) });
  }
}

/** The methods that a path is served for, or null when it is not served at all. */
export function allowedMethods(url: string): string[] | null {
  const steps = url.split('?', 1)[0]!.split('/');
  for (const [path, methods] of served) {
    const pattern = path.split('/');
    const fits =
      pattern.length === steps.length &&
      pattern.every((step, i) => step.startsWith(':') || step === steps[i]);
    if (fits) return methods;
  }
  return null;
}

/** Looks at the key before the body is read: a caller without one learns nothing else. */
function requireKey(services: Services) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    request.caller = await services.authenticator.merchant(request.headers.authorization);
    if (request.caller !== null) return undefined;
    const refusal = new Refusal('unauthorized', 'The API key is missing, malformed or revoked.');
    return sendRefusal(reply, refusal, services.config.baseUrl);
  };
}
