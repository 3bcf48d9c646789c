import { Refusal } from '../../ground/errors/refusal.ts';
import type { Scope } from './entry/caller.ts';

/**
 * Why nothing may be issued or validated live, or null. 403 `aeat_mandate_not_approved` without an approved mandate
 * and finished onboarding takes precedence over 402 `no_active_subscription` (docs/contract.md#keys). Test keys
 * always pass.
 */
export function checkGates(scope: Scope): Refusal | null {
  if (scope.environment === 'test') return null;
  const { mandateApproved, onboardingFinished, subscriptionActive } = scope.gates;
  if (!mandateApproved) {
    return new Refusal(
      'aeat_mandate_not_approved',
      'The company has not approved the tax agency representation mandate.',
    );
  }
  if (!onboardingFinished) {
    return new Refusal('aeat_mandate_not_approved', 'The live onboarding of the company is not finished.');
  }
  if (!subscriptionActive) {
    return new Refusal('no_active_subscription', 'The account has no active subscription.');
  }
  return null;
}
