import { writeFileSync } from 'node:fs';
import { COMMANDS_FILE, printedCommands } from './commands.ts';
import { printedOpenApi, RELEASED_FILE } from './openapi/printed.ts';
import { OPENAPI_FILE } from './openapi/printed-file.ts';

/** What callers rely on is in the schemas; examples would make the file five times as large. */
function withoutExamples(name: string, value: unknown): unknown {
  return name === 'application/json' ? { schema: (value as { schema: object }).schema } : value;
}

/**
 * `npm run openapi`: writes the OpenAPI document to `docs/openapi.json`, so that a review shows what a change means for
 * callers, and what of it the command line offers.
 * `npm run openapi -- released` stores it as that of the release being made.
 */
const text = printedOpenApi();
writeFileSync(OPENAPI_FILE, text);
writeFileSync(COMMANDS_FILE, printedCommands());
if (process.argv[2] === 'released') {
  writeFileSync(RELEASED_FILE, `${JSON.stringify(JSON.parse(text), withoutExamples, 1)}\n`);
}
