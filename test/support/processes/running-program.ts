import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoCredentials } from '../../../src/startup/demo.ts';
import { recordOutput } from './run-log.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** A start takes a second or two, and far longer on a busy machine. */
const READY_MS = 150_000;
/** Node's compile cache: half of a start is compiling the program, which is the same each time. */
export const COMPILED = join(ROOT, 'node_modules/.cache/lacre-programs');

const running = new Set<ChildProcess>();

/** Ends the programs that a failed test has left running; for `afterAll`. */
export function endPrograms(): void {
  for (const child of running) child.kill('SIGTERM');
}

/** A program of the project as a separate process, with full logging and none of this process's environment. */
export type RunningProgram = {
  readonly process: ChildProcess;
  /** Everything that it has written so far, to standard output and standard error. */
  output(): string;
  /** Waits until its output matches. Rejects with the output if the program ends before, or takes too long. */
  untilPrinted(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal and waits for the end; returns the exit code, null when the signal itself ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
};

/**
 * How the script of package.json starts this program: its variables, except the place of the compile cache, which only an
 * installation of one user has, and its options of Node.
 */
export function startOf(file: string): {
  readonly variables: Readonly<Record<string, string>>;
  readonly options: readonly string[];
} {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const script = Object.values(scripts).find((text) => text.endsWith(` ${file}`)) ?? '';
  const words = script.split(' ');
  const variables = words
    .filter((word) => /^(?!NODE_COMPILE_CACHE=)[A-Z_]+=/.test(word))
    .map((word) => word.split('='));
  return {
    variables: Object.fromEntries(variables),
    options: words.filter((word) => word.startsWith('--')),
  };
}

/** Runs `src/main.ts`, `jobs/main.ts` or another program of ours, as npm would. */
export function runProgram(
  file: string,
  variables: Record<string, string>,
  args: readonly string[] = [],
): RunningProgram {
  const start = startOf(file);
  const child = spawn(process.execPath, [...start.options, join(ROOT, file), ...args], {
    env: { ...start.variables, LOG_LEVEL: 'trace', NODE_COMPILE_CACHE: COMPILED, ...variables },
    cwd: ROOT,
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const listener of listeners) listener();
    });
  }
  const ended = once(child, 'exit');
  child.once('close', () => recordOutput(output));
  return {
    process: child,
    output: () => output,
    untilPrinted: (pattern) =>
      new Promise((found, failed) => {
        const fail = (reason: string) => failed(new Error(`${file} ${reason}:\n${output}`));
        const timer = setTimeout(() => fail(`did not print ${pattern}`), READY_MS);
        const check = () => {
          const match = pattern.exec(output);
          if (match === null) return;
          clearTimeout(timer);
          listeners.delete(check);
          found(match);
        };
        listeners.add(check);
        child.once('close', () => fail('ended'));
        check();
      }),
    async end(signal) {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}

/** Starts the service as a demo on free ports and waits until it is ready. */
export async function startDemo(
  dataDir: string,
  variables: Record<string, string> = {},
): Promise<{ readonly program: RunningProgram; readonly credentials: DemoCredentials }> {
  const program = runProgram('src/main.ts', { PORT: '0', DATA_DIR: dataDir, ...variables });
  const [, json = ''] = await program.untilPrinted(/\n(\{\n {2}"base_url"[^}]*\})[\s\S]*limit=1/);
  return { program, credentials: JSON.parse(json) as DemoCredentials };
}

/**
 * Repeats `read` until its answer satisfies the condition. Throws after `seconds`, with the last answer.
 */
export async function eventually<T>(
  read: () => Promise<T>,
  satisfies: (answer: T) => boolean,
  seconds = 90,
): Promise<T> {
  const deadline = performance.now() + seconds * 1_000;
  for (;;) {
    const answer = await read();
    if (satisfies(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`still ${JSON.stringify(answer)} after ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
