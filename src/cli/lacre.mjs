#!/usr/bin/env node
/**
 * The command `lacre`, for any Node from 20 on: makes a fresh clone runnable, as npm does before its scripts, and runs
 * the command line on the Node that the clone brings.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const here = dirname(realpathSync(process.argv[1]));
const root = join(here, '..', '..');
const caller = process.cwd();

// Installing tells how far it is; standard output belongs to the command.
const log = console.log;
console.log = console.error;
await import('../bootstrap.mjs');
console.log = log;
process.chdir(caller);

const programs = join(root, 'node_modules', '.bin');
const own = join(programs, process.platform === 'win32' ? 'node.cmd' : 'node');
const node = existsSync(own) ? own : process.execPath;
const { status, signal, error } = spawnSync(node, [join(here, 'main.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, PATH: programs + delimiter + process.env.PATH },
  shell: process.platform === 'win32',
});
if (error) console.error(error.message);
if (signal) process.kill(process.pid, signal);
process.exitCode = status ?? 1;
