import { invalidField, type Outcome } from '../../ground/errors/refusal.ts';
import { parseKey } from '../../subjects/idempotency/keys.ts';
import type { Context } from './context.ts';

/**
 * The request's idempotency key: the argument, or the header, which REST takes as well; null without either.
 * `invalid_request` when both are there and differ, and for what is no key.
 */
export function keyOf(
  { idempotencyKey: header = null }: Pick<Context, 'idempotencyKey'>,
  argument: string | null | undefined,
): Outcome<string | null> {
  if (header !== null && argument != null && header !== argument) {
    return invalidField('idempotencyKey', 'invalid_value', 'differs from the argument idempotencyKey');
  }
  const key = argument ?? header;
  return key === null ? null : parseKey(key, 'idempotencyKey');
}
