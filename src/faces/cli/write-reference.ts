import { readFileSync, writeFileSync } from 'node:fs';
import { buildProgram } from './program.ts';
import { COMMAND_GUIDE, withCommands } from './reference.ts';

/** `npm run commands`: writes the reference of the commands into the guide on the command line. */
const streams = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
const nothing = (): never => {
  throw new Error('no command is run here');
};
const program = buildProgram({
  ...streams,
  config: nothing,
  database: nothing,
  standby: nothing,
  profiles: '',
  onExit: nothing,
});
writeFileSync(COMMAND_GUIDE, withCommands(readFileSync(COMMAND_GUIDE, 'utf8'), program));
