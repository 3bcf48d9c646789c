import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = 'src/agency-simulator';
const CODE = /\b(?:1[12]\d\d|200\d|300\d|3501|41[0-4]\d)\b/g;

/** The codes in the simulator's sources; the table of all codes is none of them. */
function codesGiven(): Set<string> {
  const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('error-table.ts'))
    .map((file) => readFileSync(join(FOLDER, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''));
  return new Set(sources.flatMap((text) => text.match(CODE) ?? []));
}

test('the simulator’s list of validations names the codes that are given, and says of no other that it is', () => {
  const page = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  const rows = page.slice(page.indexOf('| Validation |')).match(/^\|.*$/gm) ?? [];
  const checked = rows.flatMap((row) => row.split(' | ')[1]?.match(CODE) ?? []);
  const given = codesGiven();
  expect(checked.length).toBeGreaterThan(150);
  expect(checked.filter((code) => !given.has(code))).toEqual([]);
  expect([...given].filter((code) => !page.includes(code))).toEqual([]);
});
