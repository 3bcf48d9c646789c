import { type DocumentNode, type GraphQLSchema, parse } from 'graphql';

/** A document as front ends send it, with `__typename` of each object. */
export type Question = {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

export type Data = Readonly<Record<string, unknown>>;

/**
 * The normalized cache of a client library, which receives nothing but answers of the service. Whoever asks the service hands
 * the same answer to several of them.
 */
export type NormalizedCache = {
  /** Receives the answer to a query. */
  hold(question: Question, answer: Data): Promise<void>;
  /** Receives the answer to a mutation. */
  change(mutation: Question, answer: Data): Promise<void>;
  /** What it has of a query; values that are missing may be left out. */
  read(question: Question): Promise<Data>;
  /** What the library complains about. */
  readonly warnings: readonly string[];
};

export type CacheOf = new (schema: GraphQLSchema) => NormalizedCache;

const documents = new Map<string, DocumentNode>();

/** The document, parsed once: libraries keep what they make of it. */
export function parsed(text: string): DocumentNode {
  const document = documents.get(text) ?? parse(text);
  documents.set(text, document);
  return document;
}
