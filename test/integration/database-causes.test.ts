import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Unavailable } from '../../src/faces/cli/exit-status.ts';
import { readConfig } from '../../src/ground/config/config.ts';
import { Closing } from '../../src/startup/closing.ts';
import { openSharedDatabase } from '../../src/startup/database.ts';
import { COMMAND_WAITS_MS } from '../../src/startup/wait-for-database.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { commandLineOn, SECRETS } from '../support/processes/command-line.ts';
import { testLog } from '../support/processes/run-log.ts';
import { runProgram } from '../support/processes/running-program.ts';

/** What would be printed if a URL were: another password than the role's. */
const WRONG = 's3cr3t-word';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await testDatabase();
  folder = mkdtempSync(join(tmpdir(), 'lacre-causes-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.close();
});

/** The database's URL with other parts. */
function urlWith(
  parts: Partial<Record<'username' | 'password' | 'hostname' | 'port' | 'pathname', string>>,
): string {
  return Object.assign(new URL(database.url), parts).href;
}

/** Opens the database as the program does. */
function run(DATABASE_URL: string, ...words: string[]) {
  const closing = new Closing();
  onTestFinished(() => closing.run(testLog()));
  const config = () => readConfig({ ...SECRETS, DATABASE_URL, DATA_DIR: folder, CHECKPOINT_DIR: folder });
  return commandLineOn({
    config,
    database: (read) =>
      openSharedDatabase(read, { log: testLog(), longestMs: COMMAND_WAITS_MS }, closing).catch((cause) => {
        throw new Unavailable(cause.message, { cause });
      }),
  })(words);
}

type Case = {
  readonly what: string;
  readonly url: () => string | Promise<string>;
  readonly exit: number;
  readonly reason: RegExp;
  readonly remedy: RegExp;
};

const CASES: readonly Case[] = [
  {
    what: 'a port at which nobody listens',
    url: () => urlWith({ port: '9', password: WRONG }),
    exit: 5,
    reason: /ECONNREFUSED/,
    remedy: /start Postgres, or correct the host and the port/,
  },
  {
    what: 'a host that does not exist',
    url: () => urlWith({ hostname: 'nowhere.invalid', password: WRONG }),
    exit: 2,
    reason: /ENOTFOUND|EAI_AGAIN/,
    remedy: /correct the host in DATABASE_URL|name service/,
  },
  {
    what: 'a database that does not exist',
    url: () => urlWith({ pathname: '/no_such_database' }),
    exit: 2,
    reason: /database "no_such_database" does not exist/,
    remedy: /correct the name of the database/,
  },
  {
    what: 'a role that does not exist',
    url: () => urlWith({ username: 'no_such_role', password: WRONG }),
    exit: 2,
    reason: /authentication failed for user "no_such_role"/,
    remedy: /correct the role or its password in DATABASE_URL/,
  },
  {
    what: 'a wrong password',
    url: () => urlWith({ password: WRONG }),
    exit: 2,
    reason: /password authentication failed for user/,
    remedy: /correct the role or its password in DATABASE_URL/,
  },
  {
    what: 'TLS that the server does not speak',
    url: () => `${urlWith({})}?sslmode=require`,
    exit: 2,
    reason: /does not support SSL/,
    remedy: /switch TLS on in Postgres, or take sslmode out/,
  },
  {
    what: 'a database without tables',
    url: () => urlWith({ pathname: '/template1' }),
    exit: 3,
    reason: /lacks migrations/,
    remedy: /run "lacre database migrate"/,
  },
  {
    what: 'connection slots that are all taken',
    async url() {
      const name = new URL(database.url).pathname.slice(1);
      const limit = (count: number) =>
        database.owner.query(`alter database "${name}" connection limit ${count}`);
      await limit(0);
      onTestFinished(async () => void (await limit(-1)));
      return urlWith({});
    },
    exit: 5,
    reason: /too many connections/,
    remedy: /connection slots are taken: close sessions/,
  },
];

describe.each(CASES)('$what', ({ url, exit, reason, remedy }) => {
  test.each([
    ['companies', 'list'],
    ['database', 'migrate'],
  ])(
    'is named by %s %s, with what to do about it and an exit code of its own, without a secret',
    async (...words) => {
      const found = await run(await url(), ...words, '--json');
      const { detail } = JSON.parse(found.stderr);
      expect(detail).toMatch(reason);
      expect(detail).toMatch(remedy);
      expect(found.exit).toBe(exit);
      const { password } = new URL(database.url);
      for (const secret of [WRONG, password]) expect(found.stderr + found.stdout).not.toContain(secret);
    },
  );
});

test('a history of migrations that is not this version’s is refused by every command, and not as unavailable', async () => {
  const { rows } = await database.owner.query(
    `update schema_migration set sha256 = 'x' || sha256 where name = '0005_lists.sql' returning name`,
  );
  expect(rows).toHaveLength(1);
  onTestFinished(async () => {
    await database.owner.query(
      `update schema_migration set sha256 = substr(sha256, 2) where name = '0005_lists.sql'`,
    );
  });
  const found = await run(database.url, 'companies', 'list');
  expect(found.exit).toBe(3);
  expect(found.stderr).toMatch(
    /0005_lists.sql was changed after it had been applied\nNothing was changed. Run the version/,
  );
});

test('a process that starts says the same in one line, and not where in the program it was found', async () => {
  const program = runProgram('src/main.ts', {
    ...{ ...SECRETS, DATABASE_URL: urlWith({ pathname: '/no_such_database' }) },
    ...{ PORT: '0', DATA_DIR: folder },
  });
  await once(program.process, 'close');
  expect(program.process.exitCode).toBe(1);
  expect(program.output()).toMatch(/"no_such_database" does not exist: correct the name of the database/);
  expect(program.output()).not.toMatch(/\n\s+at |s3cr3t-word/);
});

test('a URL that is none is named without being repeated', async () => {
  writeFileSync(join(folder, 'url'), `postgres://lacre:${WRONG}@[/lacre`);
  const program = runProgram(
    'src/faces/cli/main.ts',
    { ...SECRETS, DATABASE_URL_FILE: join(folder, 'url'), DATA_DIR: folder },
    ['companies', 'list'],
  );
  await once(program.process, 'close');
  expect(program.process.exitCode).toBe(2);
  expect(program.output()).toMatch(/DATABASE_URL/);
  expect(program.output()).not.toContain(WRONG);
});
