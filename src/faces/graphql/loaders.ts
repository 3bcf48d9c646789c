import type { Db } from '../../ground/db/client.ts';
import { COUNTED } from '../../ground/db/listed.ts';
import { batchLoader, DEFERRED } from '../../ground/lib/batch-loader.ts';
import {
  type Environment,
  listEnvironmentsOf,
  readEnvironmentsById,
} from '../../subjects/accounts/store/read-environments.ts';
import { readOperatorNames } from '../../subjects/accounts/store/read-keys.ts';
import { certificatesOfOwners, type Stored } from '../../subjects/certificates/manage.ts';
import { emailCountsOf, emailsOfInvoices } from '../../subjects/emails/send-invoice.ts';
import type { Email } from '../../subjects/emails/shapes.ts';
import type { Event } from '../../subjects/events/event.ts';
import { eventCountsOf, eventsOfSubjects } from '../../subjects/events/read.ts';
import { readChangeTimes } from '../../subjects/invoices/store/read-changes.ts';
import type { Series } from '../../subjects/number-series/series.ts';
import {
  countSeriesOf,
  readSeriesById,
  readSeriesOf,
} from '../../subjects/number-series/store/read-series.ts';
import type { Movement } from '../../subjects/payments/business-statuses.ts';
import type { Payment } from '../../subjects/payments/shapes.ts';
import { readMovementsOf, readPaymentsOf } from '../../subjects/payments/store/read-payments.ts';
import {
  type RecipientStatus,
  readRecipientStatusesOf,
} from '../../subjects/payments/store/read-recipient-statuses.ts';
import type { Family } from '../../subjects/rectifying/family.ts';
import { type Corrected, loadFamilies } from '../../subjects/rectifying/store/read-families.ts';
import { loadHeads } from '../../subjects/rectifying/store/read-heads.ts';
import type { Context } from './context.ts';

/** Objects related to other objects; each kind is loaded by one statement for all concurrent requests. */
export type Loaders = {
  readonly series: (environmentId: number, id: string) => Promise<Series | null>;
  readonly environments: (companyId: string) => Promise<readonly Environment[] | null>;
  readonly environment: (id: number) => Promise<Environment | null>;
  /** By the id of a key or an identity. */
  readonly operatorName: (id: string) => Promise<string | null>;
  /** The first or last series of an environment, or of a type there ('' for all), as `listSeries` orders them. */
  readonly seriesOf: (
    environmentId: number,
    type: Series['type'] | '',
    rows: number,
    backwards: boolean,
  ) => Promise<readonly Series[]>;
  /** Their number, up to one more than is counted exactly. */
  readonly seriesCount: (environmentId: number, type: Series['type'] | '') => Promise<number>;
  /** All certificates of a company, or of the platform (''), the active one first. */
  readonly certificates: (owner: string) => Promise<readonly Stored[]>;
  readonly changedAt: (environmentId: number, invoiceId: string) => Promise<Date | null>;
  /** Those of an invoice that were not removed. */
  readonly payments: (environmentId: number, invoiceId: string) => Promise<readonly Payment[]>;
  /** What payments of an invoice, and their removals, have brought its account to. */
  readonly movements: (environmentId: number, invoiceId: string) => Promise<readonly Movement[]>;
  /** The status that its recipient has stated. */
  readonly recipientStatuses: (
    environmentId: number,
    invoiceId: string,
  ) => Promise<readonly RecipientStatus[]>;
  /** The first or last rows of an invoice's e-mails (`emailsOfInvoices`). */
  readonly emails: (
    environmentId: number,
    invoiceId: string,
    rows: number,
    backwards: boolean,
  ) => Promise<readonly Email[]>;
  /** How many e-mails an invoice has, up to one more than is counted exactly. */
  readonly emailCount: (environmentId: number, invoiceId: string) => Promise<number>;
  /** The first or last rows of an object's events (`eventsOfSubjects`). */
  readonly events: (
    environmentId: number,
    subjectId: string,
    rows: number,
    backwards: boolean,
  ) => Promise<readonly Event[]>;
  /** How many events an object has, up to one more than is counted exactly. */
  readonly eventCount: (environmentId: number, subjectId: string) => Promise<number>;
  /** The family of an invoice as its head is reached from the original; null when the invoice is unknown. */
  readonly family: (environmentId: number, invoiceId: string) => Promise<Family | null>;
};

const known = new WeakMap<Db, Loaders>();

/** The loaders of the process's database. */
export function loadersOf({ services: { db, config } }: Pick<Context, 'services'>): Loaders {
  let loaders = known.get(db);
  if (loaders === undefined) {
    loaders = createLoaders(db, config.eventsKeptDays);
    known.set(db, loaders);
  }
  return loaders;
}

function createLoaders({ pool }: Db, keptDays: number): Loaders {
  const series = batchLoader((keys) => readSeriesById(pool, keys.map(partsOf)));
  const environments = batchLoader((ids) => listEnvironmentsOf(pool, ids));
  const environment = batchLoader((ids) => readEnvironmentsById(pool, ids.map(Number)));
  const operatorName = batchLoader((ids) => readOperatorNames(pool, ids));
  const seriesPages = batchLoader((keys) =>
    pagesOf(keys, (lists, range) => readSeriesOf(pool, lists, range)),
  );
  const seriesCounts = batchLoader((keys) => countSeriesOf(pool, keys.map(partsOf), COUNTED + 1));
  const certificates = batchLoader((owners) => certificatesOfOwners({ db: { pool } }, owners));
  const changedAt = batchLoader((keys) => readChangeTimes(pool, keys.map(partsOf)));
  const family = batchLoader((keys) => familiesOf(pool, keys.map(partsOf)));
  const payments = batchLoader((keys) => readPaymentsOf(pool, keys.map(partsOf)));
  const movements = batchLoader((keys) => readMovementsOf(pool, keys.map(partsOf)));
  const statuses = batchLoader((keys) => readRecipientStatusesOf(pool, keys.map(partsOf)));
  const emails = batchLoader((keys) =>
    pagesOf(keys, (invoices, range) => emailsOfInvoices({ pool }, invoices, range)),
  );
  const emailCounts = batchLoader((keys) => emailCountsOf({ pool }, keys.map(partsOf), COUNTED + 1));
  const journal = { db: { pool }, keptDays };
  const events = batchLoader((keys) =>
    pagesOf(keys, (subjects, range) => eventsOfSubjects(journal, subjects, range)),
  );
  const eventCounts = batchLoader((keys) => eventCountsOf(journal, keys.map(partsOf)));
  return {
    series: (environmentId, id) => series(`${environmentId}/${id}`),
    environments,
    environment: (id) => environment(String(id)),
    operatorName,
    seriesOf: async (environmentId, type, rows, backwards) =>
      (await seriesPages(`${backwards ? 'last' : 'first'}/${rows}/${environmentId}/${type}`)) ?? [],
    seriesCount: async (environmentId, type) => (await seriesCounts(`${environmentId}/${type}`)) ?? 0,
    certificates: async (owner) => (await certificates(owner)) ?? [],
    changedAt: (environmentId, id) => changedAt(`${environmentId}/${id}`),
    payments: async (environmentId, id) => (await payments(`${environmentId}/${id}`)) ?? [],
    movements: async (environmentId, id) => (await movements(`${environmentId}/${id}`)) ?? [],
    recipientStatuses: async (environmentId, id) => (await statuses(`${environmentId}/${id}`)) ?? [],
    emails: async (environmentId, id, rows, backwards) =>
      (await emails(`${backwards ? 'last' : 'first'}/${rows}/${environmentId}/${id}`)) ?? [],
    emailCount: async (environmentId, id) => (await emailCounts(`${environmentId}/${id}`)) ?? 0,
    events: async (environmentId, id, rows, backwards) =>
      (await events(`${backwards ? 'last' : 'first'}/${rows}/${environmentId}/${id}`)) ?? [],
    eventCount: async (environmentId, id) => (await eventCounts(`${environmentId}/${id}`)) ?? 0,
    family: (environmentId, id) => family(`${environmentId}/${id}`),
  };
}

/** What is wanted: a key, and its two parts. Whatever stands before the first slash has none itself. */
export type KeyParts = { readonly key: string; readonly within: string; readonly id: string };

function partsOf(key: string): KeyParts {
  const end = key.indexOf('/');
  return { key, within: key.slice(0, end), id: key.slice(end + 1) };
}

async function familiesOf(pool: Db['pool'], keys: readonly KeyParts[]): Promise<Map<string, Family>> {
  const found = new Map<string, Family>();
  for (const [within, own] of Map.groupBy(keys, (key) => key.within)) {
    const environmentId = Number(within);
    const ids = own.map(({ id }) => id);
    const heads = await loadHeads(pool, environmentId, ids);
    const families = await loadFamilies(pool, environmentId, [...new Set(heads.values())]);
    for (const { key, id } of own) {
      const corrected = families.get(heads.get(id) ?? '');
      if (corrected !== undefined) found.set(key, familyWith(id, corrected));
    }
  }
  return found;
}

/** Of several families that have their head in common that of the invoice; of the head itself the first. */
function familyWith(id: string, { family, several }: Corrected): Family {
  const own = several?.find(({ family: { path } }) => path.some((member) => member.id === id));
  return own?.family ?? family;
}

/** Rows of such pages that one statement reads: of a full page of invoices a usual page of e-mails is read by three. */
const ROWS_AT_ONCE = 1_000;

/** The pages of the first key's kind; pages of another kind, and what is more than one statement reads, come next. */
async function pagesOf<Row>(
  keys: readonly string[],
  read: (
    lists: readonly KeyParts[],
    range: { readonly rows: number; readonly backwards: boolean },
  ) => Promise<Map<string, readonly Row[]>>,
): Promise<Map<string, readonly Row[] | typeof DEFERRED>> {
  const pages = keys.map((key) => {
    const [end, rows, within, id] = key.split('/') as [string, string, string, string];
    return { key, kind: `${end}/${rows}`, backwards: end === 'last', rows: Number(rows), within, id };
  });
  const { kind, backwards, rows } = pages[0]!;
  const room = Math.max(1, Math.floor(ROWS_AT_ONCE / rows));
  const own = pages.filter((page) => page.kind === kind).slice(0, room);
  const found = await read(own, { rows, backwards });
  return new Map(keys.map((key) => [key, found.get(key) ?? DEFERRED]));
}
