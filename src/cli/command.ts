import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import type { Actor } from '../db/audit-log.ts';
import type { Db } from '../db/client.ts';

/** One operator command. Returns what is printed, or a refusal; throws `UsageError` when it is not understood. */
export type Command = {
  /** Its arguments, as shown to the operator. */
  readonly usage: string;
  run(db: Db, args: string[], config: Config): Promise<unknown>;
};

/** The command line cannot be understood. */
export class UsageError extends Error {}

/** Whoever sits at the command line has no key of ours: the system's name for them is kept. */
export function actor(): Actor {
  return `cli:${userInfo().username}`;
}

/** The named options, all texts, and what stands beside them. Throws `UsageError` for an option that there is not. */
export function readOptions<Name extends string>(
  args: string[],
  names: readonly Name[],
): { options: Partial<Record<Name, string>>; rest: string[] } {
  const known = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    const { values, positionals } = parseArgs({ args, options: known, allowPositionals: true });
    return { options: values as Partial<Record<Name, string>>, rest: positionals };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** An option or argument that the command cannot do without. */
export function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new UsageError(`${name} is missing`);
  return value;
}

/** One of a few words. */
export function oneOf<Word extends string>(
  value: string | undefined,
  name: string,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === value);
  if (found === undefined) throw new UsageError(`${name} must be one of ${words.join(', ')}`);
  return found;
}
