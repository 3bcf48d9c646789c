import type { Command } from 'commander';
import { parseRequest } from '../../ground/errors/issues.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { readScope } from '../../subjects/accounts/store/read-callers.ts';
import { advanceClock, findClock, removeClock } from '../../subjects/accounts/test-clock.ts';
import { clockRequest } from '../../subjects/accounts/test-clock-request.ts';
import type { CliRuntime } from './command.ts';
import { localOrRemote } from './local-or-remote.ts';
import { testClockCommands } from './remote/test-clock.ts';

export function testClock(program: Command, runtime: CliRuntime): void {
  const place = localOrRemote({
    reads: {
      retrieveTestClock: async ({ db }, environmentId) =>
        findClock(db, await readScope(db.pool, environmentId)),
    },
    changes: {
      async advanceTestClock({ db }, environmentId, { body }, by) {
        const request = parseRequest(clockRequest, body);
        return isRefusal(request)
          ? request
          : advanceClock(db, await readScope(db.pool, environmentId), request, by);
      },
      removeTestClock: async ({ db }, environmentId, _given, by) =>
        removeClock(db, await readScope(db.pool, environmentId), by),
    },
  });
  testClockCommands(program, runtime, place);
}
