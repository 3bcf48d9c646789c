import { readdirSync } from 'node:fs';

/**
 * `npm test` runs the short form of the tests: what each part computes, and the core, which nothing may break. `npm run simulate`
 * runs all others, the long form. test/README.md says what belongs where.
 */

/** The files of the core that need a database or a service. The short form has to end within three minutes on two processors. */
export const CORE_FILES: readonly string[] = [
  // What is issued, and what is refused.
  'rest/bad-input',
  'rest/both-protocols',
  'rest/empty-bodies',
  'rest/error-codes',
  'rest/graphql-refused-fields',
  'rest/http',
  'rest/idempotency',
  'rest/invoices',
  'rest/newcomer-mistakes',
  'rest/numbering',
  'rest/operation-date',
  'rest/order-of-checks',
  'rest/tax-ids',
  'rest/taxes',
  'rest/validate',
  'integration/tax-catalog',
  // How it is corrected.
  'rest/exchange',
  'rest/merchants-correct',
  'rest/pending-corrections',
  'rest/rectificativas',
  'rest/refused-amendments',
  'rest/voiding',
  // How it is registered, printed and proved.
  'rest/qr-check',
  'integration/declaration',
  'integration/document-content',
  'integration/journal',
  'integration/migrate',
  'integration/queue',
  'integration/real-agency',
  'integration/registration',
  'integration/registration-jobs',
  'integration/verifactu-end',
  // Who may do and read what.
  'rest/access-tokens',
  'rest/api-keys',
  'integration/one-environment',
  // What is published stays as it is.
  'rest/graphql-list-costs',
  'rest/openapi-compatibility',
  'rest/stored-queries',
  'client/examples',
  'client/types',
  'client/webhooks',
];

/** Files of test/unit that go to a limit of time, ask other programs or start processes. */
export const LONG_UNITS: readonly string[] = [
  'unit/agency-simulator-xml',
  'unit/client-certificates',
  'unit/document-languages',
  'unit/hostile-certificates',
  'unit/invoice-pdf',
  'unit/log-output',
  'unit/logos',
  'unit/payment-code',
  'unit/pdfa',
  'unit/published-rules',
  'unit/reading-invoices',
  'unit/renderer',
  'unit/schema-tools',
  'unit/scripts',
  'unit/xml-reading',
];

export const pathOf = (file: string): string => `test/${file}.test.ts`;

/** The files of a form: that of `--mode`, else all. */
export function formOf(mode: string): { include: string[]; exclude: string[] } {
  const short = [...filesIn('architecture'), ...filesIn('unit'), ...CORE_FILES.map(pathOf)].filter(
    (file) => !LONG_UNITS.map(pathOf).includes(file),
  );
  return {
    include: mode === 'short' ? short : ['test/**/*.test.ts'],
    exclude: mode === 'long' ? short : [],
  };
}

const filesIn = (folder: string): string[] =>
  readdirSync(`test/${folder}`)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${folder}/${name}`);
