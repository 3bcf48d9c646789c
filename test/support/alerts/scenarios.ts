import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { durationOf, type Labels, Samples } from './evaluate.ts';
import { AlertState } from './rules.ts';

const TESTS = join(import.meta.dirname, '../../../deploy/prometheus/alerts.test.yaml');

/** A scenario in the format of `promtool test rules`, as far as deploy/ uses it. */
type Scenario = {
  readonly name: string;
  readonly interval: string;
  readonly input_series: readonly { readonly series: string; readonly values: string }[];
  readonly promql_expr_test: readonly {
    readonly eval_time: string;
    readonly exp_samples?: readonly { readonly labels: string }[];
  }[];
};

export const scenarios = (parse(readFileSync(TESTS, 'utf8')) as { tests: Scenario[] }).tests;

/** The names of the alerts that fire at the end of a scenario. */
export function firingAtTheEnd({ interval, input_series, promql_expr_test }: Scenario): string[] {
  const samples = new Samples();
  const step = durationOf(interval);
  for (const { series, values } of input_series) {
    valuesOf(values).forEach((value, index) => {
      samples.add(labelsOf(series), index * step, value);
    });
  }
  const state = new AlertState(samples);
  const end = durationOf(promql_expr_test[0]!.eval_time);
  let firing: readonly string[] = [];
  for (let seconds = 0; seconds <= end; seconds += step)
    firing = state.evaluate(seconds).map(({ alert }) => alert);
  return [...new Set(firing)].sort();
}

/** Labels of `name{label="value"}`. */
export function labelsOf(series: string): Labels {
  const [, name = '', labels = ''] = /^([\w:]+)(?:\{(.*)\})?$/.exec(series) ?? [];
  const found = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, value]) => [label, value]);
  return { __name__: name, ...Object.fromEntries(found) };
}

/** `1x3` is 1 four times; `0+5x3` counts up from 0 in steps of 5; a single number is one value. */
function valuesOf(text: string): number[] {
  return text.split(' ').flatMap((part) => {
    const [, start, step = '0', times = '0'] = /^(-?[\d.]+)(?:\+([\d.]+))?(?:x(\d+))?$/.exec(part) ?? [];
    if (start === undefined) throw new Error(`not read: ${part}`);
    return Array.from({ length: Number(times) + 1 }, (_, index) => Number(start) + index * Number(step));
  });
}
