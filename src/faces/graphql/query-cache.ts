import { BREAK, type DocumentNode, type GraphQLError, visit } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { LIMITS } from '../../ground/lib/limits.ts';
import type { Context } from './context.ts';
import { literalFaults } from './input-faults.ts';
import { publicAccess } from './public-access.ts';

/** Measured: a node with its location, for each token. The text is stored as well. */
const BYTES_PER_TOKEN = 500;

function sizeOf(document: DocumentNode, text: string): number {
  let tokens = 0;
  for (let token = document.loc?.startToken ?? null; token !== null; token = token.next) tokens += 1;
  return tokens * BYTES_PER_TOKEN + text.length * 2;
}

/** Whether a selection has too many fields. Validating compares each field of a selection with each other one: 900 of them take 20 ms, before any cost is counted. */
export function isTooBroad(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    SelectionSet({ selections }) {
      found ||= selections.length > LIMITS.breadth.value;
      return found ? BREAK : undefined;
    },
  });
  return found;
}

type Refused = {
  readonly unauthorized: () => GraphQLError;
  readonly tooMuch: () => GraphQLError;
  readonly tooBroad: () => GraphQLError;
};

/**
 * Parses documents and remembers those that were asked with a key, bounded in bytes; what has been found of a document
 * by validating it is remembered for as long. Of a caller without a key nothing is remembered, and nothing but the
 * operations' root fields is looked at before it is refused.
 */
export function boundedQueries(
  schemaIsOpen: boolean,
  { unauthorized, tooMuch, tooBroad }: Refused,
): Plugin<Context> {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: LIMITS.documents.value,
    sizeCalculation: sizeOf,
  });
  const faults = new WeakMap<DocumentNode, readonly Error[]>();
  return {
    onParse({ params, context, setParsedDocument }) {
      const text = params.source.toString();
      if ((context as unknown as Context).caller === null) {
        return ({ result, replaceParseResult }) => {
          const access =
            result instanceof Error || result === null ? 'needs a key' : publicAccess(result, schemaIsOpen);
          if (access === 'needs a key') replaceParseResult(unauthorized() as never);
          if (access === 'too much') replaceParseResult(tooMuch() as never);
        };
      }
      const known = documents.get(text);
      if (known !== undefined) {
        setParsedDocument(known);
        return undefined;
      }
      return ({ result, replaceParseResult }) => {
        if (result === null || result instanceof Error) return;
        if (isTooBroad(result)) replaceParseResult(tooBroad() as never);
        else documents.set(text, result);
      };
    },
    onValidate({ params: { schema, documentAST }, setResult }) {
      const found = faults.get(documentAST);
      if (found !== undefined) {
        setResult(found);
        return undefined;
      }
      return ({ result, setResult: replaceResult }) => {
        const explained = literalFaults(schema, documentAST, result as GraphQLError[]);
        faults.set(documentAST, explained);
        replaceResult([...explained]);
      };
    },
  };
}
