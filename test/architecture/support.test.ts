import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const files = globSync(['test/**/*.{ts,tsx}', 'vitest.config.ts']).filter((file) => !file.endsWith('.d.ts'));

/** Who imports a file, by the paths of both. */
const importers = new Map<string, string[]>();
for (const file of files) {
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
    const imported = join(dirname(file), path);
    importers.set(imported, [...(importers.get(imported) ?? []), file]);
  }
}

/** All that is reached from a file by going up its importers and that nobody imports: tests and programs. */
function served(file: string): Set<string> {
  const seen = new Set([file]);
  for (const one of seen) for (const importer of importers.get(one) ?? []) seen.add(importer);
  seen.delete(file);
  return new Set([...seen].filter((one) => !importers.has(one)));
}

test('what is in test/support serves several tests: what serves one stands beside it', () => {
  const support = files.filter((file) => file.startsWith('test/support/'));
  expect(support.length).toBeGreaterThan(30);
  const alone = support.filter((file) => {
    const [only, ...others] = served(file);
    return only?.endsWith('.test.ts') && others.length === 0;
  });
  expect(alone).toEqual([]);
});
