import { type FieldIssue, LacreError } from '@lacre/client';
import type { Profile } from './profiles.ts';

type Answer<Data> = {
  readonly data?: Data | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: {
      readonly code?: string;
      readonly status?: number;
      readonly errors?: readonly FieldIssue[];
      readonly docUrl?: string;
      readonly retryAfter?: number;
    };
  }[];
};

/** As long as the client waits for an answer. */
const ANSWER_MS = 60_000;

/** For what only GraphQL offers. Throws a `LacreError`, as the client does. */
export async function queryGraphql<Data>(
  { base_url: baseUrl, key }: Pick<Profile, 'base_url' | 'key'>,
  query: string,
  variables: object = {},
): Promise<Data> {
  let answer: Answer<Data>;
  try {
    const response = await fetch(`${baseUrl}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    answer = (await response.json()) as Answer<Data>;
  } catch (cause) {
    throw new LacreError('no_answer', `${baseUrl} does not answer like this service.`, { cause });
  }
  const [error] = answer.errors ?? [];
  if (error === undefined && answer.data) return answer.data;
  const { code = 'unreadable_answer', ...parts } = error?.extensions ?? {};
  throw new LacreError(code as LacreError['code'], error?.message ?? 'The answer is empty.', parts);
}
