/**
 * `npm test` plays the short form of the tests, `npm run simulate` the long form; CI plays both. A file that is run by its
 * name is played whole. test/README.md says what belongs where.
 */

/**
 * Only in the long form: what starts services, clusters, browsers or command lines as processes of their own, what goes to a
 * bound of size or time, and pages that are looked at by other programs.
 */
export const LONG_FILES = [
  'browser/console',
  'browser/dashboard',
  'browser/docs',
  'browser/portal',
  'client/made',
  'client/package',
  'integration/agency-simulator-guard',
  'integration/agency-simulator-process',
  'integration/backup-and-restore',
  'integration/branding',
  'integration/cli-examples',
  'integration/client-certificates',
  'integration/dashboard-and-alerts',
  'integration/database-owners',
  'integration/doctor',
  'integration/document-places',
  'integration/email-handover',
  'integration/embedded-postgres',
  'integration/exported-documents',
  'integration/failover',
  'integration/fleet',
  'integration/hot-query-plans',
  'integration/import-runs',
  'integration/jobs-runner',
  'integration/journal-adoption',
  'integration/mcp',
  'integration/paper',
  'integration/records-export',
  'integration/standby',
  'integration/statement-time',
  'integration/traces',
  'integration/webhook-faults',
  'integration/writes-refused',
  'rest/answer-size',
  'rest/batch-turns',
  'rest/database-gone',
  'rest/large-reads',
  'rest/traffic',
  'simulation/fairness',
  'simulation/full-disk',
  'simulation/killed-batches',
  'simulation/killed-schedules',
  'simulation/killed-while-issuing',
  'simulation/startup',
  'unit/agency-simulator-xml',
  'unit/document-languages',
  'unit/payment-code',
  'unit/renderer',
  'unit/schema-tools',
  'unit/xml-reading',
] as const;

/** In both forms: the short one plays fewer seeds or cases. */
export const SHORTENED_FILES = [
  'attack/attacks',
  'integration/correction-histories',
  'rest/guides',
  'rest/hostile-bodies',
  'rest/openapi',
  'simulation/registration',
  'unit/invoice-pdf',
  'unit/structured-invoices',
] as const;

/** Whether a file is to play no more than its short form. */
export const SHORT = process.env['TEST_FORM'] === 'short';

export const pathOf = (file: string): string => `test/${file}.test.ts`;

/** The settings of vitest for a form: that of `--mode`, else everything. */
export function formOf(mode: string): { include: string[]; exclude: string[]; env: { TEST_FORM: string } } {
  const long = [...LONG_FILES, ...SHORTENED_FILES].map(pathOf);
  return {
    include: mode === 'long' ? long : ['test/**/*.test.ts'],
    exclude: mode === 'short' ? LONG_FILES.map(pathOf) : [],
    env: { TEST_FORM: mode === 'short' ? 'short' : 'whole' },
  };
}
