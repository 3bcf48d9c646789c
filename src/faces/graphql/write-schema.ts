import { writeFileSync } from 'node:fs';
import { printedSchema } from './schema.ts';

/** `npm run schema`: writes the schema's text to `schema.graphql`, where a review sees what a change does to callers. */
writeFileSync(new URL('./schema.graphql', import.meta.url), printedSchema());
