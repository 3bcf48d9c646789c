import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from '../run.ts';
import { REMOTE } from './program.ts';

/** The command `lacre` of the package (packages/cli). */

// A reader such as `head` may close the pipe early: not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const none = (): never => {
  throw new Error('this command line has no database');
};

process.exitCode = await run(REMOTE, process.argv.slice(2), {
  ...{ stdin: process.stdin, stdout: process.stdout, stderr: process.stderr },
  profiles: join(homedir(), '.config', 'lacre', 'profiles.json'),
  ...{ config: none, database: none, standby: none },
});
