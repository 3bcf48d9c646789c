import { userInfo } from 'node:os';
import { type Command, Option } from 'commander';
import { personBehindSudo } from '../../ground/config/config.ts';
import { EVERYWHERE, ReadPositions } from '../../ground/db/standby/positions.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import type { ActorAndReason } from '../../ground/journal/audit-log.ts';
import { createLogger } from '../../ground/lib/logger.ts';
import { hasCompany } from '../../subjects/operations/store/read-location.ts';
import {
  addCommand,
  type CliRuntime,
  type CommandContext,
  type CommandDefinition,
  commandContext,
  type Parameters,
  type Result,
} from './command.ts';
import { CommandFailure } from './exit-status.ts';
import type { Values } from './options.ts';

/** Commands that work on the database. */

/** What a command that changes something would change: shown when it is live and `--live` was not given. */
export type Change = {
  readonly live: boolean;
  /** The text after "This would": `void invoice F-2026-1 of …`. */
  readonly effect: string;
};

/** A command that changes nothing. */
export function queryCommand<const P extends Parameters>(
  parent: Command,
  runtime: CliRuntime,
  definition: CommandDefinition<P> & { readonly run: (context: CommandContext, values: Values<P>) => Result },
): Command {
  return addCommand(parent, definition, runtime, async (values, json) => {
    const context = await commandContext(runtime, json);
    return (await unknownCompany(context, values)) ?? definition.run(context, values as Values<P>);
  });
}

/**
 * A command that changes something: it needs a reason, which goes into the audit log with who gave it, and for live
 * data `--live`. `preview` runs first: it states what would be changed, and may refuse what does not exist.
 */
export function changeCommand<const P extends Parameters>(
  parent: Command,
  runtime: CliRuntime,
  definition: CommandDefinition<P> & {
    readonly preview: (context: CommandContext, values: Values<P>) => Promise<Outcome<Change>>;
    readonly run: (context: CommandContext, values: Values<P>, by: ActorAndReason) => Result;
  },
): Command {
  return addCommand(
    parent,
    definition,
    runtime,
    async (values, json) => {
      const checked = values as Values<P> & { reason: string; live: boolean };
      const context = await commandContext(runtime, json);
      const unknown = await unknownCompany(context, values);
      if (unknown !== null) return unknown;
      const change = await definition.preview(context, checked);
      if (isRefusal(change)) return change;
      if (change.live && !checked.live) {
        return new CommandFailure(
          'live',
          `This would ${change.effect}. Nothing was done: add --live to do it.`,
        );
      }
      return recordingPosition(context, () =>
        definition.run(context, checked, { actor: actor(), reason: checked.reason }),
      );
    },
    [REASON(), LIVE()],
  );
}

/** Why a command that names a company does nothing: without it, a mistyped id would look like a company that has nothing. */
async function unknownCompany({ db }: CommandContext, values: { readonly company?: string }) {
  const { company } = values;
  if (company === undefined || (await hasCompany(db.pool, company))) return null;
  return invalidField('company', 'not_found', 'there is no such company');
}

/** Makes a change in the database; later reads are not answered from a standby without it. */
export async function recordingPosition<T>(
  { config, db }: Pick<CommandContext, 'config' | 'db'>,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change();
  } finally {
    if (config.databaseReadUrl !== null) await new ReadPositions(db, createLogger('silent')).note(EVERYWHERE);
  }
}

const REASON = () =>
  new Option('--reason <text>', 'the reason; stored in the audit log').makeOptionMandatory();
const LIVE = () => new Option('--live', 'confirms a change of live data').default(false, 'no');

/** The user of the command line has no key: the name of the operating system's user is kept, of whoever is behind sudo. */
export function actor(): string {
  return `cli:${personBehindSudo() ?? userInfo().username}`;
}
