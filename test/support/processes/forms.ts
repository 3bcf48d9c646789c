/**
 * `npm test` runs the short form of the tests, `npm run simulate` the long form; CI runs both. test/README.md says what
 * belongs where.
 */

/** Only in the long form, by the reason why they take long. Each group is in alphabetical order. */
export const LONG_FILES: readonly string[] = [
  // Start services, clusters, workers, browsers, packages or commands as processes of their own.
  'browser/console',
  'browser/dashboard',
  'browser/dashboard-connections',
  'browser/dashboard-forms',
  'browser/demo-walk',
  'browser/docs',
  'browser/portal',
  'client/generated',
  'client/package',
  'client/runtimes',
  'integration/abandoned-starts',
  'integration/agency-simulator-guard',
  'integration/agency-simulator-process',
  'integration/backup-and-restore',
  'integration/branding',
  'integration/cli',
  'integration/cli-examples',
  'integration/dashboard-and-alerts',
  'integration/database-owners',
  'integration/doctor',
  'integration/embedded-postgres',
  'integration/failover',
  'integration/fleet',
  'integration/import-runs',
  'integration/jobs-runner',
  'integration/mcp',
  'integration/mcp-session',
  'integration/pooler',
  'integration/records-export',
  'integration/standby',
  'integration/traces',
  'integration/verify-chain',
  'integration/warm-start',
  'integration/warm-up',
  'integration/webhook-receivers',
  'rest/guides',
  'simulation/startup',
  'unit/log-output',
  'unit/schema-tools',
  'unit/scripts',
  // Stop, restore or disturb databases, disks, networks or processes at the worst moment.
  'integration/compared-pages',
  'integration/database-hangs',
  'integration/database-watch',
  'integration/email-handover',
  'integration/registration-faults',
  'integration/resume-after-restore',
  'integration/server-examination',
  'integration/webhook-faults',
  'integration/writes-refused',
  'rest/database-gone',
  'simulation/fairness',
  'simulation/full-disk',
  'simulation/killed-batches',
  'simulation/killed-schedules',
  'simulation/killed-while-issuing',
  'simulation/registration',
  // Attack the service, or send what random generators or every field at its limits make of a request.
  'attack/attacks',
  'attack/hostile-files',
  'integration/correction-histories',
  'integration/correction-races',
  'integration/random-invoices',
  'rest/field-limits',
  'rest/hostile-bodies',
  'rest/nul',
  'rest/schema-requests',
  'rest/settled-rules',
  'rest/texts',
  // Go to a limit of size or time, or read untrusted files in threads that take up to their limits.
  'integration/bounces',
  'integration/client-certificates',
  'integration/document-places',
  'integration/document-reads',
  'integration/exported-documents',
  'integration/hot-query-plans',
  'integration/name-pages',
  'integration/reminders',
  'integration/statement-time',
  'rest/answer-size',
  'rest/batch-turns',
  'rest/large-reads',
  'rest/live-slow-reader',
  'rest/live-updates',
  'rest/traffic',
  'unit/agency-simulator-xml',
  'unit/client-certificates',
  'unit/reading-invoices',
  'unit/renderer',
  'unit/xml-reading',
  // Have other programs inspect pages, structured invoices and the OpenAPI document.
  'integration/paper',
  'rest/openapi-tools',
  'unit/document-languages',
  'unit/invoice-pdf',
  'unit/payment-code',
  'unit/pdfa',
  'unit/published-rules',
  // Alter or rebuild whole databases: schemas, journals and their checkpoints.
  'integration/data-model',
  'integration/email-tampering',
  'integration/journal-adoption',
  'integration/journal-checkpoints',
  'integration/journal-tampering',
  // Walk through commands that work over the API, which has tests of its own in both forms.
  'integration/cli-remote',
  'integration/trigger-live',
  // Read every object before and after every mutation.
  'integration/mutation-caches',
];

export const pathOf = (file: string): string => `test/${file}.test.ts`;

/** The files of a form: that of `--mode`, else all. */
export function formOf(mode: string): { include: string[]; exclude: string[] } {
  const long = LONG_FILES.map(pathOf);
  return {
    include: mode === 'long' ? long : ['test/**/*.test.ts'],
    exclude: mode === 'short' ? long : [],
  };
}
