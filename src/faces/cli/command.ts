import { userInfo } from 'node:os';
import { type Command, Option } from 'commander';
import type { Config } from '../../ground/config/config.ts';
import type { WhoAndWhy } from '../../ground/db/audit-log.ts';
import type { Db } from '../../ground/db/client.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { Ending, type Exit, FaultySettings, Found, failureOf } from './exits.ts';
import type { Given, Operand, Values } from './options.ts';
import { printFailure, printResult, type Streams } from './output.ts';
import { type Progress, progress } from './progress.ts';

/** What a run of the command line stands in. */
export type World = Streams & {
  /** Reads the settings; what is faulty in them is thrown. */
  readonly config: () => Config;
  /** Opens the database for the rest of the run, once. */
  readonly database: (config: Config) => Promise<Db>;
  /** Told how the command ended. */
  readonly ended: (exit: Exit) => void;
};

/** What a command works with. */
export type Desk = Streams & {
  readonly config: Config;
  readonly db: Db;
  readonly json: boolean;
  progress(what: string): Progress;
};

/** What a command that changes something would change: said when it is live and `--live` was not. */
export type Change = {
  readonly live: boolean;
  /** After "This would": `void invoice F-2026-1 of …`. */
  readonly would: string;
};

type Parts = Record<string, Given<unknown> | Operand<unknown>>;

/** One that is shown with the help: what it does, and the words after `lacre`. A test runs every one. */
export type Example = readonly [says: string, line: string];

type About<P extends Parts> = {
  readonly name: string;
  readonly says: string;
  /** More than a line can say. */
  readonly details?: string;
  /** Operands in their order, and options. */
  readonly takes: P;
  readonly examples: readonly Example[];
  readonly alias?: string;
  /** Known by its former name, and shown nowhere. */
  readonly hidden?: boolean;
};

type Result = Promise<unknown>;

/** The subjects and commands, and beside each what its help shows; completion and the guide are made from it too. */
const examplesOf = new WeakMap<Command, readonly Example[]>();

export function examples(command: Command): readonly Example[] {
  return examplesOf.get(command) ?? [];
}

/** A subject of commands; its help shows an example of each. */
export function subject(program: Command, name: string, says: string): Command {
  const group = program.command(name).description(says).helpCommand(false);
  const firsts = () => group.commands.flatMap((command) => examples(command).slice(0, 1));
  return group.addHelpText('after', () => helpOf(firsts()));
}

/** A command that changes nothing. */
export function reads<const P extends Parts>(
  parent: Command,
  world: World,
  about: About<P> & { readonly run: (desk: Desk, given: Values<P>) => Result },
): Command {
  return build(parent, about, world, async (given, json) => {
    return about.run(await deskOf(world, json), given as Values<P>);
  });
}

/** A command that needs neither settings nor a database to be there. */
export function alone<const P extends Parts>(
  parent: Command,
  world: World,
  about: About<P> & { readonly run: (streams: Streams & { json: boolean }, given: Values<P>) => Result },
): Command {
  return build(parent, about, world, (given, json) =>
    about.run({ ...streamsOf(world), json }, given as Values<P>),
  );
}

/**
 * A command that changes something: it needs a reason, which goes into the audit log with who gave it, and for live
 * data `--live`. `would` looks first at what the change meets, and may refuse what is not there.
 */
export function changes<const P extends Parts>(
  parent: Command,
  world: World,
  about: About<P> & {
    readonly would: (desk: Desk, given: Values<P>) => Promise<Outcome<Change>>;
    readonly run: (desk: Desk, given: Values<P>, by: WhoAndWhy) => Result;
  },
): Command {
  return build(
    parent,
    about,
    world,
    async (values, json) => {
      const given = values as Values<P> & { reason: string; live: boolean };
      const desk = await deskOf(world, json);
      const change = await about.would(desk, given);
      if (isRefusal(change)) return change;
      if (change.live && !given.live) {
        return new Ending('live', `This would ${change.would}. Nothing was done: say --live to do it.`);
      }
      return about.run(desk, given, { actor: actor(), reason: given.reason });
    },
    [REASON(), LIVE()],
  );
}

const REASON = () => new Option('--reason <text>', 'why; kept in the audit log').makeOptionMandatory();
const LIVE = () => new Option('--live', 'do it although it changes live data').default(false, 'no');

/** Whoever sits at the command line has no key of ours: the system's name for them is kept. */
function actor(): string {
  return `cli:${userInfo().username}`;
}

function build<P extends Parts>(
  parent: Command,
  { name, says, details, takes, examples: shown, alias, hidden = false }: About<P>,
  world: World,
  run: (given: object, json: boolean) => Result,
  more: readonly Option[] = [],
): Command {
  const command = parent
    .command(name, { hidden })
    .summary(says)
    .description(details ?? says);
  if (alias !== undefined) command.alias(alias);
  const operandNames: string[] = [];
  for (const [part, taken] of Object.entries(takes)) {
    if ('option' in taken) command.addOption(taken.option(part));
    else {
      command.addArgument(taken.argument(part));
      operandNames.push(part);
    }
  }
  for (const option of more) command.addOption(option);
  command.option('--json', 'print one JSON document').addHelpText('after', helpOf(shown));
  examplesOf.set(command, shown);
  return command.action(async (...sent: unknown[]) => {
    const operandsGiven = operandNames.map((operand, index) => [operand, sent[index]]);
    const options = command.opts<{ json?: boolean }>();
    const json = options.json === true;
    const outcome = await run({ ...options, ...Object.fromEntries(operandsGiven) }, json);
    world.ended(conclude(world, outcome, json));
  });
}

function helpOf(shown: readonly Example[]): string {
  if (shown.length === 0) return '';
  const lines = shown.map(([says, line]) => `  # ${says}\n  lacre ${line}`);
  return `\nExamples:\n${lines.join('\n')}`;
}

function conclude(streams: Streams, outcome: unknown, json: boolean): Exit {
  if (isRefusal(outcome) || outcome instanceof Ending) {
    const failure = isRefusal(outcome) ? failureOf(outcome) : outcome.failure;
    printFailure(streams, failure, json);
    return failure.exit;
  }
  if (outcome instanceof Found) {
    printResult(streams, outcome.result, json);
    return outcome.exit;
  }
  printResult(streams, outcome, json);
  return 'done';
}

async function deskOf(world: World, json: boolean): Promise<Desk> {
  const config = settings(world);
  const streams = streamsOf(world);
  return {
    ...{ ...streams, config, json, db: await world.database(config) },
    progress: (what) => (json ? { show: () => {}, end: () => {} } : progress(streams, what)),
  };
}

function settings(world: World): Config {
  try {
    return world.config();
  } catch (error) {
    throw new FaultySettings((error as Error).message, { cause: error });
  }
}

function streamsOf({ stdin, stdout, stderr }: World): Streams {
  return { stdin, stdout, stderr };
}
