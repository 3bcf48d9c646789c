import { readFileSync, writeFileSync } from 'node:fs';
import { minifyIntrospection, outputIntrospectionFile } from 'gql.tada/internal';
import { buildSchema, GraphQLNonNull, introspectionFromSchema } from 'graphql';

/** Writes the printed schema as a type, by which the compiler types the stored documents. The bootstrap runs it. */
const schema = buildSchema(readFileSync(new URL('./schema.graphql', import.meta.url), 'utf8'));

// A stored document gives its answer or a refusal: where an error is, there is no answer (permissions.ts says which).
for (const field of Object.values(schema.getQueryType().getFields())) {
  if (field.description.endsWith('Null only beside an error.')) field.type = new GraphQLNonNull(field.type);
}
const types = outputIntrospectionFile(minifyIntrospection(introspectionFromSchema(schema)), {
  fileType: '.d.ts',
  shouldPreprocess: true,
});
writeFileSync(new URL('../../../generated/schema-types.d.ts', import.meta.url), types);
