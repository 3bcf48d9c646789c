import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf, textOfGuide } from '../support/guides/blocks.ts';
import { unusedPort } from '../support/processes/ports.ts';
import { eventually } from '../support/processes/running-program.ts';

/** The receivers of the guide of webhooks, each run as its reader would, with the library that it names. */

type Command = readonly [program: string, ...args: string[]];

type Language = {
  readonly name: string;
  readonly file: string;
  /** How the library gets here, for the message that it has not. */
  readonly install: string;
  /** Commands that succeed, in the folder of the receiver, only with the runtime and the library. */
  readonly prepare: readonly Command[];
  readonly serve: (port: number) => Command;
};

const ROOT = join(import.meta.dirname, '../..');
const MODULE = 'github.com/standard-webhooks/standard-webhooks/libraries';
const CLASSPATH = `.:${process.env['CLASSPATH'] ?? ''}`;

/** By the language of the guide’s blocks. */
const LANGUAGES: Readonly<Record<string, Language>> = {
  // It listens where the system says, and is told its secret afterwards.
  bash: {
    ...{ name: 'JavaScript', file: 'receiver.sh', install: 'npm install' },
    prepare: [['node', '--input-type=module', '-e', 'import "standardwebhooks"']],
    serve: () => [
      'bash',
      '-c',
      'source ./receiver.sh; printf %s "$WEBHOOK_SECRET" > "$HOOK/secret"; tail -n +1 -f "$HOOK/received" & wait $RECEIVER',
    ],
  },
  python: {
    ...{ name: 'Python', file: 'receiver.py', install: 'pip install standardwebhooks' },
    prepare: [['python3', '-c', 'import standardwebhooks']],
    serve: () => ['python3', 'receiver.py'],
  },
  php: {
    ...{
      name: 'PHP',
      file: 'receiver.php',
      install: 'composer global require standard-webhooks/standard-webhooks',
    },
    prepare: [
      [
        'php',
        '-r',
        'require "vendor/autoload.php"; exit(class_exists("StandardWebhooks\\Webhook") ? 0 : 1);',
      ],
    ],
    serve: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
  },
  go: {
    ...{ name: 'Go', file: 'receiver.go', install: `a proxy of modules that has ${MODULE}` },
    prepare: [
      ['go', 'mod', 'init', 'receiver'],
      ['go', 'get', `${MODULE}/go`],
      ['go', 'build', '-o', 'receiver', 'receiver.go'],
    ],
    serve: () => ['./receiver'],
  },
  java: {
    ...{ name: 'Java', file: 'Receiver.java', install: 'com.standardwebhooks:standardwebhooks in CLASSPATH' },
    prepare: [['javac', '-cp', CLASSPATH, 'Receiver.java']],
    serve: () => ['java', '-cp', CLASSPATH, 'Receiver'],
  },
};

/** Where Composer installs what is required globally, unless it is told another place. */
const VENDOR = process.env['COMPOSER_VENDOR_DIR'] ?? join(homedir(), '.config/composer/vendor');

/** A receiver that listens, and what it has printed. */
export type Listening = { readonly url: string; output(): string; stop(): Promise<void> };

/** A receiver of the guide. */
export type GuideReceiver = {
  readonly language: string;
  /** Null when the runtime or the library is not installed here. */
  readonly listen: ((secret: string) => Promise<Listening>) | null;
  /** Removes what was made to run it. */
  remove(): void;
};

/** The receiver of each language that the guide shows. Says loudly which of them cannot be run here. */
export function guideReceivers(): GuideReceiver[] {
  const { examples, shown } = blocksOf(textOfGuide('webhooks'));
  const first = examples.find(({ source }) => source.includes('from "standardwebhooks"'))!;
  return [first, ...shown].map(({ language, source }) => {
    const known = LANGUAGES[language];
    if (known === undefined) throw new Error(`nobody knows how to run a receiver in ${language}`);
    const folder = mkdtempSync(join(tmpdir(), `lacre-receiver-${language}-`));
    writeFileSync(join(folder, known.file), source);
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    if (existsSync(VENDOR)) symlinkSync(VENDOR, join(folder, 'vendor'));
    const complaint = firstComplaint(known.prepare, folder);
    if (complaint !== null) {
      console.warn(
        `\n!!! THE GUIDE’S RECEIVER IN ${known.name} IS NOT RUN HERE: it needs ${known.name}, and ${known.install}.\n${complaint}\n`,
      );
    }
    return {
      language: known.name,
      listen: complaint === null ? (secret) => listen(known, folder, secret) : null,
      remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }),
    };
  });
}

function firstComplaint(commands: readonly Command[], cwd: string): string | null {
  for (const [program, ...args] of commands) {
    const { error, status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
    if (error !== undefined || status !== 0) return error?.message ?? stderr.trim();
  }
  return null;
}

async function listen({ serve }: Language, folder: string, secret: string): Promise<Listening> {
  const port = await unusedPort();
  const [program, ...args] = serve(port);
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, TMPDIR: folder, WEBHOOK_SECRET: secret, PORT: String(port) },
    // With all that it starts it is ended as one group.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'exit');
  const stop = async () => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
    await ended;
  };
  const place = () => /http:\S+\/hook/.exec(output)?.[0] ?? `http://127.0.0.1:${port}/hook`;
  try {
    await eventually(() => isListening(child, place()), Boolean);
  } catch (error) {
    await stop();
    throw new Error(`${program} does not listen: ${output}`, { cause: error });
  }
  return { url: place(), output: () => output, stop };
}

async function isListening({ exitCode }: ChildProcess, url: string): Promise<boolean> {
  if (exitCode !== null) throw new Error(`it ended with ${exitCode}`);
  // An unsigned request, which each of them answers with 400.
  return fetch(url, { method: 'POST', body: '{}' }).then(
    () => true,
    () => false,
  );
}
