import { parser } from '@prometheus-io/lezer-promql';

/** The series that a process shows: by name, the values of each label. */
export type Series = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Reads Prometheus' text format. */
export function readExposition(text: string): Series {
  const series = new Map<string, Map<string, Set<string>>>();
  for (const line of text.split('\n')) {
    const [, name, labels = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (name === undefined) continue;
    const known = series.get(name) ?? new Map<string, Set<string>>();
    series.set(name, known);
    for (const [, label, value] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
      known.set(label!, (known.get(label!) ?? new Set()).add(value!));
    }
  }
  return series;
}

/** Labels that Prometheus itself gives to what it scrapes. */
const SCRAPED = ['job', 'instance'];

type Node = ReturnType<typeof parser.parse>['topNode'];

function within(node: Node, name: string): Node[] {
  const found: Node[] = [];
  node.cursor().iterate((inside) => {
    if (inside.name === name) found.push(inside.node);
  });
  return found;
}

/**
 * What is wrong with an expression of PromQL: that it cannot be read, or names a metric, a label or a label's value that
 * no series has. Nothing is wrong with one that excludes a value.
 */
export function faultsOf(expression: string, series: Series): string[] {
  const tree = parser.parse(expression).topNode;
  const text = (node: Node | null) => (node === null ? '' : expression.slice(node.from, node.to));
  const faults: string[] = [];
  tree.cursor().iterate(({ type, from }) => {
    if (type.isError) faults.push(`cannot be read at ${from}`);
  });
  const labels = new Set(SCRAPED);
  const selectors = within(tree, 'VectorSelector');
  if (selectors.length === 0) faults.push('asks for nothing');
  for (const selector of selectors) {
    const name = text(selector.getChild('Identifier'));
    const known = series.get(name);
    if (known === undefined) {
      faults.push(`no metric ${name}`);
      continue;
    }
    for (const label of known.keys()) labels.add(label);
    for (const matcher of within(selector, 'UnquotedLabelMatcher')) {
      const label = text(matcher.getChild('LabelName'));
      const value = text(matcher.getChild('StringLiteral')).slice(1, -1);
      faults.push(
        ...faultsOfMatcher(name, known, { label, operator: text(matcher.getChild('MatchOp')), value }),
      );
    }
  }
  for (const grouping of within(tree, 'GroupingLabels')) {
    for (const label of within(grouping, 'LabelName').map(text)) {
      if (!labels.has(label)) faults.push(`no label ${label} to group by`);
    }
  }
  return faults;
}

type Matcher = { readonly label: string; readonly operator: string; readonly value: string };

function faultsOfMatcher(
  name: string,
  known: ReadonlyMap<string, ReadonlySet<string>>,
  { label, operator, value }: Matcher,
): string[] {
  if (SCRAPED.includes(label)) return [];
  const values = known.get(label);
  if (values === undefined) return [`${name} has no label ${label}`];
  if (operator.startsWith('!')) return [];
  // Each alternative of ours is a value; one that never occurs is a slip.
  const wanted = operator === '=~' ? value.split('|') : [value];
  return wanted.filter((one) => !values.has(one)).map((one) => `${name} has no ${label}="${one}"`);
}
