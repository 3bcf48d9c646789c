import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A call that asserts: `expect`, or a helper of these names, which calls it. */
const ASSERTS = /\bexpect|\bfc\.assert\(|\baudit\(\)|\bisEnded\(|\bwalk\(|^ +go\($/m;

/** The first lines of tests whose body asserts nothing. */
function withoutAssertion(text: string): string[] {
  const lines = text.split('\n');
  return lines.filter((line, start) => {
    const [, indent] = /^( *)(?:test|it)(?:\.\w+)*\(/.exec(line) ?? [];
    if (indent === undefined) return false;
    const end = lines.findIndex(
      (other, index) =>
        index >= start && other.endsWith(';') && (index === start || !other.startsWith(`${indent} `)),
    );
    // A test that one statement holds may end on a line that is indented further.
    const block = end === -1 ? lines.slice(start) : lines.slice(start, end + 1);
    return !ASSERTS.test(block.join('\n'));
  });
}

test('every test asserts something', () => {
  const files = globSync('test/**/*.test.ts');
  expect(files.length).toBeGreaterThan(0);
  const found = files.flatMap((file) =>
    withoutAssertion(readFileSync(file, 'utf8')).map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

test('a test without an assertion is found', () => {
  const empty = "test('runs', async () => {\n  await run();\n});\n";
  expect(withoutAssertion(`${empty}test('holds', () => {\n  expect(1).toBe(1);\n});\n`)).toHaveLength(1);
});
