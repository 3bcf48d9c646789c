/** The printed document; a test compares it with the schemas. */
export const OPENAPI_FILE = new URL('../../docs/openapi.json', import.meta.url);

/** The address of the service in the printed document; generators of clients set another one. */
export const PRINTED_BASE_URL = 'https://lacre.example';
