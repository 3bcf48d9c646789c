import { createHash } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkpointOf, compareWithCheckpoint } from '../../src/subjects/journal/checkpoint.ts';
import { readNotes, signedNote, signerOf, verifierKey } from '../../src/subjects/journal/note.ts';
import { MerkleTree } from '../../src/subjects/journal/tree.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

const signer = signerOf('lacre', Buffer.alloc(32, 7));

let service: TestService;
let environmentId: number;
let note: string;
beforeAll(async () => {
  service = await testService();
  environmentId = service.company.test.environmentId;
  for (let n = 0; n < 6; n += 1) await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  note = signedNote((await checkpointOf(service.db.pool, environmentId))!, signer);
});
afterAll(() => service.close());

/** How the journal stands to the checkpoint after somebody who owns the database has done this; nothing of it stays. */
async function resultAfter(statement: string, text = note, key = signer): Promise<string[]> {
  const client: pg.PoolClient = await service.owner.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    await client.query(statement);
    return await Promise.all(readNotes(text, key).map((read) => compareWithCheckpoint(client, read)));
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const LAST =
  'select max(position) from journal_entry e where e.environment_id = journal_entry.environment_id';

describe('a journal, held against an earlier checkpoint of it', () => {
  test('extends it, also with more entries', async () => {
    expect(await resultAfter('select 1')).toEqual(['extends']);
    await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
    expect(await resultAfter('select 1')).toEqual(['extends']);
    const now = signedNote((await checkpointOf(service.db.pool, environmentId))!, signer);
    // The end is cut off together with the head, as if it had never been.
    const cut = `delete from journal_entry where environment_id = ${environmentId} and position = (${LAST});
      update journal_head set position = position - 1,
        hash = (select hash from journal_entry e where e.environment_id = journal_head.environment_id
                  order by position desc limit 1) where environment_id = ${environmentId}`;
    expect(await resultAfter(cut, now)).toEqual(['shorter']);
  });

  test('is told when an entry is another one, is missing, or the journal has another name', async () => {
    const own = `environment_id = ${environmentId}`;
    expect(
      await resultAfter(`update journal_entry set hash = sha256('x') where ${own} and position = 3`),
    ).toEqual(['rewritten']);
    expect(await resultAfter(`delete from journal_entry where ${own}`)).toEqual(['shorter']);
    expect(await resultAfter(`update journal_head set origin = 'another' where ${own}`)).toEqual(['missing']);
  });

  test('is not compared with a checkpoint that was changed, or that another key has signed', async () => {
    const [origin, size] = note.split('\n') as [string, string];
    expect(await resultAfter('select 1', note.replace(`${origin}\n${size}`, `${origin}\n1`))).toEqual([
      'not signed',
    ]);
    expect(await resultAfter('select 1', note, signerOf('lacre', Buffer.alloc(32, 8)))).toEqual([
      'not signed',
    ]);
    expect(readNotes('no note', signer)).toEqual([]);
  });
});

test('the tree is that of RFC 6962, whatever its size', () => {
  const hash = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  const leaves = Array.from({ length: 70 }, (_, n) => hash(Buffer.from([0, n])));
  const root = (part: readonly Buffer[]): Buffer => {
    if (part.length === 0) return hash();
    if (part.length === 1) return part[0]!;
    let half = 1;
    while (half * 2 < part.length) half *= 2;
    return hash(Buffer.from([1]), root(part.slice(0, half)), root(part.slice(half)));
  };
  const tree = new MerkleTree();
  for (const [index, leaf] of leaves.entries()) {
    expect(tree.root()).toEqual(root(leaves.slice(0, index)));
    tree.add(leaf);
  }
  expect(tree.root()).toEqual(root(leaves));
});

test('the key by which others verify is in the form of transparency logs', () => {
  expect(verifierKey(signer)).toMatch(/^lacre\+[0-9a-f]{8}\+[A-Za-z0-9+/]{43,44}=?$/);
  expect(note).toMatch(/^co_\w+\/test\n\d+\n\S{44}\n\n— lacre \S+\n$/);
});
