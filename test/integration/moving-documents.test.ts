import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { moveToStore } from '../../src/subjects/documents/move-to-store.ts';
import {
  type ObjectStore,
  ObjectStoreError,
  openObjectStore,
} from '../../src/subjects/documents/object-store.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { type DatabaseProxy, databaseProxy } from '../support/database/database-proxy.ts';
import { issuedInvoice } from '../support/documents/issued-invoice.ts';
import { type TestObjectStore, testObjectStore } from '../support/documents/object-store.ts';
import { createCompany, type TestEnvironment } from '../support/invoices/company.ts';
import { commandLine } from '../support/processes/command-line.ts';

/** `lacre database move-documents`: what it shows, and what may happen meanwhile. */

const BY = { actor: 'cli:test', reason: 'the bucket is there' };
const MOVE = ['database', 'move-documents', '--reason', BY.reason];
/** As many as are moved at once, and two more. */
const DOCUMENTS = 10;

let database: TestDatabase;
let store: TestObjectStore;
let way: DatabaseProxy;
let home: TestEnvironment;

beforeAll(async () => {
  [database, store] = await Promise.all([testDatabase(), testObjectStore()]);
  way = await databaseProxy(store.url);
  home = (await createCompany(database.db)).live;
});
afterAll(async () => {
  await way?.close();
  await store?.close();
  await database?.close();
});
beforeEach(() => database.owner.query('update invoice_document set bytes = null'));

async function stored(environment = home): Promise<string> {
  const id = await issuedInvoice(database.db, environment);
  await database.owner.query(
    `update invoice_document set state = 'stored', bytes = $2::bytea, sha256 = sha256($2::bytea), renderings = 1
      where invoice_id = $1`,
    [id, Buffer.from(`%PDF ${id}`.padEnd(200_000, ' '))],
  );
  return id;
}

const left = async () => {
  const { rows } = await database.db.pool.query<{ id: string }>(
    'select invoice_id as id from invoice_document where bytes is not null order by 1',
  );
  return rows.map(({ id }) => id);
};

/** An object store in which something happens before an object is written. */
function storeThat(happens: (key: string) => Promise<void>): ObjectStore {
  const whole = openObjectStore(store.config);
  onTestFinished(() => whole.close());
  return {
    ...whole,
    write: async (key, bytes) => {
      await happens(key);
      await whole.write(key, bytes);
    },
  };
}

function awayAfter(most: number): () => Promise<void> {
  let written = 0;
  return async () => {
    written += 1;
    if (written > most) throw new ObjectStoreError('away');
  };
}

test('a terminal shows how many are moved, and after an interruption what is left', async () => {
  while ((await left()).length < DOCUMENTS) await stored();
  const run = (endpoint?: string) =>
    commandLine(database.db, store.variables(endpoint), { terminal: true })([...MOVE, '--live']);
  const preview = await commandLine(database.db, store.variables())(MOVE);
  expect(preview).toMatchObject({ exit: 7, stderr: expect.stringContaining('move 10 documents of 2 MB') });

  // It is away once eight are moved.
  const broken = moveToStore({ db: database.db, store: storeThat(awayAfter(8)) }, BY);
  await expect(broken).rejects.toThrow('away');
  expect(await left()).toHaveLength(2);
  way.cut();
  const away = await run(way.through(store.url));
  way.resume();
  expect(away).toMatchObject({ exit: 5 });
  expect(away.stderr).not.toContain('%');

  const { exit, stderr } = await run();
  expect([exit, await left()]).toEqual([0, []]);
  expect(stderr).toMatch(/documents █+ 100 % · 2\/2 .* · 0 MB moved/);
  // The bar gives the terminal its cursor back.
  expect(stderr.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stderr.lastIndexOf('\u001b[?25l'));
});

test('one that is rendered again meanwhile stays until the next run', async () => {
  const ids = [await stored(), await stored()].sort();
  const [again] = ids;
  const interrupted = storeThat(async (key) => {
    if (!key.includes(`/${again}/`)) return;
    await database.owner.query(
      'update invoice_document set renderings = renderings + 1 where invoice_id = $1',
      [again],
    );
  });
  expect(await moveToStore({ db: database.db, store: interrupted }, BY)).toMatchObject({
    moved: 1,
    changed: 1,
    corrupt: 0,
  });
  expect(await left()).toEqual([again]);
  expect(await moveToStore({ db: database.db, store: storeThat(async () => {}) }, BY)).toMatchObject({
    moved: 1,
    changed: 0,
  });
});

test('those that are added meanwhile are moved as well, and counted', async () => {
  const later = (await createCompany(database.db, { nif: 'A58818501' })).live;
  await stored();
  let added = 0;
  const growing = storeThat(async () => {
    added += 1;
    if (added === 1) await stored(later);
  });
  const seen: [number, number][] = [];
  await moveToStore({ db: database.db, store: growing }, BY, (done, total) => seen.push([done, total]));
  expect(seen).toEqual([
    [1, 1],
    [2, 2],
  ]);
  expect(await left()).toEqual([]);
});
