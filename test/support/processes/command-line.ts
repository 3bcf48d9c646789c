import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { CliRuntime } from '../../../src/faces/cli/command.ts';
import { runCommandLine } from '../../../src/faces/cli/program.ts';
import { readConfig } from '../../../src/ground/config/config.ts';
import type { Db } from '../../../src/ground/db/client.ts';

/** The result of a command. */
export type CommandResult = {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output, which must be one JSON document. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  json(): any;
};

export type CommandLine = (words: readonly string[], input?: string) => Promise<CommandResult>;

/** Set, so that none is created in a data directory. */
export const SECRETS = {
  ...{ LINK_SECRETS: 'x'.repeat(32), CHECKPOINT_KEY: 'x'.repeat(32) },
  CERTIFICATE_KEYS: `test:${'A'.repeat(43)}=`,
};

/** Each database has its own folder of checkpoints: those of another one would contradict it. */
const folder = mkdtempSync(join(tmpdir(), 'lacre-checkpoints-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let databases = 0;

/** Runs commands in this process, as the program does, on a database that is open already. */
export function commandLine(
  db: Db,
  variables: Record<string, string> = {},
  given: { terminal?: boolean } = {},
): CommandLine {
  databases += 1;
  const CHECKPOINT_DIR = join(folder, String(databases));
  return commandLineOn({
    ...given,
    config: () => readConfig({ ...SECRETS, CHECKPOINT_DIR, ...variables }),
    database: async () => db,
  });
}

/** The same with settings and a database that are opened when a command needs them; errors may go to a terminal. */
export function commandLineOn({
  terminal = false,
  ...given
}: Pick<CliRuntime, 'config' | 'database'> &
  Partial<Pick<CliRuntime, 'standby'>> & { profiles?: string; terminal?: boolean }): CommandLine {
  return async (words, input = '') => {
    const [stdout, stderr] = [new Sink(), Object.assign(new Sink(), { isTTY: terminal })];
    const exit = await runCommandLine(words, {
      ...{ stdin: Readable.from([Buffer.from(input)]), stdout, stderr },
      profiles: join(folder, 'profiles.json'),
      standby: async () => null,
      ...given,
    });
    return { exit, stdout: stdout.text, stderr: stderr.text, json: () => JSON.parse(stdout.text) };
  };
}

class Sink extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

/** The words of a line as a shell reads it: quotes, and variables by name. */
export function shellWords(line: string, variables: Readonly<Record<string, string>>): string[] {
  const words = line.match(/(?:"[^"]*"|\S)+/g) ?? [];
  return words.map((word) =>
    word.replaceAll('"', '').replaceAll(/\$([A-Z0-9]+)/g, (_, name: string) => {
      const value = variables[name];
      if (value === undefined) throw new Error(`$${name} is not set`);
      return value;
    }),
  );
}
