import type { Outcome } from '../../../ground/errors/refusal.ts';
import type { Authenticator } from './authenticate.ts';
import type { Caller, IssuingCaller, Operator } from './caller.ts';
import type { FailedAttempts } from './failed-attempts.ts';

type Known = { readonly merchant: IssuingCaller; readonly reader: Caller; readonly operator: Operator };

/**
 * The caller with an `Authorization` header from the address: null without a key in force of one of the kinds.
 * After too many failures from one address the answer is `rate_limited`; a key in force still works.
 */
export async function identify<Kind extends keyof Known>(
  { authenticator, attempts }: { readonly authenticator: Authenticator; readonly attempts: FailedAttempts },
  authorization: string | undefined,
  address: string,
  kinds: readonly Kind[],
): Promise<Outcome<Known[Kind] | null>> {
  if (authorization === undefined) return null;
  const refusal = attempts.refusal(address);
  for (const kind of kinds) {
    const known = await authenticator[kind](authorization, refusal !== null);
    if (known !== null) return known as Known[Kind];
  }
  attempts.note(address);
  return refusal;
}
