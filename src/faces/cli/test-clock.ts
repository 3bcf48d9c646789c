import type { Command } from 'commander';
import { parseRequest } from '../../ground/errors/issues.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { readScope } from '../../subjects/accounts/store/read-callers.ts';
import { advanceClock, findClock, removeClock } from '../../subjects/accounts/test-clock.ts';
import { clockRequest } from '../../subjects/accounts/test-clock-request.ts';
import type { CliRuntime } from './command.ts';
import { localOrRemote } from './local-or-remote.ts';
import { type LocalClocks, testClockCommands } from './remote/test-clock.ts';

const LOCAL: LocalClocks = {
  show: async ({ db }, environmentId) => findClock(db, await readScope(db.pool, environmentId)),
  async advance({ db }, environmentId, sent, by) {
    const request = parseRequest(clockRequest, sent);
    return isRefusal(request)
      ? request
      : advanceClock(db, await readScope(db.pool, environmentId), request, by);
  },
  remove: async ({ db }, environmentId, by) => removeClock(db, await readScope(db.pool, environmentId), by),
};

export function testClock(program: Command, runtime: CliRuntime): void {
  testClockCommands(program, runtime, localOrRemote(LOCAL));
}
