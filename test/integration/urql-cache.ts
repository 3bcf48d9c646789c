import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { type GraphQLSchema, introspectionFromSchema, isObjectType } from 'graphql';
import type { Data, NormalizedCache, Question } from './normalized-cache.ts';

/** urql with graphcache, types without an id embedded in their parents. */
export class UrqlCache implements NormalizedCache {
  readonly warnings: string[] = [];
  readonly #client: Client;
  #answer: Data = {};

  constructor(schema: GraphQLSchema) {
    const embedded = Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) && !('id' in type.getFields()) && !type.name.startsWith('__'))
      .map(({ name }) => [name, () => null] as const);
    // By itself it forgets all objects of a type when a mutation returns a new one of it.
    const forgettingNothing = Object.keys(schema.getMutationType()!.getFields()).map(
      (name) => [name, () => {}] as const,
    );
    const cache = cacheExchange({
      schema: introspectionFromSchema(schema),
      keys: Object.fromEntries(embedded),
      updates: { Mutation: Object.fromEntries(forgettingNothing) },
      logger: (_severity, message) => this.warnings.push(message),
    });
    this.#client = new Client({
      ...{ url: 'http://lacre.test/graphql', preferGetMethod: false },
      exchanges: [cache, fetchExchange],
      fetch: async () => Response.json({ data: this.#answer }),
    });
  }

  async hold({ document, variables }: Question, answer: Data): Promise<void> {
    this.#answer = answer;
    const { error } = await this.#client.query(document, variables, { requestPolicy: 'network-only' });
    if (error !== undefined) throw error;
  }

  async change({ document, variables }: Question, answer: Data): Promise<void> {
    this.#answer = answer;
    const { error } = await this.#client.mutation(document, variables);
    if (error !== undefined) throw error;
  }

  async read({ document, variables }: Question): Promise<Data> {
    const options = { requestPolicy: 'cache-only' } as const;
    const { data, error } = await this.#client.query<Data>(document, variables, options);
    if (error !== undefined) throw error;
    return data ?? {};
  }
}
