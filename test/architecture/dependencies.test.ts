import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { expect, test } from 'vitest';
import { dependencyRules } from './dependency-rules.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDERS = ['src', 'rest', 'jobs'];

async function inspect(baseDir: string): Promise<ICruiseResult> {
  const result = await cruise(FOLDERS, {
    baseDir,
    // With TypeScript 7 the ordinary parser reads no module and finds nothing wrong.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules|^generated' },
    validate: true,
    ruleSet: { forbidden: dependencyRules },
  });
  return result.output as ICruiseResult;
}

const violationsOf = ({ summary }: ICruiseResult) =>
  summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);

test('every part looks only where the design lets it look', async () => {
  const result = await inspect(ROOT);
  expect(violationsOf(result)).toEqual([]);
  const read = result.modules
    .map(({ source }) => source)
    .filter((source) => /^(src|rest|jobs)\//.test(source));
  const present = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  ).filter((file) => /\.(ts|mjs|js)$/.test(file));
  expect(read.sort()).toEqual(present.sort());
  expect(result.summary.totalDependenciesCruised ?? 0).toBeGreaterThan(present.length);
});

/** A dependency that must not be, and the rule that must say so. */
const planted: [rule: string, from: string, to: string][] = [
  ['no-circles', 'src/chain/a.ts', 'src/chain/a.ts'],
  ['lib-knows-nothing', 'src/lib/a.ts', 'src/errors/b.ts'],
  ['errors-know-lib-alone', 'src/errors/a.ts', 'src/db/b.ts'],
  ['the-ground-knows-no-subject', 'src/db/a.ts', 'src/chain/b.ts'],
  ['accounts-looks-only-at-its-ground', 'src/accounts/a.ts', 'src/issuing/b.ts'],
  ['certificates-looks-only-at-its-ground', 'src/certificates/a.ts', 'src/registration/b.ts'],
  ['chain-looks-only-at-its-ground', 'src/chain/a.ts', 'src/issuing/b.ts'],
  ['customers-looks-only-at-its-ground', 'src/customers/a.ts', 'src/registration/b.ts'],
  ['declaration-looks-only-at-its-ground', 'src/declaration/a.ts', 'src/chain/b.ts'],
  ['documents-looks-only-at-its-ground', 'src/documents/a.ts', 'src/registration/b.ts'],
  ['idempotency-looks-only-at-its-ground', 'src/idempotency/a.ts', 'src/issuing/b.ts'],
  ['importing-looks-only-at-its-ground', 'src/importing/a.ts', 'src/chain/b.ts'],
  ['issuing-looks-only-at-its-ground', 'src/issuing/a.ts', 'src/rectifying/b.ts'],
  ['number-series-looks-only-at-its-ground', 'src/number-series/a.ts', 'src/issuing/b.ts'],
  ['operations-looks-only-at-its-ground', 'src/operations/a.ts', 'src/issuing/b.ts'],
  ['recipients-looks-only-at-its-ground', 'src/recipients/a.ts', 'src/issuing/b.ts'],
  ['rectifying-looks-only-at-its-ground', 'src/rectifying/a.ts', 'src/documents/b.ts'],
  ['registration-looks-only-at-its-ground', 'src/registration/a.ts', 'src/issuing/b.ts'],
  ['nothing-inside-knows-the-outside', 'src/issuing/a.ts', 'src/graphql/b.ts'],
  ['nothing-inside-knows-the-outside', 'src/chain/a.ts', 'rest/b.ts'],
  ['rest-is-an-adapter', 'rest/a.ts', 'src/issuing/b.ts'],
  ['rest-is-an-adapter', 'rest/a.ts', 'src/db/b.ts'],
  ['the-store-of-accounts-is-private', 'src/cli/a.ts', 'src/accounts/store.ts'],
  ['the-store-of-certificates-is-private', 'src/graphql/a.ts', 'src/certificates/store.ts'],
  ['the-store-of-chain-is-private', 'src/issuing/a.ts', 'src/chain/store.ts'],
  ['the-store-of-customers-is-private', 'src/portal/a.ts', 'src/customers/store.ts'],
  ['the-store-of-declaration-is-private', 'rest/a.ts', 'src/declaration/store.ts'],
  ['the-store-of-documents-is-private', 'jobs/a.ts', 'src/documents/store.ts'],
  ['the-store-of-idempotency-is-private', 'rest/a.ts', 'src/idempotency/store.ts'],
  ['the-store-of-importing-is-private', 'src/cli/a.ts', 'src/importing/store.ts'],
  ['the-store-of-issuing-is-private', 'src/rectifying/a.ts', 'src/issuing/store.ts'],
  ['the-store-of-number-series-is-private', 'src/graphql/a.ts', 'src/number-series/store.ts'],
  ['the-store-of-operations-is-private', 'src/cli/a.ts', 'src/operations/store.ts'],
  ['the-store-of-recipients-is-private', 'src/issuing/a.ts', 'src/recipients/registers/store.ts'],
  ['the-store-of-rectifying-is-private', 'src/graphql/a.ts', 'src/rectifying/store.ts'],
  ['the-store-of-registration-is-private', 'jobs/a.ts', 'src/registration/store.ts'],
  ['the-console-asks-by-graphql', 'src/console/a.ts', 'src/registration/b.ts'],
  ['web-knows-no-page', 'src/web/a.ts', 'src/portal/b.ts'],
  ['the-simulator-shares-no-code', 'src/agency-simulator/a.ts', 'src/chain/b.ts'],
  ['nobody-looks-into-the-simulator', 'src/main.ts', 'src/agency-simulator/b.ts'],
  ['law-does-no-input-and-output', 'src/issuing/pricing.ts', 'src/db/b.ts'],
];

test('every rule would be seen broken', async () => {
  const root = mkdtempSync(join(tmpdir(), 'lacre-planted-'));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text, { flag: 'a' });
  };
  try {
    for (const [, from, to] of planted) {
      write(from, `export * from './${relative(dirname(from), to)}';\n`);
      if (to !== from) write(to, 'export const planted = 1;\n');
    }
    const seen = violationsOf(await inspect(root));
    for (const [rule, from, to] of planted) expect(seen).toContain(`${rule}: ${from} -> ${to}`);
    const rules = dependencyRules.map(({ name }) => name);
    expect([...new Set(planted.map(([rule]) => rule))].sort()).toEqual(rules.sort());
  } finally {
    rmSync(root, { recursive: true });
  }
});
