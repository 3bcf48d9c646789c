import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { COMMANDS_FILE, printedCommands } from '../../rest/commands.ts';
import { buildProgram } from '../../src/faces/cli/program.ts';
import { OPERATIONS } from '../../src/faces/cli/remote/operation.ts';

const runtime = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr } as const;
const program = buildProgram({ ...runtime, ended() {} } as never);

const find = (parent: Command, [name, ...rest]: readonly string[]): Command | undefined => {
  const child = parent.commands.find((command) => command.name() === name);
  return child === undefined || rest.length === 0 ? child : find(child, rest);
};

test('commands and tools of agents are made from what the contract says', () => {
  const isCurrent = readFileSync(COMMANDS_FILE, 'utf8') === printedCommands();
  expect(isCurrent, 'run `npm run openapi` and look at what it changes').toBe(true);
});

describe.each(OPERATIONS.filter(({ command }) => command !== undefined))('$id', (operation) => {
  const { command: known, operands, options, hasFile, isKeyed, method } = operation;
  const command = find(program, known!.name.split(' '));
  const taken = command?.options.map(({ long }) => long) ?? [];

  test('has a command with an operand for each part of its path', () => {
    expect(command?.registeredArguments.map((argument) => argument.name())).toEqual(
      operands.map(({ of }) => of),
    );
  });

  test('takes every simple parameter, and a body as options or as a file', () => {
    const [fileOption, keyOption] = [taken.includes('--file'), taken.includes('--idempotency-key')];
    expect({ fileOption, keyOption }).toEqual({ fileOption: hasFile, keyOption: isKeyed });
    for (const { name } of options) {
      const [own] = (known!.options?.[name] ?? name).split(' ');
      expect(taken).toContain(`--${own!.replaceAll('_', '-').replace('[]', '')}`);
    }
  });

  test('needs --live for live data if it changes something', () => {
    expect(taken.includes('--live')).toBe(method !== 'GET');
  });
});
