import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/faces/graphql/schema.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { ApolloCache } from './apollo-cache.ts';
import { asMutation, differences, idsOf, objectsIn, questionsOf, UNKNOWN_TYPES } from './cached-objects.ts';
import { CASES } from './mutation-cases.ts';
import { type MutationCase, openSetup, type Setup } from './mutation-setup.ts';
import type { CacheOf, Data, Question } from './normalized-cache.ts';
import { RelayCache } from './relay-cache.ts';
import { UrqlCache } from './urql-cache.ts';

/**
 * Whatever a mutation changes can be selected in its answer: the cache of a front end that holds every object, and receives
 * nothing but this answer, holds afterwards what the service answers about each of them. Each answer is given to the caches of
 * urql, Apollo Client and Relay.
 */

const CACHES: Readonly<Record<string, CacheOf>> = { urql: UrqlCache, Apollo: ApolloCache, Relay: RelayCache };

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

/** What the service answers; of objects that are gone, null. */
async function answerTo({ document, variables }: Question, key: string): Promise<Data> {
  const { body } = await setup.service.graphql(document, variables, { key });
  const other = body.errors?.find(({ extensions }: Failure) => extensions.code !== 'not_found');
  if (other !== undefined || body.data === null) throw new Error(JSON.stringify(body.errors));
  return body.data;
}
type Failure = { readonly extensions: { readonly code: string } };

async function answersTo(questions: readonly Question[]): Promise<Data[]> {
  const answers: Data[] = [];
  for (const question of questions) answers.push(await answerTo(question, setup.operator));
  return answers;
}

test.each(CASES)('a cache is right after $name', async ({ prepare }: MutationCase) => {
  const { done, variables = {}, key = setup.merchant, removed = [], polled } = await prepare(setup);
  const questions = await questionsOf(setup.service);
  const before = await answersTo(questions);
  const parameters = Object.entries(variables).map(([name, [type]]) => `$${name}: ${type}`);
  const declared = parameters.length === 0 ? '' : `(${parameters.join(', ')})`;
  const values = Object.fromEntries(Object.entries(variables).map(([name, [, value]]) => [name, value]));
  const mutation = { document: asMutation(`mutation ${declared} { done: ${done} }`), variables: values };
  const answer = await answerTo(mutation, key);
  const read = objectsIn(await answersTo(questions));
  for (const [name, Cache] of Object.entries(CACHES)) {
    const cache = new Cache(schema);
    for (const [index, question] of questions.entries())
      await cache.hold(question, structuredClone(before[index]!));
    await cache.change(mutation, structuredClone(answer));
    const cached: Data[] = [];
    for (const question of questions) cached.push(await cache.read(question));
    const differing = Object.entries(differences(objectsIn(cached), read)).filter(
      ([field]) => !polled?.test(field),
    );
    expect(Object.fromEntries(differing), name).toEqual({});
    expect(cache.warnings, name).toEqual([]);
  }
  // An object that a mutation deletes is the one that it returns, or one that its description names.
  const deleted = [...objectsIn(before).keys()].filter((id) => !read.has(id));
  expect(deleted.filter((id) => !JSON.stringify(answer).includes(id)).sort()).toEqual([...removed].sort());
});

/** Types that only operators can list, and therefore find. */
const OF_OPERATORS = ['ApiKey', 'Approval', 'ChainHealth', 'ClientCertificate', 'Job', 'VerificationState'];
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
