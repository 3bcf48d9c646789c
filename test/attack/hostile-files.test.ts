import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { READING_MS } from '../../src/faces/cli/reading/read-in-worker.ts';
import { memoryMiB } from '../bench/processes.ts';
import { HOSTILE_FILES } from './hostile-files.ts';

/** What `lacre read` is given by strangers, each in a process of its own, as an operator runs it. */

const MAIN = join(import.meta.dirname, '../../src/faces/cli/main.ts');
/** Starting and ending take seconds on a machine that runs other tests, too. */
const WITHIN_MS = READING_MS + 60_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lacre-hostile-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Ran = { readonly exit: number | null; readonly printed: string; readonly highestMiB: number };

function read(file: string): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, 'read', file, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (printed.length < 10_000) printed += text;
    });
  }
  let highestMiB = 0;
  const sampling = setInterval(() => {
    highestMiB = Math.max(highestMiB, memoryMiB(child.pid!)?.highest ?? 0);
  }, 20);
  return new Promise((ended) => {
    child.once('close', (exit) => {
      clearInterval(sampling);
      ended({ exit, printed, highestMiB });
    });
  });
}

/** The heap of the thread that reads is 512 MiB at most; the process itself, the file and what is unpacked come on top. */
const MEMORY_MIB = 900;

/** Exit statuses of a file that is no invoice, and of one that breaks rules. */
const REFUSED = [3, 6];

describe.skipIf(process.platform !== 'linux')('a file is refused in time and within memory', () => {
  test.each(Object.entries(HOSTILE_FILES))('%s', { timeout: WITHIN_MS + 60_000 }, async (name, make) => {
    const file = join(folder, name.replaceAll(' ', '-'));
    writeFileSync(file, await make());
    const began = performance.now();
    const { exit, printed, highestMiB } = await read(file);
    rmSync(file);
    expect(REFUSED, printed.slice(0, 1_000)).toContain(exit);
    expect(highestMiB, printed.slice(0, 1_000)).toBeLessThan(MEMORY_MIB);
    expect(performance.now() - began).toBeLessThan(WITHIN_MS);
  });
});
