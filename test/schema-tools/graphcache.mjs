import { Client } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { introspectionFromSchema, isListType, isObjectType, Kind, parse } from 'graphql';

/**
 * urql's normalized cache, told of the schema: a list is read into it, then a mutation answers one of the list's invoices with other
 * values, and the list is answered from the cache alone. Every message of the cache is a fault, and so is a value of before.
 */
export async function graphcache({ schema, documents }) {
  const faults = [];
  const cache = cacheExchange({
    schema: introspectionFromSchema(schema),
    keys: keysOf(schema),
    resolvers: { Query: { invoices: relayPagination() } },
    logger: (_severity, message) => faults.push(message),
  });
  const server = answering(schema);
  const client = new Client({
    ...{ url: 'http://localhost/graphql', preferGetMethod: false, exchanges: [cache, server.exchange] },
  });
  const document = parse(documents);
  const [list, issue] = ['List', 'Issue'].map((name) => documentOf(document, name));
  const results = [
    await client.query(list, {}).toPromise(),
    await client.mutation(issue, { input: { type: 'simplified', lineItems: [] } }).toPromise(),
    await client.query(list, {}, { requestPolicy: 'cache-only' }).toPromise(),
  ];
  for (const { error } of results) if (error !== undefined) faults.push(String(error));
  const [before, changed, after] = results.map(({ data }) => data);
  const numberIn = (answer) => answer?.invoices?.edges?.[0]?.node?.number;
  if (server.requests !== 2) faults.push(`${server.requests} requests reached the server`);
  if (numberIn(before) === numberIn(after) || numberIn(after) !== changed?.issueInvoice?.number)
    faults.push('the mutation did not change the invoice in the list');
  return faults;
}

/** What has no id is kept inside of what holds it, which the cache wants to be told of each such type. */
function keysOf(schema) {
  const withoutId = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !('id' in type.getFields()) && !type.name.startsWith('__'),
  );
  return Object.fromEntries(withoutId.map(({ name }) => [name, () => null]));
}

/** The operation of that name with all fragments. */
function documentOf(document, name) {
  const definitions = document.definitions.filter(
    (one) => one.kind === Kind.FRAGMENT_DEFINITION || one.name.value === name,
  );
  return { kind: Kind.DOCUMENT, definitions };
}

/** An exchange at whose end stands a server whose objects have one id for each type, and other values in each answer. */
function answering(schema) {
  const server = { requests: 0, exchange: null };
  server.exchange = () => (operations) => (sink) =>
    operations((signal) => {
      if (signal === 0 || signal.tag !== 1) return sink(signal);
      const operation = signal[0];
      if (operation.kind === 'teardown') return undefined;
      server.requests += 1;
      const { definitions } = operation.query;
      const root = schema.getRootType(operation.kind);
      const { selectionSet } = definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
      const data = answerOf(schema, root, selectionSet, definitions, server.requests);
      return sink({ ...signal, 0: { operation, data, stale: false, hasNext: false } });
    });
  return server;
}

function answerOf(schema, type, { selections }, definitions, round) {
  const answer = { __typename: type.name };
  for (const node of selections) {
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      const { selectionSet } = definitions.find(({ name }) => name?.value === node.name.value);
      Object.assign(answer, answerOf(schema, type, selectionSet, definitions, round));
    } else if (node.kind === Kind.FIELD && node.name.value !== '__typename') {
      const name = node.name.value;
      const value = (of) =>
        node.selectionSet
          ? answerOf(schema, of, node.selectionSet, definitions, round)
          : name === 'id'
            ? `${type.name}:1`
            : `${name} ${round}`;
      const field = type.getFields()[name];
      answer[name] = field === undefined ? null : filled(field.type, value);
    }
  }
  return answer;
}

function filled(type, value) {
  if (isListType(type)) return [filled(type.ofType, value)];
  return 'ofType' in type ? filled(type.ofType, value) : value(type);
}
