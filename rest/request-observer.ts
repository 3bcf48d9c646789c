import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Histogram } from 'prom-client';
import type { Refusal } from '../src/ground/errors/refusal.ts';
import { type LogFields, type Logger, withLogFields } from '../src/ground/lib/logger.ts';
import { isTracing, type OpenSpan, openSpan, readTraceParent } from '../src/ground/lib/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The logging context of the request: the fields of all its log entries, and its span. */
    requestLog: { readonly fields: LogFields; readonly span: OpenSpan | null } | null;
  }
}

/**
 * By route, method and class of status: about forty routes with one or two methods and three classes each. Without company
 * or key, because a histogram has thirteen series for each combination.
 */
const requests = new Histogram({
  name: 'lacre_http_request_duration_seconds',
  help: 'Time from the headers of a request to the end of its answer.',
  labelNames: ['route', 'method', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** Requested every few seconds: not worth a log entry each. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/** Records every request: one log entry, one observation and, if traces are recorded, one span. */
export function observeRequests(server: FastifyInstance, log: Logger): void {
  server.decorateRequest('requestLog', null);
  server.addHook('onRequest', (request, _reply, done) => {
    const span = isTracing() ? spanOf(request) : null;
    request.requestLog = { fields: { requestId: request.id }, span };
    within(request, done);
  });
  // A body arrives in callbacks of the socket, which do not belong to a request.
  server.addHook('preValidation', (request, _reply, done) => {
    Object.assign(request.requestLog?.fields ?? {}, callerFields(request));
    within(request, done);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request);
    const statusClass = `${Math.floor(reply.statusCode / 100)}xx`;
    seriesOf(route, request.method, statusClass).observe(reply.elapsedTime / 1_000);
    const span = request.requestLog?.span ?? null;
    logRequest(log, request, reply, { route, span });
    if (span !== null) endSpan(request, reply, span);
    done();
  });
}

type RequestSeries = ReturnType<typeof requests.labels>;

/** Finding a series by its labels costs more than counting in it. */
const found = new Map<string, RequestSeries>();

function seriesOf(route: string, method: string, status: string): RequestSeries {
  const name = `${status} ${method} ${route}`;
  let series = found.get(name);
  if (series === undefined) {
    series = requests.labels(route, method, status);
    found.set(name, series);
  }
  return series;
}

/** Records the code of the refusal for the request's log entry. */
export function recordRefusal(request: FastifyRequest, { code }: Refusal): void {
  if (request.requestLog) request.requestLog.fields['code'] = code;
}

function within(request: FastifyRequest, work: () => void): void {
  const { fields, span } = request.requestLog!;
  withLogFields(fields, span === null ? work : () => span.within(work));
}

/** Never the path itself: it can contain a token or search terms. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown';
}

function callerFields({ caller }: FastifyRequest): LogFields {
  if (caller === null || caller === undefined) return {};
  if (caller.kind === 'operator') {
    const { keyId, keyPrefix } = caller;
    return { operator: keyId, ...(keyPrefix === null ? {} : { keyPrefix }) };
  }
  const { environment, environmentId, keyPrefix } = caller;
  return { environment, environmentId, keyPrefix };
}

function logRequest(
  log: Logger,
  request: FastifyRequest,
  reply: FastifyReply,
  { route, span }: { readonly route: string; readonly span: OpenSpan | null },
): void {
  const level = PROBES.has(route) ? 'debug' : 'info';
  if (!log.isLevelEnabled(level)) return;
  const facts = {
    ...request.requestLog?.fields,
    ...callerFields(request),
    method: request.method,
    route,
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime * 10) / 10,
  };
  const message = reply.raw.writableFinished ? 'answered' : 'aborted by the client';
  // An answer may end in a callback of the connection, which could have another request's fields.
  const write = () => log[level](facts, message);
  withLogFields({}, span === null ? write : () => span.within(write));
}

function spanOf(request: FastifyRequest): OpenSpan | null {
  const route = routeOf(request);
  if (PROBES.has(route)) return null;
  const parent = readTraceParent(request.headers['traceparent']);
  return openSpan(`${request.method} ${route}`, {
    kind: 'server',
    parent,
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'lacre.request_id': request.id,
    },
  });
}

function endSpan(request: FastifyRequest, reply: FastifyReply, span: OpenSpan): void {
  const { environment, environmentId, keyPrefix } = callerFields(request);
  span.set({
    'http.response.status_code': reply.statusCode,
    ...(environment === undefined ? {} : { 'lacre.environment': environment }),
    ...(environmentId === undefined ? {} : { 'lacre.environment_id': environmentId }),
    ...(keyPrefix === undefined ? {} : { 'lacre.key_prefix': keyPrefix }),
  });
  const code = request.requestLog?.fields['code'];
  if (code !== undefined) span.set({ 'lacre.refusal': code });
  if (reply.statusCode >= 500) span.fail(String(code ?? reply.statusCode));
  span.end();
}
