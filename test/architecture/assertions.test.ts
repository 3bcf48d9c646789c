import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A call that asserts: `expect`, or a helper of these names, which calls it. */
const ASSERTS = /\bexpect|\bfc\.assert\(|\baudit\(\)|\bisEnded\(|\bwalk\(|^ +go\($/m;

/** What fits on a screen; biome.json holds all other functions to it. */
const LONGEST = 60;

const TEST = /^( *)(?:test|it)(?:\.\w+)*\(/;
const FUNCTION =
  /^( *)(?:(?:test|it|beforeAll|beforeEach|afterAll|afterEach)\b(?:\.\w+)*\(|(?:async )?function\b|const \w+ = .*=> \{$)/;

type Block = { readonly firstLine: string; readonly lines: readonly string[] };

/** What begins with a line of the pattern, up to the line on which its statement ends. */
function blocksIn(text: string, begins: RegExp): Block[] {
  const lines = text.split('\n');
  return lines.flatMap((line, start) => {
    const [, indent] = begins.exec(line) ?? [];
    if (indent === undefined) return [];
    const end = lines.findIndex(
      (other, index) =>
        index >= start &&
        (index === start ? other.endsWith(';') : /[;}]$/.test(other) && !other.startsWith(`${indent} `)),
    );
    // A test that one statement holds may end on a line that is indented further.
    const block = end === -1 ? lines.slice(start) : lines.slice(start, end + 1);
    return [{ firstLine: line.trim(), lines: block }];
  });
}

const withoutAssertion = (text: string) =>
  blocksIn(text, TEST).filter(({ lines }) => !ASSERTS.test(lines.join('\n')));
const tooLong = (text: string) => blocksIn(text, FUNCTION).filter(({ lines }) => lines.length > LONGEST);

/** What is found in all files, by file and first line. */
function foundBy(find: (text: string) => Block[]): string[] {
  const files = globSync('test/**/*.test.ts');
  expect(files.length).toBeGreaterThan(200);
  return files.flatMap((file) =>
    find(readFileSync(file, 'utf8')).map(({ firstLine }) => `${file}: ${firstLine}`),
  );
}

const EMPTY = "test('runs', async () => {\n  await run();\n});\n";

test('every test asserts something', () => expect(foundBy(withoutAssertion)).toEqual([]));

test('a test without an assertion is found', () => {
  expect(withoutAssertion(`${EMPTY}test('holds', () => {\n  expect(1).toBe(1);\n});\n`)).toHaveLength(1);
});

test(`no test and no function of a test has more than ${LONGEST} lines`, () =>
  expect(foundBy(tooLong)).toEqual([]));

test('one that is too long is found', () => {
  expect(tooLong(EMPTY.replace('  await run();\n', '  await run();\n'.repeat(LONGEST)))).toHaveLength(1);
  expect(tooLong(EMPTY)).toEqual([]);
});
