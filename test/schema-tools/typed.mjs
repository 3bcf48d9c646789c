import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { Kind, parse, print } from 'graphql';

/** What makes TypeScript of the schema and of documents: its output is compiled beside code that uses it. */

const SCALARS = { SafeInt: 'number', DateTime: 'string', Date: 'string', JSON: 'unknown', Decimal: 'string' };

const CONFIG = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', allowImportingTsExtensions: true },
  },
  include: ['*.ts'],
};

/** Compiles only if what is asked of the documents has the types of the schema. */
const USE = `
type Row = { number: string; total: number; status: 'issued' | 'voided'; dueDate: string | null };
type Page = { totalCount: number | null; edges: readonly { cursor: string }[] };
export const page = (answer: ResultOf<typeof List>): Page | null => answer.invoices ?? null;
export const id = (answer: ResultOf<typeof Issue>): unknown => answer.issueInvoice;
export const variables: VariablesOf<typeof List> = { filter: { type: ['complete'], issuedOn: { from: '2026-01-01' } } };
export const input: VariablesOf<typeof Issue>['input'] = {
  type: 'simplified',
  lineItems: [{ description: 'Café', quantity: 1, unitAmount: 150, taxItems: [{ type: 'vat', rate: 10 }] }],
};
// @ts-expect-error: there is no such type of invoice
export const wrong: VariablesOf<typeof List> = { filter: { type: ['none'] } };
`;

const lines = (text) => text.split('\n').filter((line) => line.trim() !== '');

/** A folder with a project of TypeScript, which finds the packages of this one. */
function project(here, name, files) {
  const folder = join(here, '__generated__', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

function compile(run, folder) {
  const { stdout, status } = run('typescript/lib/tsc.js', ['-p', folder]);
  return status === 0 ? [] : lines(stdout);
}

/** The client preset of GraphQL Code Generator, with its documents by hash. */
export async function clientPreset({ here, run, text, schema, documents }) {
  const document = parse(documents);
  const plans = await preset.buildGeneratesSection({
    baseOutputDir: './',
    schema: parse(text),
    schemaAst: schema,
    documents: [{ location: 'invoices.graphql', document, rawSDL: print(document) }],
    config: { scalars: SCALARS, strictScalars: true, useTypeImports: true, enumsAsTypes: true },
    presetConfig: { persistedDocuments: true, fragmentMasking: false },
    ...{ plugins: [], pluginMap: {}, pluginContext: {} },
  });
  const files = {};
  for (const plan of plans) files[plan.filename.replace('./', '')] = await codegen(plan);
  const faults = Object.entries(files).flatMap(([name, content]) =>
    lines(content).flatMap((line) => (/: any;|<any>/.test(line) ? [`${name}: ${line.trim()}`] : [])),
  );
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const hashes = Object.keys(JSON.parse(files['persisted-documents.json'] ?? '{}'));
  if (hashes.length !== operations.length) faults.push(`${hashes.length} documents have a hash`);
  const use = `import type { ResultOf, VariablesOf } from '@graphql-typed-document-node/core';
import type { IssueDocument as Issue, ListDocument as List } from './graphql.ts';
type Answered = NonNullable<NonNullable<ResultOf<typeof List>['invoices']>['edges'][number]['node']>;
export const row = (answered: Answered): Row => answered;
${USE}`;
  const folder = project(here, 'client', {
    ...files,
    'use.ts': use,
    'tsconfig.json': JSON.stringify(CONFIG),
  });
  return [...faults, ...compile(run, folder)];
}

/** gql.tada: its own check of the documents, with warnings, and the types that it infers. */
export function tada({ here, run, schemaFile, documents }) {
  const { definitions } = parse(documents);
  const constant = (definition) => {
    const spread = print(definition).match(/\.\.\.\w+/g) ?? [];
    const used = [...new Set(spread)].map((name) => name.slice(3));
    return `export const ${definition.name.value} = graphql(\`${print(definition)}\`, [${used.join(', ')}]);`;
  };
  const fragmentsFirst = definitions.toSorted((one, other) => one.kind.localeCompare(other.kind));
  const plugin = { name: 'gql.tada/ts-plugin', schema: schemaFile, tadaOutputLocation: './graphql-env.d.ts' };
  const folder = project(here, 'tada', {
    'graphql.ts': `import { initGraphQLTada } from 'gql.tada';
import type { introspection } from './graphql-env.d.ts';
type Scalars = ${JSON.stringify(SCALARS).replaceAll('"', '').replaceAll(',', ';')};
export const graphql = initGraphQLTada<{ introspection: introspection; scalars: Scalars; disableMasking: true }>();
export type { ResultOf, VariablesOf } from 'gql.tada';
`,
    'documents.ts': `import { graphql } from './graphql.ts';\n${fragmentsFirst.map(constant).join('\n')}\n`,
    'use.ts': `import type { ResultOf, VariablesOf } from './graphql.ts';
import type { Issue, List, Row as RowDocument } from './documents.ts';
export const row = (answered: ResultOf<typeof RowDocument>): Row => answered;
${USE}`,
    'tsconfig.json': JSON.stringify({
      ...CONFIG,
      compilerOptions: { ...CONFIG.compilerOptions, plugins: [plugin] },
    }),
  });
  const faults = [];
  for (const command of [['generate-output'], ['check', '--level', 'warn', '--fail-on-warn']]) {
    const { stdout, stderr, status } = run('gql.tada/bin/cli.js', [...command, '--tsconfig', folder]);
    if (status !== 0) faults.push(`${command[0]} ended with ${status}`, ...lines(`${stdout}${stderr}`));
  }
  return [...faults, ...compile(run, folder)];
}
