import { openApiDocument } from '../openapi.ts';
import { PRINTED_BASE_URL } from './printed-file.ts';

/** The document of the last release, to which later ones may only add. */
export const RELEASED_FILE = new URL('../../docs/openapi-released.json', import.meta.url);

/** The OpenAPI document as its file has it. */
export function printedOpenApi(): string {
  return `${JSON.stringify(openApiDocument(PRINTED_BASE_URL), null, 1)}\n`;
}
