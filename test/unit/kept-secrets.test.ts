import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../src/ground/config/config.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'lacre-secrets-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const file = join(dataDir, 'link-secret');
const secret = () => readConfig({ DATA_DIR: dataDir }).linkSecrets[0]!.toString('hex');

test('a secret that a full disk has left empty is created again, complete and readable by its owner only, and kept', () => {
  writeFileSync(file, '');
  const made = secret();
  expect(made).toHaveLength(64);
  expect(readFileSync(file, 'utf8')).toBe(made);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(secret()).toBe(made);
});

test('a damaged one is not resumed', () => {
  writeFileSync(file, 'abcd');
  expect(secret).toThrow(/link-secret is damaged/);
});
