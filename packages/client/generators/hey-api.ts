/** Makes a client with @hey-api/openapi-ts as its users do: the document, and where to. For a test. */
import { registerHooks } from 'node:module';

// It needs the interface of TypeScript 5 for programs, which is installed here; where it is installed itself, there is 7.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL: import.meta.url } : context),
});
const { createClient } = await import('@hey-api/openapi-ts');

const [, , input = '', path = ''] = process.argv;
await createClient({
  input,
  logs: { level: 'silent' },
  output: {
    path,
    module: { extension: '.ts' },
    // The files that it adds to what it makes of a document (those without `file`) do not compile under
    // exactOptionalPropertyTypes: https://github.com/hey-api/hey-api/issues/2363. What is made of the document is checked.
    header: ({ file, defaultValue }) =>
      file === undefined ? ['// @ts-nocheck', ...defaultValue] : defaultValue,
  },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
});
