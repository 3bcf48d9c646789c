import { openApiDocument } from '../openapi.ts';

export const OPENAPI_FILE = new URL('../../docs/openapi.json', import.meta.url);

/** The document of the last release, which later ones may only add to. */
export const RELEASED_FILE = new URL('../../docs/openapi-released.json', import.meta.url);

/** Where the printed document says that the service is: whoever makes a client of it sets another address. */
const BASE_URL = 'https://lacre.example';

/** The OpenAPI document as its file has it. */
export function printedOpenApi(): string {
  return `${JSON.stringify(openApiDocument(BASE_URL), null, 1)}\n`;
}
