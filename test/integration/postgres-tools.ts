import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unusedPort } from '../support/processes/ports.ts';

/** Where Debian puts a Postgres with all its programs; ours has the server's alone. */
const DEBIAN = '/usr/lib/postgresql';
const OLDEST = 15;
const WANTED = ['initdb', 'postgres', 'pg_dump', 'pg_restore'];

/** The folder of a Postgres that has its tools, and is one that we work with; null where there is none. */
export const POSTGRES_TOOLS: string | null =
  (existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
    .filter((version) => Number(version) >= OLDEST)
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((bin) => WANTED.every((program) => existsSync(join(bin, program)))) ?? null;

/** Postgres refuses to run as root: then it runs as nobody. */
export const POSTGRES_USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const run = promisify(execFile);

/** Runs one of the tools against a server. */
export async function runTool(name: string, ...args: string[]): Promise<string> {
  return (await run(join(POSTGRES_TOOLS ?? '', name), args, { cwd: '/' })).stdout;
}

/** Starts a server of that Postgres on new databases in a folder that everybody may enter. */
export async function startPostgresWithTools(
  folder: string,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const data = join(folder, 'databases');
  mkdirSync(folder, { recursive: true, mode: 0o777 });
  const bin = POSTGRES_TOOLS ?? '';
  const environment = { ...POSTGRES_USER, cwd: '/', env: { LC_ALL: 'C' } };
  await run(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...environment,
  });
  const port = await unusedPort();
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    { ...environment, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(server, 'exit');
  await new Promise<void>((ready, failed) => {
    let output = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('ready to accept connections')) ready();
    });
    server.once('error', failed);
    server.once('exit', () => failed(new Error(output)));
  });
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      server.kill('SIGINT');
      await ended;
    },
  };
}
