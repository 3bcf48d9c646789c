import { readFileSync } from 'node:fs';
import { Command, type Option } from 'commander';
import type { CliRuntime } from './command.ts';
import { EXIT_STATUSES, type ExitStatus, type Failure, failureOfError } from './exit-status.ts';
import { printFailure } from './output.ts';

/** A command line: all commands of a checkout, or those of the package that works over REST. */
export type CommandLine = {
  readonly about: string;
  /** What its help says of changes. */
  readonly rules: string;
  readonly groups: readonly ((program: Command, runtime: CliRuntime) => void)[];
  /** The failure for what its commands throw; null for what it does not know. */
  readonly ofPart: (error: unknown) => Failure | null;
};

const more = (rules: string): string => `
Every command takes --json (one JSON document on standard output, failures as JSON on standard error) and reports its
outcome by its exit code:
${Object.entries(EXIT_STATUSES)
  .map(([name, { code, meaning }]) => `  ${code}  ${name.padEnd(12)} ${meaning.replaceAll('`', '')}`)
  .join('\n')}

${rules}`;

/** Its commands, for a run in that runtime. */
export function build({ about, rules, groups }: CommandLine, runtime: CliRuntime, json: boolean): Command {
  const program = new Command('lacre').description(about).version(version());
  program.helpCommand(false).addHelpText('after', more(rules));
  program.configureOutput({
    writeOut: (text) => runtime.stdout.write(text),
    // With --json, standard error contains JSON as well.
    writeErr: (text) => json || runtime.stderr.write(text),
    // Written by us.
    outputError: () => {},
  });
  program.configureHelp({ optionDescription: describeOption });
  program.exitOverride();
  // Commands inherit the program's configuration when they are created.
  for (const add of groups) add(program, runtime);
  return program;
}

/** Its operands are part of its name. */
function describeOption({ description, mandatory, defaultValue }: Option): string {
  if (mandatory) return `${description} (required)`;
  return typeof defaultValue === 'number' ? `${description} (${defaultValue} without it)` : description;
}

function version(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Runs a command line and answers its exit code. Nothing is thrown. */
export async function run(
  commands: CommandLine,
  args: readonly string[],
  runtime: Omit<CliRuntime, 'onExit'>,
): Promise<number> {
  let exit: ExitStatus = 'done';
  const json = args.includes('--json');
  const onExit = (status: ExitStatus): void => {
    exit = status;
  };
  const program = build(commands, { ...runtime, onExit }, json);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    const failure = failureOfError(error, commands.ofPart);
    if (failure === null) return EXIT_STATUSES.done.code;
    exit = failure.exit;
    printFailure(runtime, failure, json);
    if (exit === 'usage' && !json) runtime.stderr.write('Add --help for the commands and options.\n');
  }
  return EXIT_STATUSES[exit].code;
}
