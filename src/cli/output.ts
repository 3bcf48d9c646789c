import type { Failure } from './exits.ts';

/** What the command line reads and writes: the process's own streams, or a test's. */
export type Streams = {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
};

/** Prints what a command came to: one JSON document, or text for people. */
export function printResult({ stdout }: Streams, result: unknown, json: boolean): void {
  if (result === undefined) return;
  stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : inWords(result));
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

function inWords(result: unknown): string {
  if (typeof result === 'string') return result;
  if (Array.isArray(result)) return table(result as object[]);
  const { list, facts } = split(result as object);
  const lines = flat(facts).map(([name, value]) => `${name}: ${value}\n`);
  return `${list === null ? '' : table(list)}${lines.join('')}`;
}

/** The one list of a page of something, and what is said besides. */
function split(result: object): { list: object[] | null; facts: object } {
  const entries = Object.entries(result);
  const found = entries.find(([, value]) => Array.isArray(value) && typeof (value[0] ?? {}) === 'object');
  if (found === undefined) return { list: null, facts: result };
  const others = entries.filter(([name]) => name !== found[0]);
  return { list: found[1] as object[], facts: Object.fromEntries(others) };
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

/** Rows under the names of their columns, each as wide as its widest. */
function table(rows: readonly object[]): string {
  const [first] = rows;
  if (first === undefined) return '(none)\n';
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row).map(cell))];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
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
