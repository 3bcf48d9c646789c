import { ApolloClient, ApolloLink, InMemoryCache, setLogVerbosity } from '@apollo/client';
import { of } from 'rxjs';
import { type Data, type NormalizedCache, parsed, type Question } from './normalized-cache.ts';

// It warns of each list that was replaced, which is what is wanted of a list of objects with ids.
setLogVerbosity('error');

/** Apollo Client as it comes: no type policy is needed. */
export class ApolloCache implements NormalizedCache {
  readonly warnings: string[] = [];
  readonly #client: ApolloClient;
  #answer: Data = {};

  constructor() {
    const link = new ApolloLink(() => of({ data: { ...this.#answer } }));
    this.#client = new ApolloClient({ cache: new InMemoryCache(), link });
  }

  async hold({ document, variables }: Question, answer: Data): Promise<void> {
    this.#answer = answer;
    await this.#client.query({ query: parsed(document), variables, fetchPolicy: 'network-only' });
  }

  async change({ document, variables }: Question, answer: Data): Promise<void> {
    this.#answer = answer;
    await this.#client.mutate({ mutation: parsed(document), variables });
  }

  async read({ document, variables }: Question): Promise<Data> {
    const asked = { query: this.#client.documentTransform.transformDocument(parsed(document)), variables };
    const { result, missing } = this.#client.cache.diff<Data>({
      ...{ ...asked, optimistic: false, returnPartialData: true },
    });
    if (missing !== undefined) this.warnings.push(missing.message);
    return (result ?? {}) as Data;
  }
}
