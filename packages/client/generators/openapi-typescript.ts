/** Makes types with openapi-typescript as its users do: the document, and where to. For a test. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const [, , input = '', folder = ''] = process.argv;
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/schema.ts`, astToString(await openapiTS(pathToFileURL(input))));
