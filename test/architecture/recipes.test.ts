import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const text = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The part of CONTRIBUTING.md under that heading, up to the next one. */
function recipe(heading: string): string {
  const [, part = ''] = text('CONTRIBUTING.md').split(`### ${heading}\n`);
  return part.split('\n### ')[0]!;
}

/** What is written by hand and runs: no tests, no documentation, and not the schema that is printed. */
const FILES = [
  'schema.prisma',
  ...['src', 'rest', 'jobs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ),
].filter((file) => /\.(ts|mjs|sql|prisma|css|html)$/.test(file));

const filesWith = (name: RegExp): string[] => FILES.filter((file) => name.test(text(file))).sort();

const STEP = /^(\d+\.| {3})/;
const FEATURE = /^(- | {2}[`\w])/;

/** The files of a recipe's lines of that kind. */
const filesOf = (steps: string, kind = STEP): string[] =>
  steps
    .split('\n')
    .filter((line) => kind.test(line))
    .flatMap((line) =>
      [...line.matchAll(/`([\w./-]+\/[\w./-]+|schema\.prisma)`/g)].map(([, file = '']) => file),
    )
    .filter((file) => FILES.includes(file))
    .sort();

/** Our own spellings, and the function that stands for the field; elements of other formats do not count. */
const DUE_DATE = /due_date|dueDate|dueOnOf/;

describe('a field of an invoice', () => {
  test('that is only stored and shown is added in three files; others that name it compute with it, and are listed', () => {
    const carrying = filesOf(recipe('A field of an invoice'));
    const computing = filesOf(recipe('A field of an invoice'), FEATURE);
    expect(filesWith(DUE_DATE)).toEqual([...carrying, ...computing].sort());
    expect(carrying).toHaveLength(3);
    expect(computing.length).toBeLessThanOrEqual(15);
  });

  test('a file that names one and is not in the recipe would be detected', () => {
    const without = recipe('A field of an invoice').replace('`rest/invoice-body.ts`', '');
    expect([...filesOf(without), ...filesOf(without, FEATURE)].sort()).not.toEqual(filesWith(DUE_DATE));
  });
});

/** The example of each recipe, and by what the files are known that name it. */
const EXAMPLES: readonly [heading: string, name: RegExp][] = [
  ['An operation', /\bcreateInvoiceSchedule\b|\bcreateSchedule\b/],
  ['A migration', /\btrusted_document\b/],
  ['A job', /\bwatch_certificates\b|\bwatchCertificatesTask\b/],
  ['A setting', /\bLOG_LEVEL\b/],
  ['A code of a refusal', /\bdowngrade_to_simplified_not_allowed\b/],
  ['A page of the console', /pages\/declaration\.ts|^export async function declaration\(/m],
];

describe.each(EXAMPLES)('%s', (heading, name) => {
  test('is added in the files of the recipe, and in no others', () => {
    const files = filesOf(recipe(heading));
    expect(files.length).toBeGreaterThan(1);
    expect(filesWith(name)).toEqual(files);
  });

  test('and a file that the recipe omits would be detected', () => {
    const [first = ''] = filesOf(recipe(heading));
    expect(filesOf(recipe(heading).replace(`\`${first}\``, ''))).not.toEqual(filesWith(name));
  });
});

test('an operation of a noun that there is takes three files, and its Spanish name', () => {
  const files = filesOf(recipe('An operation'));
  expect(files.filter((file) => file !== 'src/faces/docs/operations-es.ts')).toHaveLength(3);
  expect(files).toHaveLength(4);
});

test('the recipes name files and commands that there are', () => {
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
  const recipes = text('CONTRIBUTING.md').split('## Recipes')[1]!;
  const paths = [...recipes.matchAll(/`((?:src|rest|jobs|test|docs)\/[\w./-]+)`/g)].map(
    ([, path = '']) => path,
  );
  expect(paths.length).toBeGreaterThan(15);
  for (const path of paths) expect(existsSync(join(ROOT, path)), path).toBe(true);
  for (const [, script = ''] of recipes.matchAll(/`npm run (\w+)`/g)) expect(scripts).toHaveProperty(script);
});
