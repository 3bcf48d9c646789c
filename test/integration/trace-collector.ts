import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../support/processes/running-program.ts';

/** A span as OTLP's JSON has it, with what a test looks at. */
export type CollectedSpan = {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly attributes: Record<string, string | number | boolean>;
  readonly links: readonly string[];
  readonly failed: boolean;
  readonly milliseconds: number;
};

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
type Attribute = { key: string; value: Value };
type Sent = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        name: string;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        attributes?: Attribute[];
        links?: { traceId: string; spanId: string }[];
        status?: { code?: number };
      }[];
    }[];
  }[];
};

export type TraceCollector = {
  /** The variables that have a program send its traces here, soon. */
  readonly variables: Record<string, string>;
  /** All that was received, as it came. */
  text(): string;
  spans(): CollectedSpan[];
  /** Waits until there are spans that satisfy. */
  until(satisfied: (spans: CollectedSpan[]) => boolean): Promise<CollectedSpan[]>;
  close(): Promise<void>;
};

/** A collector of traces over OTLP/HTTP in JSON. */
export async function traceCollector(): Promise<TraceCollector> {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.url === '/v1/traces') received.push(Buffer.concat(chunks).toString());
    response
      .writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' })
      .end('{}');
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const spans = () => received.flatMap((body) => spansOf(JSON.parse(body) as Sent));
  return {
    variables: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
    text: () => received.join('\n'),
    spans,
    until: (satisfied) => eventually(async () => spans(), satisfied),
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

function spansOf({ resourceSpans }: Sent): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId || null,
        attributes: valuesOf(span.attributes ?? []),
        links: (span.links ?? []).map((link) => link.spanId),
        failed: span.status?.code === 2,
        milliseconds: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
      })),
  );
}

function valuesOf(attributes: readonly Attribute[]): CollectedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  );
}
