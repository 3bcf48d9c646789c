import { readFileSync, writeFileSync } from 'node:fs';
import { minifyIntrospection, outputIntrospectionFile } from 'gql.tada/internal';
import { buildSchema, GraphQLNonNull, introspectionFromSchema, isObjectType } from 'graphql';

/** Writes the printed schema as TypeScript types, from which stored queries are typed. Run by the bootstrap. */
const schema = buildSchema(readFileSync(new URL('./schema.graphql', import.meta.url), 'utf8'));

function write(name) {
  const types = outputIntrospectionFile(minifyIntrospection(introspectionFromSchema(schema)), {
    fileType: '.d.ts',
    shouldPreprocess: true,
  });
  writeFileSync(new URL(`../../../generated/${name}.d.ts`, import.meta.url), types);
}

// As any front end has them: those of the examples.
write('graphql-env');

// A stored query returns its answer or a refusal: if there is an error, there is no answer (null-at-own-path.ts says which).
for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
  for (const field of Object.values(type.getFields())) {
    if (field.description?.endsWith('Null only together with an error.'))
      field.type = new GraphQLNonNull(field.type);
  }
}
write('schema-types');
