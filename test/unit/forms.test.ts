import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LONG_FILES, pathOf } from '../support/processes/forms.ts';

test('files of the long form are there, and in one list', () => {
  const files = LONG_FILES.map(pathOf);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
});

test('CI runs both forms', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  expect(scripts['test']).toBe('node test/short-form.ts');
  const program = readFileSync('test/short-form.ts', 'utf8');
  expect(program).toContain("spawn('npx', ['vitest', 'run', '--mode', 'short'");
  expect(program).toContain("spawn('npm', ['run', '--silent', 'check']");
  const run = readFileSync('.ci/run', 'utf8');
  expect(run).toMatch(/^npm test /m);
  expect(run).toMatch(/^npm run simulate /m);
});
