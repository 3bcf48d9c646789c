/** The printed document, which a test holds equal to what the schemas say. */
export const OPENAPI_FILE = new URL('../../docs/openapi.json', import.meta.url);

/** Where the printed document says that the service is: whoever makes a client of it sets another address. */
export const PRINTED_BASE_URL = 'https://lacre.example';
