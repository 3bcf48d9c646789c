import { Refusal } from '../../ground/errors/refusal.ts';
import type { Day } from '../../ground/lib/calendar.ts';
import type { Scope } from './entry/caller.ts';
import { environmentToday } from './entry/environment-time.ts';

/**
 * Why nothing may be issued or validated, or null: 403 `forbidden` for a company that was closed or succeeded by another; live,
 * the same after its last day of VERI*FACTU, then 403 `aeat_mandate_not_approved` without an approved mandate and finished onboarding takes precedence over 402
 * `no_active_subscription` (docs/contract.md#keys), which test keys always pass.
 */
export function checkGates(scope: Scope): Refusal | null {
  if (scope.issuingEnded) return issuingEnded();
  if (scope.environment === 'test') return null;
  if (scope.lastDay !== null && environmentToday(scope) > scope.lastDay) return verifactuEnded(scope.lastDay);
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

/**
 * The refusal of a company that was closed, or whose NIF another one has taken over. The agency knows an invoice by NIF, number and
 * day, so one company of a NIF issues at a time.
 */
export function issuingEnded(): Refusal {
  return new Refusal(
    'forbidden',
    'The company was closed, or another one has succeeded it and issues for its NIF. What was issued can still be read, voided and amended here; a successor corrects it by rectifies.external.',
  );
}

/**
 * The refusal of a company that has given up VERI*FACTU: this service issues nothing else. Records of what it has issued
 * are still sent.
 */
export function verifactuEnded(lastDay: Day): Refusal {
  return new Refusal(
    'forbidden',
    `The company has given up VERI*FACTU: its last day was ${lastDay}. What was issued can still be read, voided and amended.`,
  );
}
