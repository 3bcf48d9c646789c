import { Gauge, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { metricsText } from '../../src/subjects/operations/metrics-text.ts';

test('requests are served between one metric and the next', async () => {
  const registry = new Registry();
  const seen: string[] = [];
  for (const name of ['a', 'b', 'c'])
    new Gauge({ name, help: name, registers: [registry], collect: () => void seen.push(name) });
  let isOver = false;
  const other = () => {
    seen.push('other');
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  const text = await metricsText(registry);
  isOver = true;
  expect(seen.join(' ')).toMatch(/^a (other )+b (other )+c/);
  expect(text).toBe(await registry.metrics());
});
