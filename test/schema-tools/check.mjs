import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { Client } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { buildSchema, introspectionFromSchema, isObjectType, Kind, parse, print } from 'graphql';

/**
 * Runs what front ends run on the schema, and fails on the first warning: the linter with its recommended rules and
 * Relay's, relay-compiler, the client preset of the code generator, and urql's normalized cache.
 */
const HERE = fileURLToPath(new URL('./', import.meta.url));
const [, , SCHEMA = fileURLToPath(new URL('../../src/faces/graphql/schema.graphql', import.meta.url))] =
  process.argv;
/** The tools want it beside what they read. */
const COPY = join(HERE, 'schema.graphql');
const text = readFileSync(SCHEMA, 'utf8');
writeFileSync(COPY, text);
const schema = buildSchema(text);
const out = mkdtempSync(join(tmpdir(), 'lacre-schema-tools-'));
const failed = [];

function report(tool, faults) {
  console.log(`${tool}: ${faults.length === 0 ? 'no warning' : `${faults.length} warnings`}`);
  for (const fault of faults) console.log(`  ${fault}`);
  if (faults.length > 0) failed.push(tool);
}

function run(program, args, variables = {}) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(HERE, 'node_modules', program), ...args],
    {
      cwd: HERE,
      encoding: 'utf8',
      env: { ...process.env, ...variables },
    },
  );
  return { stdout, stderr, status };
}

function lint() {
  const { stdout, stderr, status } = run('eslint/bin/eslint.js', ['schema.graphql', '-f', 'json'], {
    SCHEMA: COPY,
  });
  if (status === 2) return [stderr];
  return JSON.parse(stdout).flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`),
  );
}

function relay() {
  const config = join(HERE, 'relay.config.json');
  mkdirSync(join(HERE, 'relay', '__generated__'), { recursive: true });
  writeFileSync(
    config,
    JSON.stringify({
      src: './relay',
      schema: './schema.graphql',
      language: 'javascript',
      artifactDirectory: './relay/__generated__',
      schemaConfig: { nodeInterfaceIdField: 'id' },
    }),
  );
  const { stdout, stderr, status } = run('relay-compiler/cli.js', []);
  rmSync(config);
  rmSync(join(HERE, 'relay', '__generated__'), { recursive: true, force: true });
  const output = `${stdout}${stderr}`.split('\n').filter((line) => /warn|error/i.test(line));
  return status === 0 ? output : [`it ended with ${status}`, ...output];
}

const DOCUMENT = parse(`
  query List($filter: InvoiceFilter, $after: String) {
    viewer { kind environment company { id legalName } }
    invoices(first: 2, after: $after, filter: $filter) {
      totalCount
      edges { cursor node { ...Row } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
  fragment Row on Invoice {
    id number total status verifactu { status hash } recipient { name address { city } }
    lineItems { id description taxItems { name amount } } taxBreakdown { name base amount }
    rectifiedBy { id number } series { id prefix }
  }
  mutation Issue($input: IssueInvoiceInput!) { issueInvoice(input: $input) { ...Row } }
`);

async function generate() {
  const plans = await preset.buildGeneratesSection({
    baseOutputDir: `${out}/`,
    schema: parse(text),
    schemaAst: schema,
    documents: [{ location: 'list.graphql', document: DOCUMENT, rawSDL: print(DOCUMENT) }],
    config: {
      scalars: { SafeInt: 'number', DateTime: 'string', Date: 'string', JSON: 'unknown', Decimal: 'string' },
      strictScalars: true,
      useTypeImports: true,
    },
    presetConfig: { persistedDocuments: true },
    ...{ plugins: [], pluginMap: {}, pluginContext: {} },
  });
  for (const plan of plans) await codegen(plan);
  return plans.length > 0 ? [] : ['it made nothing'];
}

/** What has no id is kept inside of what holds it, which the cache wants to be told of each such type. */
const keys = Object.fromEntries(
  Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && !('id' in type.getFields()) && !type.name.startsWith('__'))
    .map(({ name }) => [name, () => null]),
);

function cache() {
  const warnings = [];
  const exchange = cacheExchange({
    schema: introspectionFromSchema(schema),
    keys,
    resolvers: { Query: { invoices: relayPagination() } },
    logger: (_severity, message) => warnings.push(message),
  });
  const data = answerOf(schema.getQueryType(), operation('List').selectionSet, fragments());
  const client = new Client({
    url: 'http://localhost/graphql',
    preferGetMethod: false,
    exchanges: [exchange, answering(data)],
  });
  return new Promise((resolve) => {
    client.query(DOCUMENT_OF('List'), {}).then(({ error }) => {
      resolve(error === undefined ? warnings : [String(error), ...warnings]);
    });
  });
}

/** An exchange at whose end stands an answer that is known. */
function answering(data) {
  return () => (operations) => (sink) =>
    operations((signal) => {
      if (signal === 0 || signal.tag !== 1) sink(signal);
      else sink({ ...signal, 0: { operation: signal[0], data, stale: false, hasNext: false } });
    });
}

const operation = (name) => DOCUMENT.definitions.find((one) => one.name.value === name);
const fragments = () => Object.fromEntries(DOCUMENT.definitions.map((one) => [one.name.value, one]));
const DOCUMENT_OF = (name) => ({
  kind: Kind.DOCUMENT,
  definitions: [operation(name), operation('Row')],
});

/** An answer of the right shape, with a different value for each id. */
let ids = 0;
function answerOf(type, { selections }, known) {
  const answer = { __typename: type.name };
  for (const node of selections) {
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      Object.assign(answer, answerOf(type, known[node.name.value].selectionSet, known));
      continue;
    }
    const name = node.name.value;
    let of = type.getFields()[name].type;
    let isList = false;
    while ('ofType' in of) {
      isList ||= of.constructor.name === 'GraphQLList';
      of = of.ofType;
    }
    ids += 1;
    const value = node.selectionSet ? answerOf(of, node.selectionSet, known) : `value ${ids}`;
    answer[name] = isList ? [value] : value;
  }
  return answer;
}

report('@graphql-eslint', lint());
report('relay-compiler', relay());
report('client preset', await generate());
report('graphcache', await cache());
rmSync(out, { recursive: true });
rmSync(COPY);
process.exitCode = failed.length === 0 ? 0 : 1;
