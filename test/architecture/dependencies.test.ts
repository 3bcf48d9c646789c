import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { expect, test } from 'vitest';
import { dependencyRules } from './dependency-rules.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDERS = ['src', 'rest', 'jobs', 'packages/reader/src'];

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

let project: Promise<ICruiseResult> | null = null;
/** The project itself, read once for all tests. */
const inspectProject = () => {
  project ??= inspect(ROOT);
  return project;
};

const violationsOf = ({ summary }: ICruiseResult) =>
  summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);

test('every part imports only what the design allows', async () => {
  const result = await inspectProject();
  expect(violationsOf(result)).toEqual([]);
  const read = result.modules
    .map(({ source }) => source)
    .filter((source) => /^(src|rest|jobs|packages)\/.*(?<!\.json)$/.test(source));
  const present = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  ).filter((file) => /\.(ts|mjs|js)$/.test(file));
  expect(read.sort()).toEqual(present.sort());
  expect(result.summary.totalDependenciesCruised ?? 0).toBeGreaterThan(present.length);
});

/** What a program reads when it starts: the specifiers of all that it imports, itself or through others, as values. */
function readAtStart({ modules }: ICruiseResult, program: string): Set<string> {
  const bySource = new Map(modules.map((module) => [module.source, module]));
  const specifiers = new Set<string>();
  const waiting = [program];
  const seen = new Set(waiting);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const { module, resolved, dynamic, dependencyTypes } of bySource.get(file)?.dependencies ?? []) {
      if (dynamic || dependencyTypes.includes('type-only')) continue;
      specifiers.add(module);
      if (seen.has(resolved)) continue;
      seen.add(resolved);
      waiting.push(resolved);
    }
  }
  return specifiers;
}

/** They take 12 MB of heap in a process that never uses them. */
const LARGE_LIBRARIES = ['pdfkit', 'svg-to-pdfkit', 'fontkit', '@lacre/reader/read-file', 'hucre/xlsx'];

test('what draws pages, reads foreign documents and writes workbooks is read only by who does so', async () => {
  const result = await inspectProject();
  const largeIn = (program: string) =>
    LARGE_LIBRARIES.filter((library) => readAtStart(result, program).has(library));
  expect(largeIn('src/main.ts')).toEqual([]);
  expect(largeIn('jobs/main.ts')).toEqual([]);
  expect(largeIn('src/subjects/documents/render-worker.ts')).toEqual(['pdfkit', 'svg-to-pdfkit', 'fontkit']);
  expect(largeIn('src/faces/cli/reading/read-worker.ts')).toEqual(['@lacre/reader/read-file']);
});

/** A dependency that must not be, and the rule that must say so. */
const planted: [rule: string, from: string, to: string][] = [
  ['no-circles', 'src/subjects/chain/a.ts', 'src/subjects/chain/a.ts'],
  ['lib-stands-only-on-its-ground', 'src/ground/lib/a.ts', 'src/ground/errors/b.ts'],
  ['errors-stands-only-on-its-ground', 'src/ground/errors/a.ts', 'src/ground/db/b.ts'],
  ['config-stands-only-on-its-ground', 'src/ground/config/a.ts', 'src/ground/db/b.ts'],
  ['db-stands-only-on-its-ground', 'src/ground/db/a.ts', 'src/subjects/chain/b.ts'],
  ['queue-stands-only-on-its-ground', 'src/ground/queue/a.ts', 'jobs/b.ts'],
  ['journal-stands-only-on-its-ground', 'src/ground/journal/a.ts', 'src/subjects/chain/b.ts'],
  ['approvals-looks-only-at-its-ground', 'src/subjects/approvals/a.ts', 'src/subjects/chain/b.ts'],
  ['the-store-of-approvals-is-private', 'src/faces/graphql/a.ts', 'src/subjects/approvals/store/b.ts'],
  ['batches-looks-only-at-its-ground', 'src/subjects/batches/a.ts', 'src/subjects/registration/b.ts'],
  ['the-store-of-batches-is-private', 'src/faces/graphql/a.ts', 'src/subjects/batches/store/b.ts'],
  ['accounts-looks-only-at-its-ground', 'src/subjects/accounts/a.ts', 'src/subjects/issuing/b.ts'],
  [
    'certificates-looks-only-at-its-ground',
    'src/subjects/certificates/a.ts',
    'src/subjects/registration/b.ts',
  ],
  ['chain-looks-only-at-its-ground', 'src/subjects/chain/a.ts', 'src/subjects/issuing/b.ts'],
  ['customers-looks-only-at-its-ground', 'src/subjects/customers/a.ts', 'src/subjects/registration/b.ts'],
  ['declaration-looks-only-at-its-ground', 'src/subjects/declaration/a.ts', 'src/subjects/chain/b.ts'],
  ['documents-looks-only-at-its-ground', 'src/subjects/documents/a.ts', 'src/subjects/registration/b.ts'],
  ['emails-looks-only-at-its-ground', 'src/subjects/emails/a.ts', 'src/subjects/registration/b.ts'],
  ['formats-looks-only-at-its-ground', 'src/subjects/formats/a.ts', 'src/subjects/issuing/b.ts'],
  ['drafts-looks-only-at-its-ground', 'src/subjects/drafts/a.ts', 'src/subjects/documents/b.ts'],
  ['events-looks-only-at-its-ground', 'src/subjects/events/a.ts', 'src/subjects/issuing/b.ts'],
  ['extensions-looks-only-at-its-ground', 'src/subjects/extensions/a.ts', 'src/subjects/invoices/b.ts'],
  ['webhooks-looks-only-at-its-ground', 'src/subjects/webhooks/a.ts', 'src/subjects/chain/b.ts'],
  ['idempotency-looks-only-at-its-ground', 'src/subjects/idempotency/a.ts', 'src/subjects/issuing/b.ts'],
  ['importing-looks-only-at-its-ground', 'src/subjects/importing/a.ts', 'src/subjects/chain/b.ts'],
  ['issuing-looks-only-at-its-ground', 'src/subjects/issuing/a.ts', 'src/subjects/rectifying/b.ts'],
  [
    'register-books-looks-only-at-its-ground',
    'src/subjects/register-books/a.ts',
    'src/subjects/issuing/b.ts',
  ],
  [
    'the-store-of-register-books-is-private',
    'src/faces/graphql/a.ts',
    'src/subjects/register-books/store.ts',
  ],
  ['payments-looks-only-at-its-ground', 'src/subjects/payments/a.ts', 'src/subjects/issuing/b.ts'],
  ['number-series-looks-only-at-its-ground', 'src/subjects/number-series/a.ts', 'src/subjects/issuing/b.ts'],
  ['operations-looks-only-at-its-ground', 'src/subjects/operations/a.ts', 'src/subjects/issuing/b.ts'],
  ['recipients-looks-only-at-its-ground', 'src/subjects/recipients/a.ts', 'src/subjects/issuing/b.ts'],
  ['rectifying-looks-only-at-its-ground', 'src/subjects/rectifying/a.ts', 'src/subjects/documents/b.ts'],
  ['registration-looks-only-at-its-ground', 'src/subjects/registration/a.ts', 'src/subjects/issuing/b.ts'],
  ['invoices-looks-only-at-its-ground', 'src/subjects/invoices/a.ts', 'src/subjects/issuing/b.ts'],
  ['leaving-looks-only-at-its-ground', 'src/subjects/leaving/a.ts', 'src/subjects/issuing/b.ts'],
  ['the-store-of-leaving-is-private', 'src/faces/cli/a.ts', 'src/subjects/leaving/store/b.ts'],
  ['journal-looks-only-at-its-ground', 'src/subjects/journal/a.ts', 'src/subjects/chain/b.ts'],
  ['the-store-of-journal-is-private', 'src/subjects/chain/a.ts', 'src/subjects/journal/store/b.ts'],
  ['tax-ids-looks-only-at-its-ground', 'src/subjects/tax-ids/a.ts', 'src/subjects/recipients/b.ts'],
  ['taxes-looks-only-at-its-ground', 'src/subjects/taxes/a.ts', 'src/subjects/accounts/b.ts'],
  ['issuing-looks-only-at-its-ground', 'src/subjects/issuing/a.ts', 'src/faces/graphql/b.ts'],
  ['chain-looks-only-at-its-ground', 'src/subjects/chain/a.ts', 'rest/b.ts'],
  ['faces-know-nothing-that-starts-them', 'src/faces/portal/a.ts', 'src/startup/b.ts'],
  ['rest-is-an-adapter', 'rest/a.ts', 'src/subjects/issuing/b.ts'],
  ['rest-is-an-adapter', 'rest/a.ts', 'src/ground/db/b.ts'],
  ['the-store-of-accounts-is-private', 'src/faces/cli/a.ts', 'src/subjects/accounts/store.ts'],
  ['the-store-of-certificates-is-private', 'src/faces/graphql/a.ts', 'src/subjects/certificates/store.ts'],
  ['the-store-of-chain-is-private', 'src/subjects/issuing/a.ts', 'src/subjects/chain/store.ts'],
  ['the-store-of-customers-is-private', 'src/faces/portal/a.ts', 'src/subjects/customers/store.ts'],
  ['the-store-of-declaration-is-private', 'rest/a.ts', 'src/subjects/declaration/store.ts'],
  ['the-store-of-documents-is-private', 'jobs/a.ts', 'src/subjects/documents/store.ts'],
  ['the-store-of-formats-is-private', 'src/faces/graphql/a.ts', 'src/subjects/formats/store/a.ts'],
  ['the-store-of-drafts-is-private', 'src/faces/graphql/a.ts', 'src/subjects/drafts/store.ts'],
  ['the-store-of-events-is-private', 'src/faces/graphql/a.ts', 'src/subjects/events/store.ts'],
  ['the-store-of-emails-is-private', 'jobs/a.ts', 'src/subjects/emails/store/b.ts'],
  ['the-store-of-webhooks-is-private', 'rest/a.ts', 'src/subjects/webhooks/store.ts'],
  ['the-store-of-extensions-is-private', 'rest/a.ts', 'src/subjects/extensions/store.ts'],
  ['the-store-of-idempotency-is-private', 'rest/a.ts', 'src/subjects/idempotency/store.ts'],
  ['the-store-of-importing-is-private', 'src/faces/cli/a.ts', 'src/subjects/importing/store.ts'],
  ['the-store-of-issuing-is-private', 'src/subjects/rectifying/a.ts', 'src/subjects/issuing/store.ts'],
  ['the-store-of-payments-is-private', 'src/faces/graphql/a.ts', 'src/subjects/payments/store.ts'],
  ['the-store-of-number-series-is-private', 'src/faces/graphql/a.ts', 'src/subjects/number-series/store.ts'],
  ['the-store-of-operations-is-private', 'src/faces/cli/a.ts', 'src/subjects/operations/store.ts'],
  [
    'the-store-of-recipients-is-private',
    'src/subjects/issuing/a.ts',
    'src/subjects/recipients/registers/store.ts',
  ],
  ['the-store-of-rectifying-is-private', 'src/faces/graphql/a.ts', 'src/subjects/rectifying/store.ts'],
  ['the-store-of-registration-is-private', 'jobs/a.ts', 'src/subjects/registration/store.ts'],
  ['the-store-of-invoices-is-private', 'src/faces/graphql/a.ts', 'src/subjects/invoices/store.ts'],
  ['the-store-of-tax-ids-is-private', 'src/faces/graphql/a.ts', 'src/subjects/tax-ids/store.ts'],
  ['the-store-of-taxes-is-private', 'src/faces/graphql/a.ts', 'src/subjects/taxes/store.ts'],
  ['cli-looks-only-at-its-faces', 'src/faces/cli/a.ts', 'src/faces/portal/b.ts'],
  ['console-looks-only-at-its-faces', 'src/faces/console/a.ts', 'rest/b.ts'],
  ['docs-looks-only-at-its-faces', 'src/faces/docs/a.ts', 'src/faces/graphql/b.ts'],
  ['graphql-looks-only-at-its-faces', 'src/faces/graphql/a.ts', 'src/faces/web/b.ts'],
  ['mail-looks-only-at-its-faces', 'src/faces/mail/a.ts', 'src/faces/portal/b.ts'],
  ['portal-looks-only-at-its-faces', 'src/faces/portal/a.ts', 'src/faces/console/b.ts'],
  ['web-looks-only-at-its-faces', 'src/faces/web/a.ts', 'rest/b.ts'],
  ['docs-looks-only-at-its-subjects', 'src/faces/docs/a.ts', 'src/subjects/chain/b.ts'],
  ['mail-looks-only-at-its-subjects', 'src/faces/mail/a.ts', 'src/subjects/chain/b.ts'],
  ['portal-looks-only-at-its-subjects', 'src/faces/portal/a.ts', 'src/subjects/payments/b.ts'],
  ['the-console-asks-by-graphql', 'src/faces/console/a.ts', 'src/subjects/registration/b.ts'],
  ['web-knows-no-page', 'src/faces/web/a.ts', 'src/faces/portal/b.ts'],
  ['the-simulator-shares-no-code', 'src/agency-simulator/a.ts', 'src/subjects/chain/b.ts'],
  ['the-reader-shares-no-code', 'packages/reader/src/a.ts', 'src/ground/lib/b.ts'],
  ['nobody-looks-into-the-simulator', 'src/main.ts', 'src/agency-simulator/b.ts'],
  ['law-does-no-input-and-output', 'src/subjects/taxes/pricing.ts', 'src/ground/db/b.ts'],
];

test('every rule detects its planted violation', async () => {
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
    // A circle of types alone, which a compiled program does not have.
    write('src/subjects/chain/c.ts', "import type { D } from './d.ts';\nexport type C = D | null;\n");
    write('src/subjects/chain/d.ts', "import type { C } from './c.ts';\nexport type D = C | null;\n");
    const seen = violationsOf(await inspect(root));
    expect(seen).toContain('no-circles: src/subjects/chain/c.ts -> src/subjects/chain/d.ts');
    for (const [rule, from, to] of planted) expect(seen).toContain(`${rule}: ${from} -> ${to}`);
    const rules = dependencyRules.map(({ name }) => name);
    expect([...new Set(planted.map(([rule]) => rule))].sort()).toEqual(rules.sort());
  } finally {
    rmSync(root, { recursive: true });
  }
});
