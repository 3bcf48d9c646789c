import { BREAK, type DocumentNode, type GraphQLError, Kind, visit } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { Context } from './context.ts';
import { literalFaults } from './input-faults.ts';
import { GRAPHQL_LIMITS } from './limits.ts';
import { publicAccess } from './public-access.ts';

/** In bytes: about 200 ordinary queries, those that the programs of an installation repeat. */
export const KEPT_DOCUMENTS = 16 * 1024 * 1024;

/** Measured: a node with its location, for each token. The text is stored as well. */
const BYTES_PER_TOKEN = 500;

function sizeOf(document: DocumentNode, text: string): number {
  let tokens = 0;
  for (let token = document.loc?.startToken ?? null; token !== null; token = token.next) tokens += 1;
  return tokens * BYTES_PER_TOKEN + text.length * 2;
}

const TOO_BROAD = `A selection of the query has more than ${GRAPHQL_LIMITS.breadth.value} fields.`;
const TOO_DEEP = `The query is nested more than ${GRAPHQL_LIMITS.nesting.value} levels deep.`;

/**
 * Why a document that can be parsed is refused by its shape alone; null if it is not. Validating compares each field of a
 * selection with each other one (900 of them take 20 ms, before any cost is counted) and needs some stack for each level.
 */
export function faultOfShape(document: DocumentNode): string | null {
  let depth = 0;
  let fault: string | null = null;
  visit(document, {
    enter(node) {
      depth += 1;
      if (depth > GRAPHQL_LIMITS.nesting.value) fault = TOO_DEEP;
      else if (node.kind === Kind.SELECTION_SET && node.selections.length > GRAPHQL_LIMITS.breadth.value)
        fault = TOO_BROAD;
      return fault === null ? undefined : BREAK;
    },
    leave() {
      depth -= 1;
    },
  });
  return fault;
}

type Refused = {
  readonly unauthorized: () => GraphQLError;
  readonly tooMuch: () => GraphQLError;
  readonly misshapen: (fault: string) => GraphQLError;
};

/**
 * Parses documents and remembers those that were asked with a key, bounded in bytes; what has been found of a document
 * by validating it is remembered for as long. Of a caller without a key nothing is remembered, and nothing but the
 * operations' root fields is looked at before it is refused.
 */
export function boundedQueries(
  schemaIsOpen: boolean,
  { unauthorized, tooMuch, misshapen }: Refused,
): Plugin<Context> {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: KEPT_DOCUMENTS,
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
        // The parser has used up the stack.
        const fault = result instanceof RangeError ? TOO_DEEP : null;
        if (fault === null && (result === null || result instanceof Error)) return;
        const misshape = fault ?? faultOfShape(result as DocumentNode);
        if (misshape !== null) replaceParseResult(misshapen(misshape) as never);
        else documents.set(text, result as DocumentNode);
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
