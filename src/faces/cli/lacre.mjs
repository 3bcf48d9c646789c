#!/usr/bin/env node
/**
 * The command `lacre`, for any Node from 20 on: makes a fresh clone runnable, as npm does before its scripts, and runs
 * the command line on the Node that the clone brings.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

const here = dirname(realpathSync(process.argv[1]));
const caller = process.cwd();
await import('../../bootstrap.mjs');
process.chdir(caller);

const windows = process.platform === 'win32';
const own = join(here, '..', '..', '..', 'node_modules', '.bin', windows ? 'node.cmd' : 'node');
const node = existsSync(own) ? own : process.execPath;
const { status, signal, error } = spawnSync(node, [join(here, 'main.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  shell: windows,
});
if (error) process.stderr.write(`${error.message}\n`);
// What ended the command ends this too, so that a shell sees the same.
if (signal) process.kill(process.pid, signal);
process.exitCode = status ?? 1;
