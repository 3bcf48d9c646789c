import { LRUCache } from 'lru-cache';
import { addLogFields } from '../../ground/lib/log-context.ts';
import { SharedAnswer } from '../../ground/lib/shared-answer.ts';

/** In bytes. The standard answer has 200 KiB, and each kind of client sends a different query. */
export const KEPT_ANSWERS = 4 * 1024 * 1024;

/** What of a request the answer depends on, and what the log calls it. */
type Question = { readonly key: string; readonly operation: string };

/**
 * The answers to questions for the schema alone, by the question's text: they are the same for everybody until the next
 * version runs, and each takes a tenth of a second to make.
 */
export function cacheSchemaAnswers() {
  const answers = new LRUCache<string, SharedAnswer>({
    maxSize: KEPT_ANSWERS,
    sizeCalculation: (answer, key) => answer.size + key.length * 2,
  });
  return {
    /** What a request asks, or null when its answer cannot be a remembered one. */
    questionOf(request: {
      readonly body: unknown;
      readonly headers: { readonly accept?: string | undefined };
    }): Question | null {
      const { query, operationName, variables, ...others } = request.body as Record<string, unknown>;
      if (typeof query !== 'string' || !query.includes('__')) return null;
      if (Object.keys(variables ?? {}).length > 0 || Object.keys(others).length > 0) return null;
      const name = typeof operationName === 'string' ? operationName : null;
      return {
        key: JSON.stringify([request.headers.accept, name, query]),
        operation: name?.slice(0, 100) ?? 'query',
      };
    },

    get({ key, operation }: Question): SharedAnswer | undefined {
      const answer = answers.get(key);
      if (answer !== undefined) addLogFields({ operation });
      return answer;
    },

    async keep({ key }: Question, text: string, type: string | null): Promise<SharedAnswer> {
      const answer = await SharedAnswer.of(text, {
        'content-type': type ?? 'application/json; charset=utf-8',
      });
      answers.set(key, answer);
      return answer;
    },
  };
}
