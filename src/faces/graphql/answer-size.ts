import { Refusal } from '../../ground/errors/refusal.ts';
import { LIMITS } from '../../ground/lib/limits.ts';

/**
 * Whether a value has more bytes as JSON than an answer may have. It is looked at before its text is made and only as
 * far as that; marks of escaping are left out, so a little more may pass.
 */
export function isTooLarge(answer: unknown): boolean {
  let left: number = LIMITS.answer.value;
  const unseen: unknown[] = [answer];
  while (unseen.length > 0 && left >= 0) {
    const value = unseen.pop();
    if (typeof value === 'string') {
      left -= Buffer.byteLength(value) + 3;
    } else if (typeof value !== 'object' || value === null) {
      left -= 5;
    } else if (Array.isArray(value)) {
      left -= 2;
      for (const item of value) unseen.push(item);
    } else {
      left -= 2;
      for (const name in value) {
        left -= name.length + 4;
        unseen.push((value as Record<string, unknown>)[name]);
      }
    }
  }
  return left < 0;
}

/** `invalid_request` for an answer beyond 8 MiB. Of a mutation it says that what was asked has been done. */
export function answerTooLarge(changes: boolean): Refusal {
  const limit = `${LIMITS.answer.value / (1024 * 1024)} MiB`;
  const done = changes ? ' What the mutation asked for was done: read it by a query.' : '';
  return new Refusal(
    'invalid_request',
    `The answer would have more than ${limit}. Ask for fewer fields or a smaller page.${done}`,
  );
}
