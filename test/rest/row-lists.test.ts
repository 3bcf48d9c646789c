import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { statementsOf } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';

/** Lists of rows, as `prismaListOf` reads them. */

let service: TestService;
let operator: string;
/** Of the first integrations of the test environment. */
const ids = [1, 2, 3, 4].map((n) => `int_${n}`);
beforeAll(async () => {
  service = await testService();
  operator = (await createOperatorKey(service.db.pool, 'Ada')).key;
});
beforeEach(async () => {
  const { environmentId } = service.company.test;
  await service.owner.query('delete from integration where environment_id = $1', [environmentId]);
  await service.owner.query(
    `insert into integration (environment_id, id, name, created_at)
       select $1, 'int_' || n, 'shop ' || n, now() + n / 3 * interval '1 s' from generate_series(1, 4) n`,
    [environmentId],
  );
});
afterAll(() => service.close());

async function page(args: string) {
  const { body } = await service.graphql(
    `{ integrations(${args}) { edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage } } }`,
  );
  const { edges, pageInfo } = body.data?.integrations ?? { edges: [], pageInfo: null };
  return {
    ids: edges.map(({ node }: { node: { id: string } }) => node.id),
    cursors: edges.map(({ cursor }: { cursor: string }) => cursor),
    ...{ pageInfo, fault: body.errors?.[0]?.extensions },
  };
}

const cursorHolding = (like: string, values: unknown) =>
  `${Buffer.from(JSON.stringify(values)).toString('base64url')}.${like.split('.')[1]}`;

test('a page goes on where its row stood, although that was deleted', async () => {
  const { cursors } = await page('first: 4');
  await service.owner.query("delete from integration where id = 'int_2'");
  expect((await page(`first: 9, after: "${cursors[1]}"`)).ids).toEqual(ids.slice(2));
  const before = await page(`last: 9, before: "${cursors[1]}"`);
  expect(before.ids).toEqual(ids.slice(0, 1));
  expect(before.pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: false });
});

test('a page takes one statement, wherever it begins', async () => {
  const { cursors } = await page('first: 4');
  const count = async (args: string) => (await statementsOf(() => page(args))).length;
  const first = await count('first: 2');
  expect(await count(`first: 2, after: "${cursors[1]}"`)).toBe(first);
  expect(await count(`last: 2, before: "${cursors[3]}", after: "${cursors[0]}"`)).toBe(first);
});

test('what no row can hold is no cursor, and what one could hold is a place between rows', async () => {
  const [cursor] = (await page('first: 1')).cursors;
  const instant = new Date().toISOString();
  for (const values of [
    ...[null, 'int_1', [], [instant], [instant, 'int_1', 1], [null, 'int_1'], [instant, null], [1, 'int_1']],
    ...[
      ['x', 'int_1'],
      ['+999999-01-01T00:00:00Z', 'int_1'],
      [instant, 'a\u0000'],
      [instant, '\ud800'],
      [instant, { not: null }],
    ],
  ]) {
    const { fault } = await page(`after: "${cursorHolding(cursor, values)}"`);
    expect(fault, JSON.stringify(values)).toMatchObject({
      ...{ code: 'invalid_request', errors: [{ field: 'after' }] },
    });
  }
  const after = await page(`after: "${cursorHolding(cursor, ['2020-01-01T00:00:00Z', 'int_9'])}"`);
  expect(after.ids).toEqual(ids);
});

test('names of a list that nothing narrows hold in it alone, whoever asks', async () => {
  const { companyId } = service.company;
  const [cursor] = (await page('first: 1')).cursors;
  const of = async (environment: string) => {
    const args = `companyId: "${companyId}", environment: ${environment}, after: "${cursor}"`;
    const query = `{ integrations(${args}) { edges { node { id } } } }`;
    return (await service.graphql(query, {}, { key: operator })).body;
  };
  expect((await of('test')).data.integrations.edges).toHaveLength(3);
  expect((await of('live')).errors[0].extensions.code).toBe('invalid_request');
});
