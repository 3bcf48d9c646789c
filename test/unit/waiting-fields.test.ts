import { GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString, graphql } from 'graphql';
import { expect, test } from 'vitest';
import { nullAtItsOwnPath } from '../../src/faces/graphql/null-at-own-path.ts';
import { refuseToWaitForNonNull } from '../support/http/waiting-fields.ts';

const Thing = new GraphQLObjectType({
  name: 'Thing',
  fields: () => ({
    own: { type: new GraphQLNonNull(GraphQLString), resolve: () => 'own' },
    declared: { type: new GraphQLNonNull(GraphQLString), resolve: async () => 'declared' },
    undeclared: { type: new GraphQLNonNull(GraphQLString), resolve: () => Promise.resolve('undeclared') },
    inList: { type: new GraphQLNonNull(GraphQLString), resolve: () => [Promise.resolve('in a list')] },
  }),
});

const answerTo = async (field: string) => {
  const query = new GraphQLObjectType({
    name: 'Query',
    fields: { thing: { type: Thing, resolve: () => ({}) } },
  });
  const schema = nullAtItsOwnPath(new GraphQLSchema({ query }));
  refuseToWaitForNonNull(schema);
  const { data, errors } = await graphql({ schema, source: `{ thing { ${field} } }` });
  return errors?.[0]?.message ?? data?.['thing'];
};

test('a field that waits without the schema knowing it fails each test that requests it', async () => {
  expect(await answerTo('own')).toEqual({ own: 'own' });
  expect(await answerTo('declared')).toEqual({ declared: 'declared' });
  for (const field of ['undeclared', 'inList'])
    expect(await answerTo(field)).toContain(`Thing.${field} waits, so its resolver has to be async`);
});
