import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const schema = textOf('src/faces/graphql/schema.graphql').replaceAll(/"""[\s\S]*?"""/g, '');
const guides = readdirSync(new URL('docs/guides', ROOT), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/guides/${name}`);
const PAGES = [...guides, 'docs/contract.md'];

/** What a page names in its sentences and tables; its blocks are run. */
const namedIn = (path: string): string[] => {
  const sentences = textOf(path).replaceAll(/```[\s\S]*?```/g, '');
  return [...sentences.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
};

/** Names in camelCase that are not of this schema, and whose they are. */
const OF_OTHERS = [
  ...['anyOf', 'createInvoice', 'exactOptionalPropertyTypes'], // generators of clients
  ...['documentId', 'hashAlgorithm', 'persistConfig', 'persistedDocuments'], // GraphQL clients
  ...['livenessProbe', 'readinessProbe', 'startupProbe'], // Kubernetes
  ...['errorCode', 'keyPrefix', 'lastWords', 'requestId'], // logs
  'approvedBy', // a detail of an entry of the audit log
  'retryAfter', // an extension of errors
];

test('what pages name in camelCase is in the GraphQL schema', () => {
  const known = new Set([...(schema.match(/\w+/g) ?? []), ...OF_OTHERS]);
  const unknown = PAGES.flatMap((path) =>
    namedIn(path)
      .flatMap((code) => code.match(/(?<![\w.\-/@:#<])[a-z]+(?:[A-Z][a-z0-9]+)+(?![\w\-/])/g) ?? [])
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('no page names a deprecated argument or field', () => {
  const deprecated = [...schema.matchAll(/(\w+)(?:\([^)]*\))?: [^\n]*@deprecated/g)].map(([, name]) => name!);
  const taught = PAGES.filter((path) => !path.endsWith('/versioning.md')).flatMap((path) =>
    namedIn(path).filter((code) => deprecated.some((name) => new RegExp(`\\b${name}\\b`).test(code))),
  );
  expect(taught).toEqual([]);
});

type Parameter = { readonly name?: string; readonly in?: string };
type Operation = { readonly parameters?: readonly Parameter[] };
const { paths } = JSON.parse(textOf('docs/openapi.json')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

/** Of the contract's sentence on periods: `from` and `to` by themselves, and what narrows a list. */
const [, SENTENCE = ''] =
  /Periods have these names everywhere: (.*?narrow a list)\./.exec(textOf('docs/contract.md')) ?? [];

test('periods have the names of the contract’s sentence everywhere, always both ends', () => {
  const said = [...SENTENCE.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name!);
  expect(said).toEqual([
    'from',
    'to',
    'issued_from',
    'issued_to',
    'due_from',
    'due_to',
    'created_from',
    'created_to',
  ]);
  const isBound = /^(?:from|to|since|until)$|(?:^|_)(?:from|to|since|until)$/;
  const rest = Object.entries(paths).flatMap(([path, operations]) =>
    Object.values(operations).map(({ parameters = [] }) => ({
      path,
      bounds: parameters.flatMap(({ name = '' }) => (isBound.test(name) ? [name] : [])),
    })),
  );
  const narrowing = rest.filter(({ bounds }) => bounds.length > 0);
  expect(narrowing.length).toBeGreaterThan(2);
  for (const { path, bounds } of narrowing) {
    expect(said, path).toEqual(expect.arrayContaining(bounds));
    expect(bounds.map((name) => name.replace(/from$/, 'to')).toSorted(), path).toEqual(
      [
        ...bounds.filter((name) => name.endsWith('to')),
        ...bounds.filter((name) => name.endsWith('to')),
      ].toSorted(),
    );
  }
  // In GraphQL an argument or a field of an input that bounds days or times. `changedSince` has one end: what was kept before it is known.
  const graphql = [...schema.matchAll(/^ +(\w+): (?:Date|DateTime)!?(?: =.*)?$/gm)].map(([, name]) => name!);
  const bounding = new Set(
    graphql.filter((name) => /(?:From|To|Since|Until|Before|After)$|^(?:from|to)$/.test(name)),
  );
  // Those that answers alone have: how long something holds, or has held.
  for (const answered of ['validFrom', 'validTo', 'keptUntil', 'failingSince', 'incidentSince'])
    bounding.delete(answered);
  expect([...bounding].toSorted()).toEqual(['changedSince', 'createdFrom', 'createdTo', 'from', 'to']);
});

test('the command line names periods --from and --to', () => {
  const options = [...textOf('docs/guides/command-line.md').matchAll(/`--(\w+) <(?:YYYY-MM-DD|time)>`/g)];
  const bounds = new Set(
    options.map(([, name]) => name!).filter((name) => !/^(?:paid|expires|starts|ends)/.test(name)),
  );
  expect([...bounds]).toEqual(expect.arrayContaining(['from', 'to']));
  expect([...bounds].filter((name) => /since|until|before|after/.test(name))).toEqual([]);
});
