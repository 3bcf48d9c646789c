import type { Command, Option } from 'commander';
import type { Config } from '../../ground/config/config.ts';
import type { Db } from '../../ground/db/client.ts';
import type { Standby } from '../../ground/db/standby/standby.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { CheckResult, CommandFailure, type ExitStatus, failureOf, InvalidSettings } from './exit-status.ts';
import type { Operand, OptionDefinition, Values } from './options.ts';
import { printFailure, printResult, type Streams } from './output.ts';
import { type Progress, progress } from './progress.ts';

/** What one run of the command line is given by its process. */
export type CliRuntime = Streams & {
  /** Reads the settings; what is faulty in them is thrown. */
  readonly config: () => Config;
  /** Opens the database for the rest of the run, once. */
  readonly database: (config: Config) => Promise<Db>;
  /** Opens the standby that may answer large reads; null where none is configured. */
  readonly standby: (config: Config, db: Db) => Promise<Standby | null>;
  /** The file that "lacre login" keeps logins in. */
  readonly profiles: string;
  /** Called once, with the exit status of the command. */
  readonly onExit: (exit: ExitStatus) => void;
};

/** What a command is given to work with. */
export type CommandContext = Streams & {
  readonly config: Config;
  readonly db: Db;
  /** For large reads (`readFromStandby`). */
  standby(): Promise<Standby | null>;
  readonly json: boolean;
  progress(what: string): Progress;
};

/** What a command is given that needs no database: it is opened when the command requests it. */
export type Standalone = Streams & {
  readonly json: boolean;
  readonly profiles: string;
  local(): Promise<CommandContext>;
};

export type Parameters = Record<string, OptionDefinition<unknown> | Operand<unknown>>;

/** An example of the help: what it does, and the words after `lacre`. A test runs each of them. */
export type Example = readonly [description: string, line: string];

export type CommandDefinition<P extends Parameters> = {
  readonly name: string;
  readonly description: string;
  /** The long description, where one line is not enough. */
  readonly details?: string;
  /** Operands in their order, and options, by name. */
  readonly parameters: P;
  readonly examples: readonly Example[];
  readonly alias?: string;
  /** A former name, still accepted but listed nowhere. */
  readonly hidden?: boolean;
};

export type Result = Promise<unknown>;

/** The groups and commands, each with the examples that its help shows; completion and the guide are made from it too. */
const examplesOf = new WeakMap<Command, readonly Example[]>();

export function examples(command: Command): readonly Example[] {
  return examplesOf.get(command) ?? [];
}

/** A group of commands; its help shows an example of each. */
export function commandGroup(program: Command, name: string, description: string): Command {
  const group = program.command(name).description(description).helpCommand(false);
  const firsts = () => group.commands.flatMap((command) => examples(command).slice(0, 1));
  return group.addHelpText('after', () => examplesHelp(firsts()));
}

/** A command that needs neither settings nor a database to be there, unless it requests them. */
export function standaloneCommand<const P extends Parameters>(
  parent: Command,
  runtime: CliRuntime,
  definition: CommandDefinition<P> & {
    readonly run: (context: Standalone, values: Values<P>) => Result;
  },
): Command {
  const { profiles } = runtime;
  return addCommand(parent, definition, runtime, (values, json) => {
    const local = () => commandContext(runtime, json);
    return definition.run({ ...streamsOf(runtime), json, profiles, local }, values as Values<P>);
  });
}

/** Adds a command, whose outcome is printed as `--json` says. */
export function addCommand<P extends Parameters>(
  parent: Command,
  { name, description, details, parameters, examples: shown, alias, hidden = false }: CommandDefinition<P>,
  runtime: CliRuntime,
  run: (values: object, json: boolean) => Result,
  more: readonly Option[] = [],
): Command {
  const command = parent
    .command(name, { hidden })
    .summary(description)
    .description(details ?? description);
  if (alias !== undefined) command.alias(alias);
  const operandNames: string[] = [];
  for (const [part, parameter] of Object.entries(parameters)) {
    if ('option' in parameter) command.addOption(parameter.option(part));
    else {
      command.addArgument(parameter.argument(part));
      operandNames.push(part);
    }
  }
  for (const option of more) command.addOption(option);
  command.option('--json', 'print one JSON document').addHelpText('after', examplesHelp(shown));
  examplesOf.set(command, shown);
  return command.action(async (...sent: unknown[]) => {
    const operands = operandNames.map((operand, index) => [operand, sent[index]]);
    const options = command.opts<{ json?: boolean }>();
    const json = options.json === true;
    const outcome = await run({ ...options, ...Object.fromEntries(operands) }, json);
    runtime.onExit(printOutcome(runtime, outcome, json));
  });
}

function examplesHelp(shown: readonly Example[]): string {
  if (shown.length === 0) return '';
  const lines = shown.map(([description, line]) => `  # ${description}\n  lacre ${line}`);
  return `\nExamples:\n${lines.join('\n')}`;
}

function printOutcome(streams: Streams, outcome: unknown, json: boolean): ExitStatus {
  if (isRefusal(outcome) || outcome instanceof CommandFailure) {
    const failure = isRefusal(outcome) ? failureOf(outcome) : outcome.failure;
    printFailure(streams, failure, json);
    return failure.exit;
  }
  if (outcome instanceof CheckResult) {
    printResult(streams, outcome.result, json);
    return outcome.exit;
  }
  printResult(streams, outcome, json);
  return 'done';
}

/** Reads the settings and opens the database. */
export async function commandContext(runtime: CliRuntime, json: boolean): Promise<CommandContext> {
  const config = settings(runtime);
  const streams = streamsOf(runtime);
  const db = await runtime.database(config);
  return {
    ...{ ...streams, config, json, db },
    standby: () => runtime.standby(config, db),
    progress: (what) => (json ? { show: () => {}, end: () => {} } : progress(streams, what)),
  };
}

function settings(runtime: CliRuntime): Config {
  try {
    return runtime.config();
  } catch (error) {
    throw new InvalidSettings((error as Error).message, { cause: error });
  }
}

function streamsOf({ stdin, stdout, stderr }: CliRuntime): Streams {
  return { stdin, stdout, stderr };
}
