import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('the generated part of the client matches the OpenAPI document: else `npm run client` makes it', () => {
  const program = join(import.meta.dirname, '../../packages/client/generate.ts');
  const { stderr } = spawnSync(process.execPath, [program, '--check'], { encoding: 'utf8' });
  expect(stderr).toBe('');
});
