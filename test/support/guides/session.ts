import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { differences, isText } from './answers.ts';
import type { Example } from './blocks.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Nothing that a reader is shown takes more than some seconds, on a machine that has nothing else to do. */
const TIMEOUT_MS = 150_000;

/**
 * The block as it stands, in the shell that earlier blocks left behind; what it sets is kept for the next one. A reader
 * pastes it at a prompt, where `!` within double quotes calls up earlier commands: that must not happen either.
 */
const IN_ONE_SHELL =
  'set -o history; history -p -- "$2" > /dev/null; set +o history; ' +
  'source "$1"; set -a; eval "$2"; export -p > "$1"; declare -f >> "$1"';

const ASK = `curl -sS "$LACRE_URL/graphql" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d @-`;

/** How long the output of a shell that has failed is waited for: what it left in the background may hold its pipes. */
const LEFTOVERS_MS = 2_000;

async function readSoFar(texts: Promise<readonly [output: string, complaint: string]>): Promise<string> {
  const unread = pause(LEFTOVERS_MS, ['', 'its output is held by what runs in the background\n'] as const);
  const [output, complaint] = await Promise.race([texts, unread]);
  return complaint + output;
}

/** A shell in which a page is gone through, as its reader would. */
export type Session = {
  /** Runs an example. Throws, naming its line, when it fails or answers something else than is shown. */
  run(example: Example): Promise<void>;
  close(): void;
};

type Surroundings = {
  readonly variables: Readonly<Record<string, string>>;
  /** Runs a statement against the service's database. */
  query(statement: string): Promise<readonly object[]>;
};

export function openSession({ variables, query }: Surroundings): Session {
  const home = mkdtempSync(join(tmpdir(), 'lacre-guide-'));
  const state = join(home, 'state.sh');
  writeFileSync(state, '');
  const folder = projectIn(home);
  // What a page installs for the machine is installed for this reader.
  const machine = join(home, 'machine');
  const path = `${quickNpx(home)}:${join(machine, 'bin')}:${process.env['PATH'] ?? ''}`;
  const own = { HOME: home, npm_config_prefix: machine, npm_config_cache: join(home, 'npm') };
  const environment = { PATH: path, LANG: 'C.UTF-8', ...own, ...variables };

  async function bash(source: string, input = ''): Promise<string> {
    const options = ['--norc', '-e', '-u', '-o', 'pipefail', '-c', IN_ONE_SHELL, 'guide', state, source];
    const child = spawn('bash', options, { cwd: folder, env: environment, detached: true });
    const timeout = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), TIMEOUT_MS);
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const texts = Promise.all([text(child.stdout), text(child.stderr)]);
    const [status] = await once(child, 'exit');
    clearTimeout(timeout);
    if (status !== 0)
      throw new Error(`ended with ${status ?? 'no answer in time'}\n${await readSoFar(texts)}`);
    const [output] = await texts;
    return output;
  }

  async function outputOf({ language, source, asOperator }: Example): Promise<string> {
    if (language === 'bash') return bash(source);
    if (language === 'sql') return JSON.stringify(await query(source));
    const key = asOperator ? '$LACRE_OPERATOR_KEY' : '$LACRE_KEY';
    const answer = await bash(`KEY=${key}\n${ASK}`, JSON.stringify({ query: source }));
    // A refusal that the page does not show is an error of the page.
    if (!/"errors"/.test(answer)) return answer;
    throw new Error(answer);
  }

  return {
    async run(example) {
      const at = `line ${example.line}`;
      const output = await outputOf(example).catch((error: Error) => {
        throw new Error(`${at}: ${error.message}\n${example.source}`);
      });
      const wrong = disagreement(output, example.expected);
      if (wrong !== null) throw new Error(`${at}: ${wrong}\n${example.source}\n${output}`);
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** The folder of the project as a reader sees it, with everything in it; what is written there goes with the page. */
function projectIn(home: string): string {
  const folder = join(home, 'lacre');
  mkdirSync(folder);
  for (const name of readdirSync(ROOT)) symlinkSync(join(ROOT, name), join(folder, name));
  return folder;
}

/**
 * A folder with an `npx` that runs our command as the true one would find it, and leaves everything else to that: a page
 * requests it again and again, and to look for the command takes twice as long as most commands do.
 */
function quickNpx(home: string): string {
  const folder = join(home, 'bin');
  mkdirSync(folder);
  const lacre = join(ROOT, 'src/faces/cli/lacre.mjs');
  const script = `#!/bin/sh
if [ "$1" = lacre ]; then shift; exec "${lacre}" "$@"; fi
PATH="\${PATH#*:}" exec npx "$@"
`;
  writeFileSync(join(folder, 'npx'), script, { mode: 0o755 });
  return folder;
}

function disagreement(output: string, expected: Example['expected']): string | null {
  if (expected === null) return null;
  if (expected.language === 'text')
    return isText(output, expected.text) ? null : 'something else was printed';
  const shown = parsed(expected.text);
  const actual = parsed(output);
  if (shown === undefined) return `what is shown on line ${expected.line} is not JSON`;
  if (actual === undefined) return 'the answer is not JSON';
  const found = differences(actual, shown);
  return found.length === 0 ? null : found.join('\n');
}

// biome-ignore lint/suspicious/noExplicitAny: what a guide shows has any shape
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
