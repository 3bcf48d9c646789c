import { Counter, Histogram } from 'prom-client';
import { inSpan } from './tracing.ts';

/** The external services: the agency's registration and query service, its census, and the EU's register of VAT numbers. */
export type Upstream = 'registration' | 'census' | 'vies';

/** Answered: including refusals. Unreachable: nothing was sent. Unanswered: the outcome is unknown. */
export type UpstreamOutcome = 'answered' | 'unreachable' | 'unanswered';

const requestSeconds = new Histogram({
  name: 'lacre_upstream_request_duration_seconds',
  help: 'Time of requests to the tax agency and the registers, answered or not.',
  labelNames: ['service', 'outcome'],
  // The longest timeout is 60 s (registration/aeat/transport.ts).
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
});

const refusedCertificates = new Counter({
  name: 'lacre_upstream_certificate_refused_total',
  help: 'Requests that were refused because of our client certificate.',
  labelNames: ['service'],
});
for (const service of ['registration', 'census']) refusedCertificates.inc({ service }, 0);

/** Measures a request to an external service, in its own span, which records only its destination. */
export async function callUpstream<T>(
  service: Upstream,
  host: string,
  request: () => Promise<T>,
  outcomeOf: (answer: T) => {
    readonly outcome: UpstreamOutcome;
    readonly status?: number;
    readonly certificateRefused?: boolean;
  },
): Promise<T> {
  const attributes = { 'server.address': host, 'lacre.upstream': service, 'http.request.method': 'POST' };
  return inSpan(`query ${service}`, { kind: 'client', attributes }, async (span) => {
    const start = performance.now();
    const answer = await request();
    const { outcome, status, certificateRefused = false } = outcomeOf(answer);
    if (certificateRefused) refusedCertificates.inc({ service });
    requestSeconds.labels(service, outcome).observe((performance.now() - start) / 1_000);
    if (status !== undefined) span.set({ 'http.response.status_code': status });
    if (outcome !== 'answered') span.fail(outcome);
    return answer;
  });
}
