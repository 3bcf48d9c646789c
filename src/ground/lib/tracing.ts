import type * as otel from '@opentelemetry/api';

/**
 * OpenTelemetry spans, for a process that records traces; otherwise not even the package is loaded. Attributes name kinds,
 * places and our own ids, never personal or secret data.
 */

type OpenTelemetry = {
  readonly api: typeof otel;
  readonly tracer: otel.Tracer;
};

let installed: OpenTelemetry | null = null;

/** Enables the creation of spans; null disables it. For start-up, once an SDK can receive them. */
export function installTracing(api: typeof otel | null): void {
  installed = api === null ? null : { api, tracer: api.trace.getTracer('lacre') };
}

/** Whether spans are created at all. */
export function isTracing(): boolean {
  return installed !== null;
}

/** The attributes of a span, named by OpenTelemetry's conventions or with the prefix `lacre.`. */
export type Attributes = Record<string, string | number | boolean>;

/** The position of work in a trace, as in W3C's header `traceparent`. */
export type TraceParent = string;

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

type Kind = 'server' | 'client' | 'producer' | 'consumer';

type SpanOptions = {
  readonly attributes?: Attributes;
  readonly kind?: Kind;
  /** The parent of the span; by default the current span. Null starts a new trace. */
  readonly parent?: TraceParent | null;
  readonly links?: readonly TraceParent[];
};

/** A current span; without traces, an object that ignores every call. */
export type RunningSpan = {
  set(attributes: Attributes): void;
  /** Marks it as failed, with a kind such as a code or the name of an error; never with its message. */
  fail(kind: string): void;
};

const NOTHING: RunningSpan = { set: () => {}, fail: () => {} };

/** Runs `work` in a span that ends with it. If it throws, the span has failed. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: RunningSpan) => Promise<T>,
): Promise<T> {
  if (installed === null) return work(NOTHING);
  const { api } = installed;
  const span = begin(installed, name, options);
  try {
    return await api.context.with(
      api.trace.setSpan(api.context.active(), span),
      work,
      undefined,
      handle(api, span),
    );
  } catch (error) {
    handle(api, span).fail(kindOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** A span that is entered by several callbacks and ended by another, such as that of a request. */
export type OpenSpan = RunningSpan & {
  /** Runs a function within it. */
  within<T>(work: () => T): T;
  end(): void;
};

/** Starts a span; null if no traces are recorded. */
export function openSpan(name: string, options: SpanOptions): OpenSpan | null {
  if (installed === null) return null;
  const { api } = installed;
  const span = begin(installed, name, options);
  const context = api.trace.setSpan(api.context.active(), span);
  return { ...handle(api, span), within: (work) => api.context.with(context, work), end: () => span.end() };
}

/** Records a span that has already ended: `start` and `end` are milliseconds of `performance.now()`. */
export function recordSpan(
  name: string,
  options: SpanOptions & { readonly start: number; readonly end: number; readonly failed?: string },
): void {
  if (installed === null) return;
  const span = begin(installed, name, options, performance.timeOrigin + options.start);
  if (options.failed !== undefined) handle(installed.api, span).fail(options.failed);
  span.end(performance.timeOrigin + options.end);
}

/** The position of the current work in its trace, for work that continues it; null if its trace is not recorded. */
export function traceParent(): TraceParent | null {
  const context = installed?.api.trace.getActiveSpan()?.spanContext();
  if (context === undefined || (context.traceFlags & 1) === 0) return null;
  return `00-${context.traceId}-${context.spanId}-01`;
}

/** The current trace and span, as lines of the log name them. */
export function activeTrace(): { readonly trace_id: string; readonly span_id: string } | undefined {
  const context = installed?.api.trace.getActiveSpan()?.spanContext();
  return context && { trace_id: context.traceId, span_id: context.spanId };
}

/** The text if it is a valid `traceparent`. */
export function readTraceParent(text: unknown): TraceParent | null {
  return typeof text === 'string' && TRACEPARENT.test(text) ? text : null;
}

function begin(
  { api, tracer }: OpenTelemetry,
  name: string,
  { attributes, kind, parent, links = [] }: SpanOptions,
  startTime?: number,
): otel.Span {
  const options: otel.SpanOptions = {
    ...(attributes === undefined ? {} : { attributes }),
    ...(kind === undefined ? {} : { kind: api.SpanKind[kind.toUpperCase() as Uppercase<Kind>] }),
    ...(startTime === undefined ? {} : { startTime }),
    links: links.map((link) => ({ context: contextOf(link) })),
  };
  return tracer.startSpan(name, options, parentContext(api, parent));
}

function parentContext(api: typeof otel, parent: TraceParent | null | undefined): otel.Context {
  if (parent === undefined) return api.context.active();
  return parent === null ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, contextOf(parent));
}

function contextOf(parent: TraceParent): otel.SpanContext {
  const [, traceId = '', spanId = '', flags = '00'] = TRACEPARENT.exec(parent) ?? [];
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

function handle(api: typeof otel, span: otel.Span): RunningSpan {
  return {
    set: (attributes) => void span.setAttributes(attributes),
    fail(kind) {
      span.setStatus({ code: api.SpanStatusCode.ERROR }).setAttribute('error.type', kind);
    },
  };
}

function kindOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
}
