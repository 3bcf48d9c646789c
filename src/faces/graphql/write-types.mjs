import { readFileSync, writeFileSync } from 'node:fs';
import { minifyIntrospection, outputIntrospectionFile } from 'gql.tada/internal';
import { buildSchema, introspectionFromSchema } from 'graphql';

/** Writes the printed schema as a type, by which the compiler types the stored documents. The bootstrap runs it. */
const printed = readFileSync(new URL('./schema.graphql', import.meta.url), 'utf8');
const types = outputIntrospectionFile(minifyIntrospection(introspectionFromSchema(buildSchema(printed))), {
  fileType: '.d.ts',
  shouldPreprocess: true,
});
writeFileSync(new URL('../../../generated/schema-types.d.ts', import.meta.url), types);
