import { isDatabaseFailure } from '../../ground/db/condition/failures.ts';
import { databaseCause } from '../../ground/db/condition/remedies.ts';
import { NotMigrated, OtherHistory } from '../../ground/db/migration-history.ts';
import { RoleError } from '../../ground/db/roles/arrange.ts';
import type { Failure } from './exit-status.ts';

const EXIT_OF = { settings: 'usage', unavailable: 'unavailable' } as const;

/** What is wrong with the database, the way to it, or what it holds; null for anything else. */
export function failureOfDatabase(error: unknown): Failure | null {
  const cause = causeOf(error);
  if (cause !== null || !isDatabaseFailure(error)) return cause;
  const detail = error instanceof Error ? error.message : String(error);
  return { exit: 'unavailable', code: 'unavailable', detail };
}

function causeOf(error: unknown): Failure | null {
  if (error instanceof OtherHistory || error instanceof NotMigrated)
    return { exit: 'refused', code: 'refused', detail: error.message };
  if (error instanceof RoleError) return { exit: 'usage', code: 'usage', detail: error.message };
  const cause = databaseCause(error);
  if (cause !== null) {
    const exit = EXIT_OF[cause.concern];
    return { exit, code: exit, detail: `${cause.reason}: ${cause.remedy}` };
  }
  return error instanceof Error && error.cause !== undefined ? causeOf(error.cause) : null;
}
