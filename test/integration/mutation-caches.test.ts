import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/faces/graphql/schema.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { asMutation, differences, FrontEnd, idsOf, questionsOf, UNKNOWN_TYPES } from './cached-objects.ts';
import { CASES } from './mutation-cases.ts';
import { type MutationCase, openSetup, type Setup } from './mutation-setup.ts';

/**
 * Whatever a mutation changes can be selected in its answer: the cache of a front end that holds every object, and receives
 * nothing but this answer, holds afterwards what the service answers about each of them.
 */

let setup: Setup;
beforeAll(async () => {
  setup = await openSetup();
});
afterAll(() => setup?.close());

const MUTATIONS = Object.values(schema.getMutationType()!.getFields()).filter(
  ({ deprecationReason }) => deprecationReason == null,
);

test('every mutation is sent below, and every object is compared that can change', () => {
  expect(new Set(CASES.map(({ name }) => name))).toEqual(new Set(MUTATIONS.map(({ name }) => name)));
  expect(UNKNOWN_TYPES).toEqual([]);
});

test.each(CASES)('a cache is right after $name', async ({ prepare }: MutationCase) => {
  const { done, variables = {}, key = setup.merchant, removed = [], polled } = await prepare(setup);
  const frontEnd = new FrontEnd(setup.service, setup.operator);
  const questions = await questionsOf(setup.service);
  const before = await frontEnd.objects(questions, 'network-only');
  const parameters = Object.entries(variables).map(([name, [type]]) => `$${name}: ${type}`);
  const declared = parameters.length === 0 ? '' : `(${parameters.join(', ')})`;
  const values = Object.fromEntries(Object.entries(variables).map(([name, [, value]]) => [name, value]));
  const answer = await frontEnd.mutate(asMutation(`mutation ${declared} { done: ${done} }`), values, key);
  const cached = await frontEnd.objects(questions, 'cache-only');
  const read = await new FrontEnd(setup.service, setup.operator).objects(questions, 'network-only');
  const differing = Object.entries(differences(cached, read)).filter(([name]) => !polled?.test(name));
  expect(Object.fromEntries(differing)).toEqual({});
  // An object that a mutation deletes is the one that it returns, or one that its description names.
  const deleted = [...before.keys()].filter((id) => !read.has(id));
  expect(deleted.filter((id) => !JSON.stringify(answer).includes(id)).sort()).toEqual([...removed].sort());
  expect(frontEnd.warnings).toEqual([]);
});

/** Types that only operators can list, and therefore find. */
const OF_OPERATORS = ['ApiKey', 'ChainHealth', 'ClientCertificate', 'Job', 'VerificationState'];
/** Types of what the environments of a company share. */
const OF_COMPANIES = ['Account', 'Company', 'TaxCatalogRow'];

test('node finds every object for operators of each role, and for a merchant’s key what is its environment’s', async () => {
  const { service, company, beside } = setup;
  const ids = await idsOf(service);
  const foundWith = async (key: string): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    for (let from = 0; from < ids.length; from += 100) {
      const { body } = await service.graphql(
        'query ($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }',
        { ids: ids.slice(from, from + 100) },
        { key },
      );
      for (const node of body.data.nodes) if (node !== null) found.set(node.id, node.__typename);
    }
    return found;
  };
  for (const role of ['viewer', 'operator', 'admin'] as const) {
    const { key } = await createOperatorKey(service.db.pool, role, { role });
    expect([...(await foundWith(key)).keys()].sort()).toEqual([...ids].sort());
  }
  const all = await foundWith(setup.operator);
  const [own, live, others] = [
    await foundWith(company.test.key),
    await foundWith(company.live.key),
    await foundWith(beside.test.key),
  ];
  const typesOf = (found: ReadonlyMap<string, string>) => new Set(found.values());
  const common = (one: Map<string, string>, other: Map<string, string>) =>
    new Map([...one].filter(([id]) => other.has(id)));
  expect(new Set([...typesOf(own), ...OF_OPERATORS])).toEqual(typesOf(all));
  expect(OF_OPERATORS.filter((type) => typesOf(own).has(type))).toEqual([]);
  expect([...typesOf(common(own, live))].sort()).toEqual(OF_COMPANIES);
  expect([...typesOf(common(own, others))]).toEqual(['Account']);
});
