import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT_STATUSES } from '../../src/faces/cli/exit-status.ts';
import { printResult } from '../../src/faces/cli/output.ts';
import { buildProgram } from '../../src/faces/cli/program.ts';
import { COMMAND_GUIDE, withCommands } from '../../src/faces/cli/reference.ts';
import { password } from '../../src/faces/cli/secrets.ts';
import type { Db } from '../../src/ground/db/client.ts';
import { type CommandLine, commandLine } from '../support/processes/command-line.ts';

/** None of this asks the database. */
const lacre: CommandLine = commandLine({} as Db);
const program = buildProgram({ ...process, ended() {} } as never);

function leaves(command: Command, path: readonly string[] = []): { path: string[]; command: Command }[] {
  const children = command.createHelp().visibleCommands(command);
  if (children.length === 0) return [{ path: [...path], command }];
  return children.flatMap((child) => leaves(child, [...path, child.name()]));
}

describe('the guide', () => {
  test('is current: npm run commands would change nothing', () => {
    const guide = readFileSync(COMMAND_GUIDE, 'utf8');
    expect(withCommands(guide, program), 'run npm run commands').toBe(guide);
  });

  test('describes every command, with all of its own options', () => {
    const guide = readFileSync(COMMAND_GUIDE, 'utf8');
    const all = leaves(program);
    expect(all.length).toBeGreaterThan(45);
    for (const { path, command } of all) {
      const [, section = ''] = guide.split(new RegExp(`\`lacre ${path.join(' ')}[\` ]`));
      for (const { long } of command.options) {
        if (!['--json', '--reason', '--live'].includes(long ?? '')) expect(section).toContain(long);
      }
    }
  });

  test('and the exit codes are all different', () => {
    const codes = Object.values(EXIT_STATUSES).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });
});

describe('the options of every command', () => {
  test.each(leaves(program).map(({ path, command }) => [path.join(' '), command] as const))(
    '%s takes --json, and what changes something a reason',
    (_, command) => {
      const options = command.options.map(({ long }) => long);
      expect(options).toContain('--json');
      // What works over REST has no reason to keep: a merchant's key is no operator's.
      if (options.includes('--reason')) expect(options).toContain('--live');
      // Where `--environment` chooses the database, a run without a reason is refused (test/integration/cli-drafts.test.ts).
      const environment = command.options.find(({ long }) => long === '--environment');
      if (environment === undefined || environment.mandatory) {
        expect(command.options.find(({ long }) => long === '--reason')?.mandatory ?? true).toBe(true);
      }
      // No secret has an option to be given by.
      expect(options.filter((name) => /password$|secret|token|passphrase/.test(name ?? ''))).toEqual([]);
    },
  );
});

describe('completion', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lacre-completion-'));
  const script = join(folder, 'lacre.bash');
  beforeAll(async () => writeFileSync(script, (await lacre(['completion', 'bash'])).stdout));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What bash would offer for the last word of a line. */
  function offered(...lines: string[]): string[] {
    const commands = lines.map((line) => {
      const words = line.split(' ').map((word) => `'${word}'`);
      return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; COMPREPLY=(); _lacre; echo "\${COMPREPLY[*]}"`;
    });
    const source = [`source ${script}`, ...commands].join('\n');
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', source], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trimEnd().split('\n');
  }

  test('bash offers subjects, commands, options and their words', () => {
    const [subjects, commands, begun, options, words, first, top] = offered(
      'lacre c',
      'lacre keys ',
      'lacre keys cr',
      'lacre keys create --company co_1 --',
      'lacre keys create --environment ',
      'lacre catalog set co_1 v',
      'lacre import --env',
    );
    expect(subjects).toBe('companies certificates catalog customers chains checkpoint completion');
    expect([commands, begun]).toEqual(['list create revoke --help', 'create']);
    expect(options).toBe(
      '--name --company --environment --kind --scopes --role --expires --reason --live --json --help',
    );
    expect([words, first, top]).toEqual(['test live', 'vat', '--environment']);
  });

  test.each(['zsh', 'fish'])('%s completes every command and option', async (shell) => {
    const { exit, stdout } = await lacre(['completion', shell]);
    expect(exit).toBe(0);
    for (const { path, command } of leaves(program)) {
      const place = shell === 'zsh' ? `'${path.join(' ')}')` : `'__lacre_at ${path.join(' ')}'`;
      const lines = stdout.split('\n').filter((line) => line.includes(place));
      for (const { long } of command.options) {
        const written = shell === 'zsh' ? `'${long}[` : ` -l ${long!.slice(2)} `;
        expect(
          lines.some((line) => line.includes(written)),
          `${place} ${long}`,
        ).toBe(true);
      }
    }
  });

  test('supports three shells', async () => {
    expect(await lacre(['completion', 'tcsh'])).toMatchObject({ exit: EXIT_STATUSES.usage.code });
    expect((await lacre(['completion', 'bash', '--json'])).json()).toMatchObject({ shell: 'bash' });
  });
});

describe('for people', () => {
  const rows = [
    { id: 'a', at: new Date(0), note: null, more: { x: 1 } },
    { id: 'longer', at: new Date(0), note: 'y', more: { x: 2 } },
  ];
  const printed = (result: unknown, columns?: number): string => {
    const parts: string[] = [];
    const stdout = { ...(columns && { columns }), write: (part: string) => parts.push(part) };
    printResult({ stdout } as never, result, false);
    return parts.join('');
  };

  test('rows stand under the names of their columns', () => {
    expect(printed(rows)).toBe(
      [
        'id      at                        note  more',
        'a       1970-01-01T00:00:00.000Z  –     {"x":1}',
        'longer  1970-01-01T00:00:00.000Z  y     {"x":2}',
        '',
      ].join('\n'),
    );
    expect(printed({ entries: rows.slice(0, 1), hasMore: true })).toMatch(/^id .*\na .*\nhasMore: true\n$/);
    expect(printed([])).toBe('(none)\n');
    expect(printed({ id: 'a', tags: ['x'], lines: [{ no: 1 }], records: [] })).toBe(
      'id: a\ntags: ["x"]\n\nlines:\nno\n1\n\nrecords:\n(none)\n',
    );
  });

  test('and one after the other where the terminal is too narrow', () => {
    expect(printed(rows, 40)).toBe(
      'id: a\nat: 1970-01-01T00:00:00.000Z\nnote: –\nmore.x: 1\n\n' +
        'id: longer\nat: 1970-01-01T00:00:00.000Z\nnote: y\nmore.x: 2\n',
    );
  });
});

describe('a password', () => {
  const FILE = { path: undefined, field: 'passwordFile', question: 'Password of own.p12: ' };

  test('is prompted for at a terminal without echo', async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = Object.assign(new PassThrough(), { isTTY: true });
    const entered = password({ stdin, stderr, stdout: new PassThrough() }, FILE);
    stdin.write('se cret ñ\r');
    expect(await entered).toBe('se cret ñ');
    expect(String(stderr.read())).toBe('Password of own.p12: \n');
  });

  test('is empty where there is no place', async () => {
    const streams = { stdin: new PassThrough(), stderr: new PassThrough(), stdout: new PassThrough() };
    expect(await password(streams, FILE)).toBe('');
  });
});

test('the program that npm links runs by itself, from anywhere', () => {
  const file = join(import.meta.dirname, '../../src/faces/cli/lacre.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, 'keys', 'create', '--json'], {
    ...{ cwd: tmpdir(), encoding: 'utf8' },
  });
  expect([status, stdout]).toEqual([2, '']);
  expect(JSON.parse(stderr)).toMatchObject({ error: 'usage', detail: expect.stringContaining('--name') });
});
