/**
 * `npm run client`: writes what of the client is made from the OpenAPI document. `--check` writes nothing and ends
 * with 1 when what is there is not what would be written.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

const NOTE = '// Made from the OpenAPI document by `npm run client`. Changes are lost.\n';

type Operation = { readonly parameters?: readonly { readonly in?: string; readonly name?: string }[] };

/** As `npm run openapi` has written it: the package imports nothing of the service. */
const document = JSON.parse(readFileSync(`${import.meta.dirname}/../../docs/openapi.json`, 'utf8')) as Record<
  string,
  unknown
>;

/** By how the document describes it, the part of an open enumeration that stands for values to come. */
const LATER = 'A value that was added later.';

async function types(): Promise<string> {
  const nodes = await openapiTS(document as unknown as OpenAPI3, {
    alphabetize: true,
    inject: "import type { Unlisted } from './unlisted.ts';\n",
    transform: ({ description }) =>
      description === LATER ? ts.factory.createTypeReferenceNode('Unlisted') : undefined,
  });
  return NOTE + astToString(nodes);
}

/** The paths whose POST takes an idempotency key. */
function keyedPaths(): string {
  const paths = document['paths'] as Record<string, { readonly post?: Operation }>;
  const keyed = Object.keys(paths).filter((path) =>
    paths[path]!.post?.parameters?.some((parameter) => parameter.name === 'Idempotency-Key'),
  );
  const lines = keyed.sort().map((path) => `  '${path}',\n`);
  const docstring = '/** The paths whose POST takes an idempotency key. */';
  return `${NOTE}${docstring}\nexport const KEYED_PATHS: readonly string[] = [\n${lines.join('')}];\n`;
}

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;
const files = { 'schema.ts': await types(), 'keyed-paths.ts': keyedPaths() };
for (const [name, text] of Object.entries(files)) {
  const file = `${dirname(import.meta.filename)}/src/${name}`;
  if (!check) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(
      `packages/client/src/${name} is not what the OpenAPI document says: run \`npm run client\`.`,
    );
    process.exitCode = 1;
  }
}
