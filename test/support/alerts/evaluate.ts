import { parser } from '@prometheus-io/lezer-promql';

/** The part of PromQL that the rules of deploy/ need, as Prometheus evaluates it. What else an expression has is an error. */

export type Labels = Readonly<Record<string, string>>;
type Sample = { readonly labels: Labels; readonly value: number };

type Point = readonly [seconds: number, value: number];
type Stored = { readonly labels: Labels; readonly points: Point[] };

/** A sample is used for so long after it was taken (Prometheus' lookback delta). */
const LOOKBACK_SECONDS = 300;

/** What was scraped: the samples of each series, in the order of their times. */
export class Samples {
  readonly #series = new Map<string, Stored>();

  /** A value of `null`: the series has ended, and has none from then on. */
  add(labels: Labels, seconds: number, value: number | null): void {
    const key = JSON.stringify(Object.entries(labels).sort());
    const stored = this.#series.get(key) ?? { labels, points: [] };
    this.#series.set(key, stored);
    stored.points.push([seconds, value ?? Number.NaN]);
  }

  /** Those with the name in force at a time. */
  at(name: string, seconds: number): Sample[] {
    return this.#named(name).flatMap(({ labels, points }) => {
      const last = points.findLast(([at]) => at <= seconds);
      if (last === undefined || last[0] <= seconds - LOOKBACK_SECONDS || Number.isNaN(last[1])) return [];
      return [{ labels, value: last[1] }];
    });
  }

  /** The points of the time before. */
  within(name: string, until: number, seconds: number): Stored[] {
    return this.#named(name).map(({ labels, points }) => ({
      labels,
      points: points.filter(([at, value]) => at > until - seconds && at <= until && !Number.isNaN(value)),
    }));
  }

  #named(name: string): Stored[] {
    return [...this.#series.values()].filter(({ labels }) => labels['__name__'] === name);
  }
}

type Node = ReturnType<typeof parser.parse>['topNode'];
type Value = number | Sample[];

const parsed = new Map<string, Node>();

/** The value of an expression at a time. */
export function evaluate(expression: string, samples: Samples, seconds: number): Value {
  const root = parsed.get(expression) ?? parser.parse(expression).topNode.firstChild;
  if (root === null) throw new Error(`no expression: ${expression}`);
  parsed.set(expression, root);
  return new Evaluation(expression, samples, seconds).of(root);
}

class Evaluation {
  readonly #text: string;
  readonly #samples: Samples;
  readonly #seconds: number;

  constructor(text: string, samples: Samples, seconds: number) {
    this.#text = text;
    this.#samples = samples;
    this.#seconds = seconds;
  }

  of(node: Node): Value {
    switch (node.name) {
      case 'NumberDurationLiteral':
        return Number(this.#slice(node));
      case 'ParenExpr':
        return this.of(node.firstChild!);
      case 'VectorSelector':
        return this.#samples
          .at(this.#nameOf(node), this.#seconds)
          .filter(({ labels }) => this.#matches(node, labels));
      case 'AggregateExpr':
        return this.#aggregate(node);
      case 'FunctionCall':
        return this.#call(node);
      case 'BinaryExpr':
        return this.#binary(node);
      default:
        throw new Error(`not evaluated here: ${node.name} in ${this.#text}`);
    }
  }

  #slice({ from, to }: Node): string {
    return this.#text.slice(from, to);
  }

  #nameOf(selector: Node): string {
    return this.#slice(selector.getChild('Identifier')!);
  }

  #matches(selector: Node, labels: Labels): boolean {
    const matchers = selector.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
    return matchers.every((matcher) => {
      const actual = labels[this.#slice(matcher.getChild('LabelName')!)] ?? '';
      const wanted = this.#slice(matcher.getChild('StringLiteral')!).slice(1, -1);
      const operator = this.#slice(matcher.getChild('MatchOp')!);
      const isMet = operator.endsWith('~') ? new RegExp(`^(?:${wanted})$`).test(actual) : actual === wanted;
      return operator.startsWith('!') ? !isMet : isMet;
    });
  }

  #aggregate(node: Node): Sample[] {
    const [operation, body] = [
      this.#slice(node.getChild('AggregateOp')!),
      node.getChild('FunctionCallBody')!,
    ];
    const combine = AGGREGATIONS[operation];
    if (combine === undefined) throw new Error(`not evaluated here: ${operation}`);
    const kept =
      node.getChild('AggregateModifier')?.getChild('GroupingLabels')?.getChildren('LabelName') ?? [];
    const names = kept.map((name) => this.#slice(name));
    const groups = Map.groupBy(vector(this.of(body.firstChild!)), ({ labels }) => keyOf(labels, names));
    return [...groups.values()].map((group) => ({
      labels: only(group[0]!.labels, names),
      value: combine(group.map(({ value }) => value)),
    }));
  }

  #call(node: Node): Value {
    const name = this.#slice(node.getChild('FunctionIdentifier')!);
    const parameters = children(node.getChild('FunctionCallBody')!);
    const vectorOf = (index: number) => vector(this.of(parameters[index]!));
    switch (name) {
      case 'time':
        return this.#seconds;
      case 'abs':
        return vectorOf(0).map(({ labels, value }) => ({ labels: unnamed(labels), value: Math.abs(value) }));
      case 'absent':
        return vectorOf(0).length === 0 ? [{ labels: {}, value: 1 }] : [];
      case 'histogram_quantile':
        return quantiles(this.of(parameters[0]!) as number, vectorOf(1));
      case 'rate':
      case 'increase':
      case 'delta':
        return this.#change(name, parameters[0]!);
      default:
        throw new Error(`not evaluated here: ${name}`);
    }
  }

  /** As Prometheus extrapolates: to the ends of the window, unless the series begins or ends well within it. */
  #change(name: 'rate' | 'increase' | 'delta', matrix: Node): Sample[] {
    const selector = matrix.getChild('VectorSelector')!;
    const window = durationOf(this.#slice(matrix).match(/\[(\w+)\]$/)![1]!);
    const found = this.#samples.within(this.#nameOf(selector), this.#seconds, window);
    return found.flatMap(({ labels, points }) => {
      if (points.length < 2 || !this.#matches(selector, labels)) return [];
      const change = extrapolated(points, {
        ...{ from: this.#seconds - window, to: this.#seconds, counter: name !== 'delta' },
      });
      return [{ labels: unnamed(labels), value: name === 'rate' ? change / window : change }];
    });
  }

  #binary(node: Node): Value {
    const [left, operator, right] = children(node) as [Node, Node, Node];
    const [a, b] = [this.of(left), this.of(right)];
    const word = this.#slice(operator);
    if (word === 'and' || word === 'unless') {
      const present = new Set(vector(b).map(({ labels }) => keyOf(unnamed(labels))));
      return vector(a).filter(({ labels }) => present.has(keyOf(unnamed(labels))) === (word === 'and'));
    }
    const compares = COMPARISONS[word];
    if (compares !== undefined) return vector(a).filter(({ value }) => compares(value, b as number));
    const compute = ARITHMETIC[word];
    if (compute === undefined) throw new Error(`not evaluated here: ${word}`);
    if (typeof a === 'number' && typeof b === 'number') return compute(a, b);
    if (typeof a === 'number')
      return (b as Sample[]).map(({ labels, value }) => ({
        labels: unnamed(labels),
        value: compute(a, value),
      }));
    return a.flatMap(({ labels, value }) => {
      const other =
        typeof b === 'number'
          ? b
          : b.find((one) => keyOf(unnamed(one.labels)) === keyOf(unnamed(labels)))?.value;
      return other === undefined ? [] : [{ labels: unnamed(labels), value: compute(value, other) }];
    });
  }
}

const AGGREGATIONS: Readonly<Record<string, (values: number[]) => number>> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
  count: (values) => values.length,
};

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '==': (a, b) => a === b,
};

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

function vector(value: Value): Sample[] {
  if (typeof value === 'number') throw new Error('a number stands where series are expected');
  return value;
}

function children(node: Node): Node[] {
  const found: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
  return found;
}

const unnamed = ({ __name__: _, ...labels }: Labels): Labels => labels;

const only = (labels: Labels, names: readonly string[]): Labels =>
  Object.fromEntries(names.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])));

const keyOf = (labels: Labels, names: readonly string[] = Object.keys(labels)): string =>
  JSON.stringify(Object.entries(only(labels, names)).sort());

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds of `5m` or `6h30m`. */
export function durationOf(text: string): number {
  return [...text.matchAll(/(\d+)([smhd])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!,
    0,
  );
}

type Window = { readonly from: number; readonly to: number; readonly counter: boolean };

/** promql/functions.go, extrapolatedRate. */
function extrapolated(points: readonly Point[], { from, to, counter }: Window): number {
  const [first, last] = [points[0]!, points.at(-1)!];
  let change = last[1] - first[1];
  // A counter that falls began again at nought.
  if (counter) {
    points.forEach(([, value], index) => {
      const before = points[index - 1]?.[1] ?? value;
      if (value < before) change += before;
    });
  }
  const sampled = last[0] - first[0];
  const average = sampled / (points.length - 1);
  let [toStart, toEnd] = [first[0] - from, to - last[0]];
  if (counter && change > 0 && first[1] >= 0) toStart = Math.min(toStart, sampled * (first[1] / change));
  const limit = average * 1.1;
  toStart = toStart < limit ? toStart : average / 2;
  toEnd = toEnd < limit ? toEnd : average / 2;
  return change * ((sampled + toStart + toEnd) / sampled);
}

/** promql/quantile.go, bucketQuantile, for positive bounds. */
function quantiles(quantile: number, buckets: readonly Sample[]): Sample[] {
  const groups = Map.groupBy(buckets, ({ labels: { le: _, ...labels } }) => keyOf(unnamed(labels)));
  return [...groups.values()].map((group) => {
    const sorted = group
      .map(({ labels, value }) => ({ bound: Number(labels['le']!.replace('+Inf', 'Infinity')), value }))
      .sort((a, b) => a.bound - b.bound);
    const { le: _, ...labels } = group[0]!.labels;
    const rank = quantile * (sorted.at(-1)?.value ?? 0);
    const index = sorted.findIndex(({ value }) => value >= rank);
    const bucket = sorted[index]!;
    if (bucket.bound === Number.POSITIVE_INFINITY)
      return { labels: unnamed(labels), value: sorted.at(-2)?.bound ?? Number.NaN };
    const below = sorted[index - 1] ?? { bound: 0, value: 0 };
    const share = (rank - below.value) / (bucket.value - below.value);
    return { labels: unnamed(labels), value: below.bound + (bucket.bound - below.bound) * share };
  });
}
