import { Refusal } from '../../ground/errors/refusal.ts';
import { SHARED_LIMITS } from '../../ground/lib/limits.ts';

/**
 * Whether a value has more bytes as JSON than an answer may have. It is counted before it is serialized, and only up
 * to the limit; escaping is not counted, so a little more may pass.
 */
export function isTooLarge(answer: unknown): boolean {
  let remaining: number = SHARED_LIMITS.answer.value;
  const pending: unknown[] = [answer];
  while (pending.length > 0 && remaining >= 0) {
    const value = pending.pop();
    if (typeof value === 'string') {
      remaining -= Buffer.byteLength(value) + 3;
    } else if (typeof value !== 'object' || value === null) {
      remaining -= 5;
    } else if (Array.isArray(value)) {
      remaining -= 2;
      for (const item of value) pending.push(item);
    } else {
      remaining -= 2;
      for (const name in value) {
        remaining -= name.length + 4;
        pending.push((value as Record<string, unknown>)[name]);
      }
    }
  }
  return remaining < 0;
}

/** `invalid_request` for an answer beyond 8 MiB. After a mutation it states that the change was made. */
export function answerTooLarge(changes: boolean): Refusal {
  const limit = `${SHARED_LIMITS.answer.value / (1024 * 1024)} MiB`;
  const done = changes ? ' The mutation was performed: read its result by a query.' : '';
  return new Refusal(
    'invalid_request',
    `The answer would have more than ${limit}. Select fewer fields or a smaller page.${done}`,
  );
}
