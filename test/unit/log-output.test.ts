import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { SHARED_LIMITS } from '../../src/ground/lib/limits.ts';
import { smallDisk } from '../support/database/small-disk.ts';
import { eventually } from '../support/processes/running-program.ts';

const PROGRAM = join(import.meta.dirname, './log-output-program.ts');
/** With what a line has around its thousand letters. */
const LINE_BYTES = 1_060;
const MORE_THAN_WAITS = Math.ceil((SHARED_LIMITS.unwrittenLog.value / LINE_BYTES) * 3);

type Line = { readonly line?: number; readonly lines?: number; readonly reason?: string };

/** A program that logs so many lines; its log goes to the descriptor, or to a pipe that is not read yet. */
function startLogger(lines: number, output: number | 'pipe', atOnce = 50): ChildProcess {
  const program = spawn(process.execPath, [PROGRAM, String(lines), String(atOnce)], {
    stdio: ['pipe', output, 'pipe'],
  });
  program.stderr!.setEncoding('utf8');
  return program;
}

/** Resolves once all has been logged; with what the program was held up by at the longest, in ms. */
async function longestDelay(program: ChildProcess): Promise<number> {
  let output = '';
  for await (const piece of program.stderr!.iterator({ destroyOnReturn: false })) {
    output += piece;
    const longest = /longest (\d+)/.exec(output)?.[1];
    if (longest !== undefined) return Number(longest);
  }
  throw new Error(`ended with ${program.exitCode} ${program.signalCode}: ${output}`);
}

async function end(program: ChildProcess): Promise<unknown> {
  const ended = once(program, 'exit');
  program.stdin!.end();
  return (await ended)[0];
}

const read = (log: string) =>
  log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** Nothing is lost without being told of, and nothing is written twice or out of its turn. */
function expectAllOf(lines: number, log: readonly Line[]): void {
  const written = log.flatMap(({ line }) => line ?? []);
  const lost = log.reduce((sum, { lines = 0 }) => sum + lines, 0);
  expect(written).toEqual([...new Set(written)].sort((one, other) => one - other));
  expect(written.length + lost).toBe(lines);
}

describe('a log that cannot be written', () => {
  test('on a full device neither ends the program nor keeps it from ending', async () => {
    const full = openSync('/dev/full', 'w');
    const program = startLogger(MORE_THAN_WAITS, full);
    closeSync(full);
    await longestDelay(program);
    expect(await end(program)).toBe(0);
  });

  test('into a pipe that is closed neither', async () => {
    const program = startLogger(MORE_THAN_WAITS, 'pipe');
    program.stdout!.destroy();
    await longestDelay(program);
    expect(await end(program)).toBe(0);
  });

  test('into a pipe that is not read blocks nothing, and the number of lost lines is logged once it is read again', async () => {
    const program = startLogger(MORE_THAN_WAITS, 'pipe');
    // Nobody reads before it has said so: what waited for a reader would wait for ever.
    await longestDelay(program);
    const log = text(program.stdout!);
    let seen = '';
    program.stdout!.on('data', (piece) => {
      seen += piece;
    });
    await eventually(
      async () => seen,
      (so) => so.includes('log lines were lost'),
    );
    expect(await end(program)).toBe(0);
    const lines = read(await log);
    expect(lines.find(({ reason }) => reason !== undefined)).toMatchObject({ reason: 'EAGAIN' });
    expectAllOf(MORE_THAN_WAITS, lines);
  });
});

test('the end of a program does not cut off its log', async () => {
  const program = startLogger(500, 'pipe', 500);
  program.stdin!.end();
  expectAllOf(500, read(await text(program.stdout!)));
});

const disk = smallDisk(1);
afterAll(() => disk?.remove());

test.skipIf(disk === null)('a log on a disk that was full goes on where it was', async () => {
  const file = join(disk!.path, 'log');
  const output = openSync(file, 'a');
  disk!.fill(0);
  const program = startLogger(100, output);
  closeSync(output);
  await longestDelay(program);
  expect(readFileSync(file, 'utf8').length).toBeLessThan(10 * LINE_BYTES);
  disk!.free();
  const lines = await eventually(
    async () => readFileSync(file, 'utf8'),
    (log) => log.includes('"line":100') && log.endsWith('\n'),
  );
  expectAllOf(100, read(lines));
  expect(await end(program)).toBe(0);
});
