import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CORE_FILES, formOf, LONG_UNITS, pathOf } from '../support/processes/forms.ts';

test('files of the lists are there, once', () => {
  const files = [...CORE_FILES, ...LONG_UNITS].map(pathOf);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
});

test('what the short form runs the long form does not, and a new file belongs to the long form', () => {
  expect(formOf('long')).toEqual({ include: ['test/**/*.test.ts'], exclude: formOf('short').include });
  expect(formOf('short').exclude).toEqual([]);
});

test('CI runs the short form, and a part of the long form that changes', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  expect(scripts['test']).toBe('node test/short-form.ts');
  const program = readFileSync('test/short-form.ts', 'utf8');
  expect(program).toContain("spawn('npx', ['vitest', 'run', '--mode', 'short'");
  expect(program).toContain("spawn('npm', ['run', '--silent', 'check']");
  const run = readFileSync('.ci/run', 'utf8');
  expect(run).toMatch(/^npm test /m);
  expect(run).toMatch(/^npm run simulate -- --part "\$part" /m);
});
