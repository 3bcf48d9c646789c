/**
 * What docs/guides/capacity.md reckons with: what was measured, what is assumed, and the formula. Whoever measures anew puts the
 * figures in here and runs `npm run capacity`.
 */

/** Decimal units; `MEASURED_ROWS` says how each was measured, in November 2026 on two cores. */
export const MEASURED = {
  /** Processor time in ms; an invoice with its registration, its document and one read. */
  invoice: { service: 13.1, postgres: 9.3 },
  reading: { service: 0.16, postgres: 0.09 },
  /** Bytes of an invoice of three lines, without its document. */
  rows: 4_910,
  indexes: 3_640,
  document: 29_440,
  /** Bytes of the write-ahead log. */
  wal: { issued: 13_430, registered: 1_460, rendered: 32_080 },
  /** Bytes of a process under load. */
  process: 483e6,
};

/** Bytes of an invoice of three lines by table, rows and indexes; over so many invoices, and 1,000 documents. */
const BYTES_OVER = 103_244;
const BYTES: readonly (readonly [table: string, rows: number, indexes: number])[] = [
  ['invoice_document', 29_199, 239],
  ['invoice', 1_366, 1_805],
  ['registration_record', 1_639, 298],
  ['journal_entry', 730, 429],
  ['invoice_line', 559, 358],
  ['tax_item', 328, 405],
  ['record_state', 242, 347],
  ['submission', 37, 0],
  ['all others', 8, 0],
];

/** By the place of a figure: its name in the guide, and how it was measured. */
const MEASURED_ROWS: Readonly<Record<string, readonly [name: string, measuredBy: string]>> = {
  'invoice.service': [
    'an invoice issued, registered, rendered and read once, at 30 a second: processor time of the service, ms',
    'an hour of load',
  ],
  'invoice.postgres': ['the same: Postgres, ms', 'an hour of load'],
  'reading.service': [
    'reading it again: service, ms',
    '`npm run bench -- --only read`: processor time of one',
  ],
  'reading.postgres': [
    'reading it again: Postgres, ms',
    '`npm run bench -- --only read`: processor time of one',
  ],
  rows: ['rows, bytes', 'sizes of the tables, without `invoice_document`'],
  indexes: ['indexes, bytes', 'sizes of the indexes, without `invoice_document`'],
  document: ['document, bytes', '`invoice_document`, rows and indexes'],
  'wal.issued': ['write-ahead log: issuing, bytes', 'positions in the log'],
  'wal.registered': ['write-ahead log: registering, bytes', 'positions in the log'],
  'wal.rendered': ['write-ahead log: a document that Postgres keeps, bytes', 'positions in the log'],
  process: ['memory of a process under load, bytes', 'the most in an hour of load'],
};

const ASSUMED = {
  invoicesPerCompanyAndMonth: 100,
  workingDays: 22,
  workingHours: 10,
  /** The busiest minutes by the mean of working hours. */
  peak: 5,
  readsPerInvoice: 10,
  /** The share of a processor that is planned; the rest is a reserve. */
  load: 0.5,
  /** What a company must keep. */
  years: 5,
  /** Months whose indexes are to be in memory. */
  hotMonths: 3,
  /** What one primary is given at most. */
  processorsOfPrimary: 32,
  /** In bytes. */
  diskOfPrimary: 16e12,
  /** The agency’s: a chain waits so long after an envelope, unless it is full. */
  waitSeconds: 60,
  envelope: 1_000,
};

/** In euros: of a processor and a GB of memory by the hour, of a GB on block storage and in an object store by the month. */
const PRICES = { processorHour: 0.04, memoryHour: 0.005, disk: 0.1, objects: 0.02 };

export type Capacity = Readonly<Record<keyof typeof ROWS, number>>;

const HOURS_OF_MONTH = 730;

/** What so many companies need, by the formula of the guide. */
export function capacityFor(companies: number): Capacity {
  const { invoice, reading, wal } = MEASURED;
  const monthly = companies * ASSUMED.invoicesPerCompanyAndMonth;
  const workingSeconds = ASSUMED.workingDays * ASSUMED.workingHours * 3_600;
  const perSecond = (monthly / workingSeconds) * ASSUMED.peak;
  const processors = (side: 'service' | 'postgres') => {
    const ofInvoice = invoice[side] + (ASSUMED.readsPerInvoice - 1) * reading[side];
    return Math.max(1, Math.ceil((perSecond * ofInvoice) / 1_000 / ASSUMED.load));
  };
  const [ours, postgres] = [processors('service'), processors('postgres')];
  const memory = ours * MEASURED.process + monthly * ASSUMED.hotMonths * MEASURED.indexes;
  const kept = monthly * 12 * ASSUMED.years;
  const disk = kept * (MEASURED.rows + MEASURED.indexes);
  const primaries = Math.ceil(Math.max(postgres / ASSUMED.processorsOfPrimary, disk / ASSUMED.diskOfPrimary));
  const objects = kept * MEASURED.document;
  const daily = monthly / ASSUMED.workingDays;
  const recordsOfCompany = ASSUMED.invoicesPerCompanyAndMonth / ASSUMED.workingDays;
  const turns = (ASSUMED.workingHours * 3_600) / ASSUMED.waitSeconds;
  const envelopes =
    companies * Math.max(Math.min(recordsOfCompany, turns), recordsOfCompany / ASSUMED.envelope);
  const euros =
    HOURS_OF_MONTH * ((ours + postgres) * PRICES.processorHour + (memory / 1e9) * PRICES.memoryHour) +
    (disk / 1e9) * PRICES.disk +
    (objects / 1e9) * PRICES.objects;
  return {
    ...{ monthly, perSecond, ours, postgres, primaries },
    ...{ memory: memory / 1e9, disk: disk / 1e9, objects: objects / 1e9 },
    // Documents in the object store are no part of the log.
    ...{ wal: (daily * (wal.issued + wal.registered)) / 1e9, envelopes, euros: euros / (monthly / 1e6) },
  };
}

const ROWS = {
  monthly: 'invoices a month',
  perSecond: 'invoices a second in the busiest minutes',
  ours: 'processors for the service',
  postgres: 'processors for Postgres',
  primaries: 'primaries',
  memory: 'memory, GB',
  disk: 'disk of Postgres after 5 years, GB',
  objects: 'documents after 5 years, GB',
  wal: 'write-ahead log of a working day, GB',
  envelopes: 'envelopes to the agency on a working day, at most',
  euros: 'euros for a million invoices, after 5 years',
} as const;

/** The companies that the guide reckons for. */
const COMPANIES = [1_000, 100_000, 10_000_000];

const figure = (value: number): string =>
  new Intl.NumberFormat('en', { maximumSignificantDigits: 3, maximumFractionDigits: 2 }).format(value);

const valueAt = (values: object, path: string): number =>
  path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], values) as number;

const flat = (values: object, names: Readonly<Record<string, string>>): string[] =>
  Object.entries(names).map(([path, name]) => `| ${name} | ${figure(valueAt(values, path))} |`);

/** The guide’s tables, in Markdown. */
export function capacityTables(): string {
  const needs = COMPANIES.map(capacityFor);
  return [
    '| measured in November 2026, of an invoice of three lines | | by |',
    '| --- | --- | --- |',
    ...Object.entries(MEASURED_ROWS).map(
      ([path, [name, measuredWith]]) => `| ${name} | ${figure(valueAt(MEASURED, path))} | ${measuredWith} |`,
    ),
    '',
    `| bytes by table, over ${figure(BYTES_OVER)} invoices | rows | indexes |`,
    '| --- | --- | --- |',
    ...BYTES.map(([table, ...bytes]) => `| ${table} | ${bytes.map(figure).join(' | ')} |`),
    '',
    '| assumed | |',
    '| --- | --- |',
    ...flat(ASSUMED, {
      invoicesPerCompanyAndMonth: 'invoices of a company a month',
      workingDays: 'working days of a month',
      workingHours: 'hours of a working day',
      peak: 'busiest minutes by the mean of working hours',
      readsPerInvoice: 'reads of an invoice',
      load: 'load of a processor in the busiest minutes',
      years: 'years that everything is kept',
      hotMonths: 'months whose indexes stay in memory',
      processorsOfPrimary: 'processors of one primary',
      diskOfPrimary: 'disk of one primary, bytes',
      waitSeconds: 'seconds that a chain waits after an envelope',
      envelope: 'records of a full envelope',
    }),
    ...flat(PRICES, {
      processorHour: 'euros for a processor and an hour',
      memoryHour: 'euros for a GB of memory and an hour',
      disk: 'euros for a GB of disk and a month',
      objects: 'euros for a GB in an object store and a month',
    }),
    '',
    `| companies | ${COMPANIES.map(figure).join(' | ')} |`,
    `| --- | ${COMPANIES.map(() => '---').join(' | ')} |`,
    ...Object.entries(ROWS).map(
      ([key, name]) =>
        `| ${name} | ${needs.map((need) => figure(need[key as keyof Capacity])).join(' | ')} |`,
    ),
  ].join('\n');
}
