import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSchema } from 'graphql';
import { graphcache } from './graphcache.mjs';
import { clientPreset, tada } from './typed.mjs';

/**
 * Runs what front ends run on the schema and on documents, and fails on the first warning: the linter with its recommended rules and
 * Relay's, relay-compiler, the client preset of the code generator, gql.tada, and urql's normalized cache. `node check.mjs
 * [<schema> [<tool>…]]`: the committed schema and all tools, or another schema and these.
 */
const here = fileURLToPath(new URL('./', import.meta.url));
const [
  ,
  ,
  SCHEMA = fileURLToPath(new URL('../../src/faces/graphql/schema.graphql', import.meta.url)),
  ...chosen
] = process.argv;
/** The tools want it beside what they read. */
const schemaFile = join(here, 'schema.graphql');
const text = readFileSync(SCHEMA, 'utf8');
writeFileSync(schemaFile, text);
const documents = readFileSync(join(here, 'documents', 'invoices.graphql'), 'utf8');
const tools = { here, run, text, schemaFile, documents, schema: buildSchema(text) };

/** A tool that ends with an error has refused what it was given. */
async function report(tool, check) {
  if (chosen.length > 0 && !chosen.includes(tool)) return;
  const faults = await (async () => check(tools))().catch((error) => [String(error)]);
  console.log(`${tool}: ${faults.length === 0 ? 'no warning' : `${faults.length} warnings`}`);
  for (const fault of faults) console.log(`  ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

function run(program, args, variables = {}) {
  const file = join(here, 'node_modules', program);
  const env = { ...process.env, ...variables };
  const { stdout, stderr, status } = spawnSync(process.execPath, [file, ...args], {
    ...{ cwd: here, encoding: 'utf8', env },
  });
  return { stdout, stderr, status };
}

function lint() {
  const { stdout, stderr, status } = run('eslint/bin/eslint.js', ['schema.graphql', '-f', 'json'], {
    SCHEMA: schemaFile,
  });
  if (status === 2) return [stderr];
  return JSON.parse(stdout).flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`),
  );
}

function relay() {
  const config = join(here, 'relay.config.json');
  mkdirSync(join(here, 'relay', '__generated__'), { recursive: true });
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
  rmSync(join(here, 'relay', '__generated__'), { recursive: true, force: true });
  const output = `${stdout}${stderr}`.split('\n').filter((line) => /warn|error/i.test(line));
  return status === 0 ? output : [`it ended with ${status}`, ...output];
}

await report('@graphql-eslint', lint);
await report('relay-compiler', relay);
await report('client preset', clientPreset);
await report('gql.tada', tada);
await report('graphcache', graphcache);
rmSync(join(here, '__generated__'), { recursive: true, force: true });
rmSync(schemaFile);
