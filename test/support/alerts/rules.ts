import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { durationOf, evaluate, type Labels, type Samples } from './evaluate.ts';

const ALERTS = join(import.meta.dirname, '../../../deploy/prometheus/alerts.yaml');

type Rule = {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
};

/** The rules of deploy/, in their order. */
export const alertRules: readonly Rule[] = (
  parse(readFileSync(ALERTS, 'utf8')) as { groups: { rules: Rule[] }[] }
).groups.flatMap(({ rules }) => rules);

type Alert = { readonly labels: Labels; readonly since: number; readonly value: number };

/** An alert that fires, with its summary as it is sent; functions of templates but `$value` and labels are left out. */
export type Firing = { readonly alert: string; readonly summary: string };

/** What Prometheus does with the rules at each evaluation. */
export class AlertState {
  readonly #samples: Samples;
  readonly #pending = new Map<string, Alert>();

  constructor(samples: Samples) {
    this.#samples = samples;
  }

  /** Evaluates all rules at a time, later than the last one's; the alerts that fire then. */
  evaluate(seconds: number): Firing[] {
    const firing: Firing[] = [];
    for (const rule of alertRules) {
      const found = evaluate(rule.expr, this.#samples, seconds);
      if (typeof found === 'number') throw new Error(`${rule.expr} is a number`);
      if (rule.record !== undefined) {
        for (const { labels, value } of found)
          this.#samples.add({ ...labels, __name__: rule.record }, seconds, value);
        continue;
      }
      firing.push(...this.#alert(rule as Rule & { alert: string }, found, seconds));
    }
    return firing;
  }

  #alert(
    rule: Rule & { readonly alert: string },
    found: readonly { readonly labels: Labels; readonly value: number }[],
    seconds: number,
  ): Firing[] {
    const prefix = `${rule.alert} `;
    const now = new Map(
      found.map(({ labels, value }) => [prefix + JSON.stringify(labels), { labels, value }]),
    );
    for (const key of this.#pending.keys())
      if (key.startsWith(prefix) && !now.has(key)) this.#pending.delete(key);
    return [...now].flatMap(([key, { labels, value }]) => {
      const since = this.#pending.get(key)?.since ?? seconds;
      this.#pending.set(key, { labels, value, since });
      if (seconds - since < durationOf(rule.for ?? '0s')) return [];
      return [{ alert: rule.alert, summary: filledIn(rule.annotations?.['summary'] ?? '', labels, value) }];
    });
  }
}

function filledIn(template: string, labels: Labels, value: number): string {
  return template
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_all, name: string) => labels[name] ?? '')
    .replaceAll('{{ $value }}', String(value));
}
