import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takeCheckpointsTask, UNCOVERED_ENTRIES } from '../../jobs/take-checkpoints.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { openObjectStore } from '../../src/subjects/documents/object-store.ts';
import { compareWithCheckpoint } from '../../src/subjects/journal/checkpoint.ts';
import { JournalTree } from '../../src/subjects/journal/journal-tree.ts';
import { checkpointPlaces, takeCheckpoints } from '../../src/subjects/journal/keep-checkpoints.ts';
import { readNotes, readVerifierKey, signerOf, verifierKey } from '../../src/subjects/journal/note.ts';
import { inclusionPath, MerkleTree, rootByPath } from '../../src/subjects/journal/tree.ts';
import { verifyAndStore, verifyDue, verifyInstallation } from '../../src/subjects/operations/verification.ts';
import { type TestObjectStore, testObjectStore } from '../support/documents/object-store.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany } from '../support/invoices/company.ts';
import { operatorOf } from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { commandLine, SECRETS } from '../support/processes/command-line.ts';
import { testLog } from '../support/processes/run-log.ts';

let service: TestService;
let store: TestObjectStore;
let environmentId: number;
let note: string;
let folder: string;
beforeAll(async () => {
  store = await testObjectStore();
  service = await testService({ ...store.variables(), CHECKPOINT_KEY: SECRETS.CHECKPOINT_KEY });
  environmentId = service.company.test.environmentId;
  folder = service.services.config.checkpointDir;
  for (let n = 0; n < 6; n += 1) await issue();
  await takeCheckpoints(service.services, 1);
  note = noteInFolder();
});
afterAll(async () => {
  await service?.close();
  await store?.close();
});

const issue = async (): Promise<{ id: string; number: string }> =>
  (await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() })).body;

const origin = () => `${service.company.companyId}/test`;
const noteFile = () => join(folder, `${service.company.companyId}-test.note`);
const noteInFolder = () => readFileSync(noteFile(), 'utf8');
const signer = () => service.services.checkpoints.signer;
const logged: { msg: string }[] = [];
const services = () => ({
  ...service.services,
  log: testLog((line) => logged.push(JSON.parse(line)), 'info'),
});

/** What somebody who owns the database does behind the triggers. */
const BEHIND = 'set local session_replication_role = replica';

/** How the journal stands to the checkpoint after that; nothing of it stays. */
async function resultAfter(statement: string, text = note, key = signer()): Promise<string[]> {
  const client: pg.PoolClient = await service.owner.connect();
  try {
    await client.query(`begin; ${BEHIND}`);
    await client.query(statement);
    return await Promise.all(readNotes(text, key).map((read) => compareWithCheckpoint(client, read)));
  } finally {
    await client.query('rollback');
    client.release();
  }
}

describe('a journal, compared with an earlier checkpoint', () => {
  test('extends it, also with more entries', async () => {
    expect(await resultAfter('select 1')).toEqual(['extends']);
    await issue();
    expect(await resultAfter('select 1')).toEqual(['extends']);
  });

  test('is reported when an entry is another one, is missing, or the journal has another name', async () => {
    const own = `environment_id = ${environmentId}`;
    expect(
      await resultAfter(`update journal_entry set hash = sha256('x') where ${own} and position = 3`),
    ).toEqual(['rewritten']);
    expect(await resultAfter(`delete from journal_entry where ${own}`)).toEqual(['shorter']);
    expect(await resultAfter(`update journal_head set origin = 'another' where ${own}`)).toEqual(['missing']);
  });

  test('is not compared with a checkpoint that was changed, or that another key has signed', async () => {
    const [name, size] = note.split('\n') as [string, string];
    expect(await resultAfter('select 1', note.replace(`${name}\n${size}`, `${name}\n1`))).toEqual([
      'not signed',
    ]);
    expect(await resultAfter('select 1', note, signerOf('lacre', Buffer.alloc(32, 8)))).toEqual([
      'not signed',
    ]);
    expect(readNotes('no note', signer())).toEqual([]);
  });
});

describe('checkpoints are kept outside the database', () => {
  const storedSizes = async () => {
    const { rows } = await service.db.pool.query<{ size: number }>(
      'select size from journal_checkpoint where environment_id = $1 order by size',
      [environmentId],
    );
    return rows.map(({ size }) => size);
  };
  const length = async () => {
    const text = 'select position from journal_head where environment_id = $1';
    return (await service.db.pool.query<{ position: number }>(text, [environmentId])).rows[0]!.position;
  };

  test('after every nightly verification, in the folder and in the object store', async () => {
    await (await operatorOf(service)).voidInvoice((await issue()).id);
    await verifyDue(services());
    const size = await length();
    expect(noteInFolder().split('\n').slice(0, 2)).toEqual([origin(), `${size}`]);
    expect((await storedSizes()).at(-1)).toBe(size);
    const keys = (await store.keys()).filter((key) => key.startsWith(`checkpoints/${origin()}/`));
    expect(keys).toHaveLength((await storedSizes()).length);
    expect((await store.get(keys.at(-1)!)).toString()).toBe(noteInFolder());
    expect(readdirSync(folder).some((name) => name.startsWith('installation-'))).toBe(true);
    // Nothing has changed, so there is nothing to say.
    const before = await store.keys();
    await verifyDue(services());
    expect(await store.keys()).toEqual(before);
    expect((await storedSizes()).at(-1)).toBe(size);
  });

  test('in between only of a journal that has grown by so many entries', async () => {
    const before = await storedSizes();
    await issue();
    const task = () => takeCheckpointsTask(services())({}, { abortSignal: undefined } as never);
    await task();
    expect(await storedSizes()).toEqual(before);
    const entries = JSON.stringify(
      Array.from({ length: UNCOVERED_ENTRIES }, (_, n) => ({
        ...{
          environment_id: environmentId,
          type: 'ping',
          subject_id: `ping ${n}`,
          at: '2026-01-01T10:00:00Z',
        },
        ...{ content: '{}', content_hash: createHash('sha256').update('{}').digest('hex') },
      })),
    );
    await service.owner.query('select append_journal($1::json)', [entries]);
    await task();
    const size = await length();
    expect(await storedSizes()).toEqual([...before, size]);
    // Made of stored subtrees the next time: the same tree as of all entries.
    await issue();
    await takeCheckpoints(services(), 1);
    const { rows } = await service.db.pool.query('select from journal_subtree where environment_id = $1', [
      environmentId,
    ]);
    expect(rows).toHaveLength(Math.floor(size / 1_024));
    expect(await resultAfter('select 1', noteInFolder())).toEqual(['extends']);
    const whole = new JournalTree(service.db.pool, environmentId);
    await whole.growTo(await length());
    expect(whole.passed).toHaveLength(rows.length);
  });

  test('with a retention of six years where the bucket has object lock, unless it has one of its own', async () => {
    const lockRequested = async (answer: string) => {
      store.answerLock = answer;
      const open = openObjectStore(store.config);
      try {
        const places = checkpointPlaces(service.services.config, open);
        await issue();
        await takeCheckpoints({ ...services(), checkpoints: places }, 1);
        const sent = store.requestHeaders.findLast(
          (headers) => headers['x-amz-checksum-sha256'] !== undefined,
        )!;
        return [
          await open.hasLock(),
          sent['x-amz-object-lock-mode'],
          sent['x-amz-object-lock-retain-until-date'],
        ];
      } finally {
        open.close();
        store.answerLock = null;
      }
    };
    const enabled = '<ObjectLockEnabled>Enabled</ObjectLockEnabled>';
    const years = `${new Date().getUTCFullYear() + 6}-`;
    expect(await lockRequested(enabled)).toEqual([true, 'COMPLIANCE', expect.stringContaining(years)]);
    const own = `${enabled}<Rule><DefaultRetention><Mode>GOVERNANCE</Mode><Days>9</Days></DefaultRetention></Rule>`;
    expect(await lockRequested(own)).toEqual([true, undefined, undefined]);
    expect(await lockRequested('')).toEqual([false, undefined, undefined]);
  });

  test('and the metrics show how old the last one is, and what none covers', async () => {
    const age = async (name: string) => {
      const beside = await testService({}, { beside: service });
      const { body } = await beside.call('GET', '/metrics', { key: null });
      await beside.close();
      return Number(new RegExp(`^lacre_checkpoint_${name} (\\S+)$`, 'm').exec(body)![1]);
    };
    await takeCheckpoints(services(), 1);
    expect(await age('uncovered_seconds')).toBe(0);
    await service.owner.query(
      `begin; ${BEHIND}; update journal_checkpoint set taken_at = now() - interval '3 days'; commit`,
    );
    await issue();
    await service.owner.query(
      `begin; ${BEHIND}; update journal_entry set created_at = created_at - interval '2 days'
         where environment_id = ${environmentId} and position > (select max(size) from journal_checkpoint
           where environment_id = ${environmentId}); commit`,
    );
    expect(await age('age_seconds')).toBeGreaterThanOrEqual(3 * 86_400);
    expect(await age('uncovered_seconds')).toBeGreaterThanOrEqual(2 * 86_400);
    expect(await age('uncovered_seconds')).toBeLessThan(3 * 86_400);
    await service.owner.query(
      `begin; ${BEHIND}; update journal_entry set created_at = created_at + interval '2 days'
         where environment_id = ${environmentId} and position > (select max(size) from journal_checkpoint
           where environment_id = ${environmentId}); commit`,
    );
  });
});

describe('a journal that contradicts its stored checkpoint', () => {
  const findings = async () => {
    const found = await verifyAndStore(services(), environmentId);
    return found!.findings.map(({ what, found: now }) => [what, now]);
  };

  test('is found when its last two invoices were removed with tail and counter, and their number given again', async () => {
    const kept = [await issue(), await issue(), await issue()];
    await takeCheckpoints(services(), 1);
    const removed = kept.slice(1).map(({ id }) => `'${id}'`);
    const from = `environment_id = ${environmentId}`;
    const records = `select id from registration_record where invoice_id in (${removed.join()})`;
    const tables = ['tax_item', 'invoice_line', 'registration_record', 'invoice_document'];
    await service.owner.query(
      [
        `begin; ${BEHIND}`,
        `delete from record_state where record_id in (${records})`,
        ...tables.map((table) => `delete from ${table} where invoice_id in (${removed.join()})`),
        `delete from invoice where id in (${removed.join()})`,
        `update chain set (last_position, last_record_id, last_fingerprint, last_generated_at, last_invoice_number, last_invoice_issued_on) =
           (select r.position, r.id, r.fingerprint, r.generated_at, i.number, i.issued_on from registration_record r
              join invoice i on i.id = r.invoice_id where r.chain_id = chain.id order by r.position desc limit 1)
         where ${from}`,
        `update series_counter set last_number = last_number - 2 where ${from} and last_number > 2`,
        `delete from journal_entry where ${from} and subject_id in (${removed.join()})`,
        `update journal_head set (position, hash, last_at) = (select position, hash, created_at from journal_entry
           where ${from} order by position desc limit 1) where ${from}; commit`,
      ].join('; '),
    );
    expect((await issue()).number).toBe(kept[1]!.number);
    // Nothing inside the database can tell.
    expect((await verifyEnvironment(service.db.pool, environmentId))?.findings).toEqual([]);
    expect(await findings()).toEqual([['journal_checkpoint', 'shorter']]);
    await issue();
    expect(await findings()).toEqual([['journal_checkpoint', 'rewritten']]);
  });

  test('gets no further one, and the finding stays, until the file is moved away', async () => {
    const before = noteInFolder();
    await issue();
    const taken = await takeCheckpoints(services(), 1);
    expect(taken.find((one) => one.origin === origin())).toMatchObject({ result: 'rewritten', note: null });
    expect(logged.some(({ msg }) => msg === 'A JOURNAL CONTRADICTS ITS LAST CHECKPOINT')).toBe(true);
    expect(noteInFolder()).toBe(before);
    expect(await findings()).toEqual([['journal_checkpoint', 'rewritten']]);
    writeFileSync(noteFile(), before.replace(/\n\d+\n/, '\n1\n'));
    expect(await findings()).toEqual([['journal_checkpoint', 'not signed']]);
    rmSync(noteFile());
    expect(await findings()).toEqual([]);
    await service.owner.query('delete from journal_subtree');
    await takeCheckpoints(services(), 1);
    expect(await findings()).toEqual([]);
  });

  test('is reported when it is missing entirely', async () => {
    expect(await verifyInstallation(services())).toMatchObject({ findingCount: 0 });
    await service.owner.query(
      `begin; ${BEHIND}; update journal_head set origin = 'another' where origin = '${origin()}'; commit`,
    );
    expect(await verifyInstallation(services())).toMatchObject({
      findings: [{ what: 'journal_checkpoint', subjectId: origin(), found: 'missing' }],
    });
  });

  test('is reported when its environment no longer exists, which is otherwise not verified', async () => {
    const { companyId, test: own } = await createCompany(service.db);
    await service.owner.query(
      `begin; ${BEHIND}; delete from environment where id = ${own.environmentId}; commit`,
    );
    expect((await verifyInstallation(services())).findings).toContainEqual({
      ...{ what: 'journal_head', subjectId: `${companyId}/test`, expected: `${companyId}/test`, found: null },
      ...{ position: null, recordId: null },
    });
  });
});

test('an externally stored checkpoint shows the command line that the end was cut off', async () => {
  const { companyId, test: own } = await createCompany(service.db);
  const lacre = commandLine(service.db, { CHECKPOINT_DIR: folder });
  const held = join(service.services.config.dataDir, 'held-elsewhere.notes');
  const verify = async () => {
    const { exit, stdout } = await lacre(['verify', '--checkpoint', held]);
    return { exit, line: stdout.split('\n').find((line) => line.startsWith(`${companyId}/test`)) };
  };
  for (let n = 0; n < 3; n += 1)
    await service.call('POST', '/v1/invoices', { key: own.key, body: aSimplifiedInvoice() });
  expect((await lacre(['checkpoint', '--out', held])).stdout).toContain('lacre+');
  const mine = `environment_id = ${own.environmentId}`;
  const size = `(select position from journal_head where ${mine})`;
  const { rows } = await service.owner.query<{ size: number }>(`select ${size}::int as size`);
  const covered = `${companyId}/test, ${rows[0]!.size} entries`;
  expect((await verify()).line).toBe(`${covered}: extends`);
  await service.owner.query(
    `begin; ${BEHIND}; delete from journal_entry where ${mine} and position > ${size} - 2;
     update journal_head set (position, hash, last_at) = (select position, hash, created_at from journal_entry
       where ${mine} order by position desc limit 1) where ${mine}; commit`,
  );
  expect(await verify()).toEqual({ exit: 6, line: `${covered}: shorter` });
});

describe('the tree is that of RFC 6962, for any size', () => {
  const hash = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  const leaves = Array.from({ length: 70 }, (_, n) => hash(Buffer.from([0, n])));
  const root = (part: readonly Buffer[]): Buffer => {
    if (part.length === 0) return hash();
    if (part.length === 1) return part[0]!;
    let half = 1;
    while (half * 2 < part.length) half *= 2;
    return hash(Buffer.from([1]), root(part.slice(0, half)), root(part.slice(half)));
  };

  test('by leaves, and by whole subtrees', () => {
    const tree = new MerkleTree();
    for (const [index, leaf] of leaves.entries()) {
      expect(tree.root()).toEqual(root(leaves.slice(0, index)));
      tree.add(leaf);
    }
    expect(tree.root()).toEqual(root(leaves));
    const bySubtrees = new MerkleTree();
    for (let start = 0; start < 64; start += 8) bySubtrees.add(root(leaves.slice(start, start + 8)), 8);
    for (const leaf of leaves.slice(64)) bySubtrees.add(leaf);
    expect(bySubtrees.root()).toEqual(root(leaves));
  });

  test('a path leads from each leaf to the root, and from no other place or size', () => {
    const leads = (index: number, size: number, leaf: Buffer, path: readonly Buffer[]) =>
      rootByPath(leaf, index, size, path)?.equals(root(leaves.slice(0, size))) ?? false;
    for (let size = 1; size <= 20; size += 1) {
      const part = leaves.slice(0, size);
      for (const [index, leaf] of part.entries()) {
        const path = inclusionPath(part, index);
        const places = part.map((_, place) => place).filter((place) => leads(place, size, leaf, path));
        expect(places).toEqual([index]);
        expect(leads(index, size + 1, leaf, path)).toBe(false);
        expect(leads(index, size, leaf, [...path, leaf])).toBe(false);
        expect(size === 1 || !leads(index, size, leaf, path.slice(1))).toBe(true);
      }
    }
  });
});

test('the key by which others verify is in the form of transparency logs', () => {
  const key = verifierKey(signer());
  expect(key).toMatch(/^lacre\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/);
  expect(note).toMatch(/^co_\w+\/test\n\d+\n\S{44}\n\n— lacre \S+\n$/);
  const verifier = readVerifierKey(key)!;
  expect(readNotes(note, verifier)).toMatchObject([{ signed: true }]);
  for (const other of [
    '',
    'lacre',
    key.replace('lacre', 'other'),
    key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
  ]) {
    expect(readVerifierKey(other)).toBeNull();
  }
});
