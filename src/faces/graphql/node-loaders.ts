import type { Db } from '../../ground/db/client.ts';
import type { RowKey } from '../../ground/db/rows.ts';
import { readAuditEntriesById } from '../../ground/journal/store/audit-log.ts';
import { batchLoader } from '../../ground/lib/batch-loader.ts';
import { clock } from '../../ground/lib/clock.ts';
import { readKeysById } from '../../subjects/accounts/store/read-keys.ts';
import { readApprovalsById } from '../../subjects/approvals/store/read-approvals.ts';
import { readItemsById } from '../../subjects/batches/store/read-batches.ts';
import { certificatesById } from '../../subjects/certificates/manage.ts';
import { emailsById } from '../../subjects/emails/send-invoice.ts';
import type { Event } from '../../subjects/events/event.ts';
import { type Events, eventsById } from '../../subjects/events/read.ts';
import { readRecords } from '../../subjects/invoices/reader.ts';
import { readJobsById } from '../../subjects/operations/store/read-jobs.ts';
import { readVerificationsOf } from '../../subjects/operations/store/read-lists.ts';
import { environmentsOfResources } from '../../subjects/operations/store/read-location.ts';
import { chainHealthOfEach } from '../../subjects/operations/store/read-views.ts';
import { readPaymentsById } from '../../subjects/payments/store/read-payments.ts';
import type { Context } from './context.ts';

/** Objects by their own ids, as `nodes` finds them: each kind by one statement for all concurrent requests. */

type NodeLoaders = ReturnType<typeof createLoaders>;

const known = new WeakMap<Db, NodeLoaders>();

/** The loaders of the process's database. */
export function nodeLoadersOf({ services: { db, config } }: Pick<Context, 'services'>): NodeLoaders {
  const loaders = known.get(db) ?? createLoaders(db, config.eventsKeptDays);
  known.set(db, loaders);
  return loaders;
}

const keyOf = (key: string): RowKey => {
  const end = key.indexOf('/');
  return { key, within: key.slice(0, end), id: key.slice(end + 1) };
};

/** By the environment and the id. */
function within<Found>(read: (keys: RowKey[]) => Promise<Map<string, Found>>) {
  const load = batchLoader<Found>((keys) => read(keys.map(keyOf)));
  return (environmentId: number, id: string) => load(`${environmentId}/${id}`);
}

/** By the id alone. */
function anywhere<Found>(read: (keys: RowKey[]) => Promise<Map<string, Found>>) {
  const load = within(read);
  return (id: string) => load(0, id);
}

async function readEvents(events: Events, keys: readonly RowKey[]): Promise<Map<string, Event>> {
  const found = new Map<string, Event>();
  for (const [environment, own] of Map.groupBy(keys, (key) => key.within)) {
    const ids = own.map(({ id }) => id);
    for (const [id, event] of await eventsById(events, Number(environment), ids))
      found.set(`${environment}/${id}`, event);
  }
  return found;
}

function createLoaders(db: Db, keptDays: number) {
  const { pool } = db;
  return {
    environmentOf: batchLoader((ids) => environmentsOfResources(pool, ids)),
    inEnvironment: {
      batchResult: within((keys) => readItemsById(pool, keys)),
      email: within((keys) => emailsById(db, keys)),
      record: within((keys) => readRecords(db, keys)),
      payment: within((keys) => readPaymentsById(pool, keys)),
    },
    event: within((keys) => readEvents({ db, keptDays }, keys)),
    key: anywhere((keys) => readKeysById(pool, keys)),
    certificate: anywhere((keys) => certificatesById({ db }, keys)),
    auditEntry: batchLoader((ids) => readAuditEntriesById(pool, ids)),
    approval: batchLoader((ids) => readApprovalsById(pool, clock.now(), ids)),
    job: anywhere((keys) => readJobsById(pool, keys)),
    chain: batchLoader((ids) => chainHealthOfEach(pool, ids)),
    verification: within((keys) => readVerificationsOf(pool, keys)),
  };
}
