import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/ground/config/config.ts';
import { inSpan, isTracing, openSpan, readTraceParent, traceParent } from '../../src/ground/lib/tracing.ts';
import { jobSpecs } from '../../src/ground/queue/enqueue.ts';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'lacre-tracing-'));
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }));

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

describe('traces are recorded', () => {
  test.each([
    ['not by default', {}, null],
    ['with an endpoint', ENDPOINT, { named: false }],
    ['with one for traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/v1/traces' }, { named: false }],
    ['with an exporter', { OTEL_TRACES_EXPORTER: 'otlp' }, { named: false }],
    ['not with none', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, null],
    ['not when the SDK is disabled', { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }, null],
    ['not for a name alone', { OTEL_SERVICE_NAME: 'x' }, null],
    ['under a name', { ...ENDPOINT, OTEL_SERVICE_NAME: 'x' }, { named: true }],
    [
      'under a name among others',
      { ...ENDPOINT, OTEL_RESOURCE_ATTRIBUTES: 'a=b,service.name=x' },
      { named: true },
    ],
  ])('%s', (_what, variables, expected) => {
    expect(readConfig({ DATA_DIR, ...variables }).tracing).toEqual(expected);
  });
});

describe('without tracing', () => {
  test('work runs as without spans, and fails as without', async () => {
    expect(isTracing()).toBe(false);
    const work = async () => 7;
    expect(await inSpan('x', { attributes: { a: 1 } }, work)).toBe(7);
    await expect(inSpan('x', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(openSpan('x', {})).toBeNull();
    expect(traceParent()).toBeNull();
  });

  test('a job carries nothing but what its task reads', () => {
    const payload = { environmentId: 1, chainId: 2 };
    expect(JSON.parse(jobSpecs([{ task: 'register', payload }]))).toMatchObject([{ payload }]);
    const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    expect(JSON.parse(jobSpecs([{ task: 'register', payload, trace: parent }]))[0].payload).toEqual({
      ...payload,
      traceparent: parent,
    });
  });
});

test.each([
  [`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, true],
  [`00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`, true],
  [`00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`, false],
  ['anything', false],
  [undefined, false],
  [['00'], false],
])('of a header traceparent only the standard’s form is taken: %s', (text, taken) => {
  expect(readTraceParent(text) !== null).toBe(taken);
});
