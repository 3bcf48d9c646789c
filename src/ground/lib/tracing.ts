import type * as otel from '@opentelemetry/api';

/**
 * OpenTelemetry's spans, for a process that keeps traces; for any other, nothing: not even the package is loaded.
 * Attributes name kinds, places and ids of ours. Of a person, and of what is secret, there is nothing in them.
 */

type OpenTelemetry = {
  readonly api: typeof otel;
  readonly tracer: otel.Tracer;
};

let installed: OpenTelemetry | null = null;

/** Has spans made from now on; null ends it. For start-up, once an SDK is there that takes them. */
export function installTracing(api: typeof otel | null): void {
  installed = api === null ? null : { api, tracer: api.trace.getTracer('lacre') };
}

/** Whether spans are made at all. */
export function keepsTraces(): boolean {
  return installed !== null;
}

/** What a span is about, by the names of OpenTelemetry's conventions or beginning with `lacre.`. */
export type Attributes = Record<string, string | number | boolean>;

/** The place in a trace that work belongs to, as W3C's header `traceparent` writes it. */
export type TraceParent = string;

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

type Kind = 'server' | 'client' | 'producer' | 'consumer';

type SpanOptions = {
  readonly attributes?: Attributes;
  readonly kind?: Kind;
  /** Where the span belongs; without it, to the span that is running. Null begins a trace of its own. */
  readonly parent?: TraceParent | null;
  readonly links?: readonly TraceParent[];
};

/** A span that is running; where no traces are kept, nothing that takes everything. */
export type RunningSpan = {
  set(attributes: Attributes): void;
  /** Marks it as failed, of a kind such as a code or the name of an error; never with its words. */
  fail(kind: string): void;
};

const NOTHING: RunningSpan = { set: () => {}, fail: () => {} };

/** Runs `work` in a span that ends with it. One that throws has failed. */
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

/** A span that is entered from several callbacks and ended by another, as a request's is. */
export type OpenSpan = RunningSpan & {
  /** Runs something within it. */
  within<T>(work: () => T): T;
  end(): void;
};

/** Begins a span; null where no traces are kept. */
export function openSpan(name: string, options: SpanOptions): OpenSpan | null {
  if (installed === null) return null;
  const { api } = installed;
  const span = begin(installed, name, options);
  const context = api.trace.setSpan(api.context.active(), span);
  return { ...handle(api, span), within: (work) => api.context.with(context, work), end: () => span.end() };
}

/** Notes what is over already: `start` and `end` are milliseconds of `performance.now()`. */
export function noteSpan(
  name: string,
  options: SpanOptions & { readonly start: number; readonly end: number; readonly failed?: string },
): void {
  if (installed === null) return;
  const span = begin(installed, name, options, performance.timeOrigin + options.start);
  if (options.failed !== undefined) handle(installed.api, span).fail(options.failed);
  span.end(performance.timeOrigin + options.end);
}

/** Where in a trace the running work is, for what carries it on; null when its trace is not kept. */
export function traceParent(): TraceParent | null {
  const context = installed?.api.trace.getActiveSpan()?.spanContext();
  if (context === undefined || (context.traceFlags & 1) === 0) return null;
  return `00-${context.traceId}-${context.spanId}-01`;
}

/** The running trace and span, as lines of the log name them. */
export function activeTrace(): { readonly trace_id: string; readonly span_id: string } | undefined {
  const context = installed?.api.trace.getActiveSpan()?.spanContext();
  return context && { trace_id: context.traceId, span_id: context.spanId };
}

/** The text when it is a `traceparent` that can be read. */
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
