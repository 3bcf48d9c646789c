import type { Failure } from './exit-status.ts';

/** What the command line reads and writes: the process's own streams, or a test's. */
export type Streams = {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** `columns` only where it is a terminal. */
  readonly stdout: NodeJS.WritableStream & { readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
};

/** Prints what a command came to: one JSON document, or text for people. */
export function printResult({ stdout }: Streams, result: unknown, json: boolean): void {
  if (result === undefined) return;
  stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : textOf(result, stdout.columns));
}

/** Prints why it did not do it, on standard error. */
export function printFailure({ stderr }: Streams, failure: Failure, json: boolean): void {
  const { code, detail, errors = [] } = failure;
  if (json) {
    const { exit, ...rest } = failure;
    stderr.write(`${JSON.stringify({ error: exit, ...rest })}\n`);
    return;
  }
  stderr.write(`${code}: ${detail}\n`);
  for (const { field, message } of errors.length > 1 ? errors : []) stderr.write(`  ${field} ${message}\n`);
}

function textOf(result: unknown, columns: number | undefined): string {
  if (typeof result === 'string') return result;
  if (isList(result)) return table(result, columns);
  const entries = Object.entries(result as object);
  const facts = below(Object.fromEntries(entries.filter(([, value]) => !isList(value))));
  const lists = entries.flatMap(([name, value]) => (isList(value) ? [{ name, rows: value }] : []));
  // A page is its list, with its remarks below; anything else comes before its parts.
  if (isList(entries[0]?.[1])) return `${table(lists[0]!.rows, columns)}${facts}`;
  return `${facts}${lists.map(({ name, rows }) => `\n${name}:\n${table(rows, columns)}`).join('')}`;
}

function isList(value: unknown): value is object[] {
  return Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null);
}

function below(facts: object): string {
  return flat(facts)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

/** `test.environmentId` and its value, for things within things. */
function flat(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, inner]): [string, string][] =>
    inner !== null && typeof inner === 'object' && !(inner instanceof Date) && !Array.isArray(inner)
      ? flat(inner, `${path}${name}.`)
      : [[`${path}${name}`, cell(inner)]],
  );
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Rows under the names of their columns, each as wide as its widest; where they do not fit, one after the other. */
function table(rows: readonly object[], columns = Number.POSITIVE_INFINITY): string {
  const [first] = rows;
  if (first === undefined) return '(none)\n';
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => Object.values(row).map(cell))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const width = widths.reduce((sum, each) => sum + each + 2, -2);
  if (width > columns) return rows.map(below).join('\n');
  return lines
    .map(
      (line) =>
        `${line
          .map((text, column) => text.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
