import { readFileSync } from 'node:fs';
import { serveThread } from '../src/ground/lib/run-in-thread.ts';
import { OPENAPI_FILE, PRINTED_BASE_URL } from './openapi/printed-file.ts';
import { type Document, postmanCollection } from './postman.ts';

export type DocumentRequest = { readonly baseUrl: string; readonly form: 'openapi' | 'postman' };

/** From the printed document: building it from the schemas takes ten times as long, and loads all of them once more. */
serveThread(({ baseUrl, form }: DocumentRequest): string => {
  const address = JSON.stringify(baseUrl).slice(1, -1);
  const document = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8').replaceAll(PRINTED_BASE_URL, () => address));
  return JSON.stringify(form === 'openapi' ? document : postmanCollection(document as Document, baseUrl));
});
