import { writeFileSync } from 'node:fs';
import { printedSchema } from './schema.ts';

/** Where it stands as callers were last promised it: a test holds the schema to that. */
const RELEASED = new URL('../../../docs/schema-released.graphql', import.meta.url);

/**
 * `npm run schema`: writes the schema's text to `schema.graphql`, where a review sees what a change does to callers;
 * with `released`, at a release, also where the next changes are compared with.
 */
writeFileSync(new URL('./schema.graphql', import.meta.url), printedSchema());
if (process.argv.includes('released')) writeFileSync(RELEASED, printedSchema());
