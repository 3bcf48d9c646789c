import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isListType,
  isObjectType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/faces/graphql/schema.ts';

/** What client caches rely on: what has an id is a Node, and what can grow is a connection. */

/** What stands in a list and is no Node: an operator's line about a record, which is found by its own id. */
const LINES = new Set(['FailedRecord', 'ParkedRecord']);

/** Types with an `id` that `node` does not return, and why; their descriptions say it too. */
const NOT_FOUND_AGAIN: Readonly<Record<string, string>> = {
  CustomerPortalSession: 'only the hash of its token is stored, so its link cannot be shown again',
  InvoiceFamily: 'is found by any of its members',
  NewApiKey: 'has the id of the ApiKey that it holds, and a secret that is shown once',
  WrittenEmail: 'a file of a demo, with the id of its InvoiceEmail',
};

test('what has an id is a Node, or its description states why not', () => {
  const others = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && 'id' in type.getFields() && type.getInterfaces().length === 0,
  );
  expect(others.map(({ name }) => name).sort()).toEqual(Object.keys(NOT_FOUND_AGAIN));
  for (const { name, description } of others)
    expect(description, name).toContain('`node` does not return it');
});

/** What stands in a connection; the type itself if it is none. */
function itemOf(type: GraphQLNamedType): GraphQLNamedType {
  if (!isObjectType(type) || !type.name.endsWith('Connection')) return type;
  return getNamedType(
    (getNamedType(type.getFields()['edges']!.type) as GraphQLObjectType).getFields()['node']!.type,
  );
}

/** Answers of mutations that hold no Node, and why: what a mutation changes is found in client caches by its id. */
const CHANGES_NOTHING_SHOWN: Readonly<Record<string, string>> = {
  AccessToken: 'is stored nowhere',
  BulkChange: 'counts what was changed; who shows chains, records, deliveries or jobs reads them again',
  CompanyExport: 'is stored nowhere',
  CustomerPortalSession: 'only the hash of its token is stored',
  Erasure: 'counts what was deleted; operators who show customers or drafts read them again',
};

test('what a mutation changes is answered with the id by which caches identify it', () => {
  const isNode = (type: unknown) => isObjectType(type) && type.getInterfaces().length > 0;
  const others = Object.values(schema.getMutationType()!.getFields()).flatMap((field) => {
    const answer = getNamedType(field.type) as GraphQLObjectType;
    const held = Object.values(answer.getFields()).map(({ type }) => itemOf(getNamedType(type)));
    return isNode(answer) || held.some(isNode) ? [] : [answer.name];
  });
  expect([...new Set(others)].sort()).toEqual(Object.keys(CHANGES_NOTHING_SHOWN));
});

/** Lists of things with ids that cannot grow without end, and why. */
const BOUNDED: Readonly<Record<string, string>> = {
  'Query.nodes': 'as many as were asked for',
  'Query.taxCatalog': 'a row for each of thirteen tax types',
  'Query.writtenEmails': 'the last 50, of a service that sends none',
  'ExchangeCorrection.exchanges': 'two, and two more for each return before',
  'Invoice.exchanges': 'bounded by the 1,000 tickets of an exchange',
  'Invoice.lineItems': 'bounded by the 500 lines of an invoice',
  'Invoice.records': 'a handful: one for each correction of what was declared',
  'Invoice.rectifiedBy': 'bounded by what can be corrected, and counted before it is read',
  'InvoiceFamily.members': 'an original and its corrections',
};

test('what stands in a connection is a Node', () => {
  const others = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) || !type.name.endsWith('Edge')) return [];
    const node = getNamedType(type.getFields()['node']!.type);
    const isNode = isInterfaceType(node) || (isObjectType(node) && node.getInterfaces().length > 0);
    return isNode ? [] : [node.name];
  });
  expect(new Set(others)).toEqual(LINES);
});

test('what can grow is a connection', () => {
  const bare = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) || type.name.startsWith('__') || type.name.endsWith('Connection')) return [];
    return Object.values(type.getFields()).flatMap((field) => {
      const own = getNamedType(field.type);
      const hasId = (isObjectType(own) || own.name === 'Node') && 'id' in (own as typeof type).getFields();
      const isList = isListType(field.type) || isListType('ofType' in field.type ? field.type.ofType : null);
      return isList && hasId ? [`${type.name}.${field.name}`] : [];
    });
  });
  expect(bare.sort()).toEqual(Object.keys(BOUNDED).sort());
});
