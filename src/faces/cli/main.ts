import { homedir } from 'node:os';
import { join } from 'node:path';
import { readCommandConfig } from '../../ground/config/config.ts';
import type { Db } from '../../ground/db/client.ts';
import { requireKnownSchema } from '../../ground/db/migrate.ts';
import { createLogger } from '../../ground/lib/logger.ts';
import { Closing } from '../../startup/closing.ts';
import { openSharedDatabase, openStandby } from '../../startup/database.ts';
import { COMMAND_WAITS_MS } from '../../startup/wait-for-database.ts';
import { Unavailable } from './exit-status.ts';
import { runCommandLine } from './program.ts';

const log = createLogger('error');
const closing = new Closing();

// A reader such as `head` may close the pipe early: not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  ...{ stdin: process.stdin, stdout: process.stdout, stderr: process.stderr },
  profiles: join(homedir(), '.config', 'lacre', 'profiles.json'),
  config: readCommandConfig,
  async database(config): Promise<Db> {
    try {
      const db = await openSharedDatabase(config, { log, longestMs: COMMAND_WAITS_MS }, closing);
      await requireKnownSchema(db.pool);
      return db;
    } catch (error) {
      throw new Unavailable(error instanceof Error ? error.message : String(error), { cause: error });
    }
  },
  standby: (config, db) => openStandby(config, db, log, closing),
});
await closing.run(log);
