import { Argument, InvalidArgumentError, Option } from 'commander';
import { isExistingDay } from '../../ground/lib/calendar.ts';

/** An option of a command, with the type of what it gives. */
export type Given<T> = {
  readonly option: (name: string) => Option;
  /** For the types alone. */
  readonly gives?: T;
};

/** What a command is given: its operands and options, by their names. */
export type Values<Parts extends Record<string, Given<unknown> | Operand<unknown>>> = {
  readonly [Name in keyof Parts]: Parts[Name] extends Given<infer T>
    ? T
    : Parts[Name] extends Operand<infer T>
      ? T
      : never;
};

/** Something that a command is told without an option's name. */
export type Operand<T> = { readonly argument: (name: string) => Argument; readonly gives?: T };

const flagsOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** An option that the command cannot do without. */
export function need(value: string, says: string): Given<string> {
  return { option: (name) => new Option(`${flagsOf(name)} <${value}>`, says).makeOptionMandatory() };
}

export function may(value: string, says: string): Given<string | undefined> {
  return { option: (name) => new Option(`${flagsOf(name)} <${value}>`, says) };
}

/** One of a few words. */
export function word<const Words extends readonly string[]>(
  words: Words,
  says: string,
): Given<Words[number] | undefined> {
  return { option: (name) => new Option(`${flagsOf(name)} <${words.join('|')}>`, says).choices(words) };
}

export function needWord<const Words extends readonly string[]>(
  words: Words,
  says: string,
): Given<Words[number]> {
  return { option: (name) => word(words, says).option(name).makeOptionMandatory() };
}

/** A whole number from 1 to `most`. */
export function count(says: string, { most, standard }: { most: number; standard: number }): Given<number> {
  return {
    option: (name) =>
      new Option(`${flagsOf(name)} <number>`, says).default(standard).argParser((text) => {
        const number = Number(text);
        if (Number.isSafeInteger(number) && number >= 1 && number <= most) return number;
        throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
      }),
  };
}

export function flag(says: string): Given<boolean> {
  return { option: (name) => new Option(flagsOf(name), says).default(false, 'no') };
}

/** A day of Madrid's calendar. */
export function day(says: string): Given<string | undefined> {
  return {
    option: (name) =>
      new Option(`${flagsOf(name)} <YYYY-MM-DD>`, says).argParser((text) => {
        if (isExistingDay(text)) return text;
        throw new InvalidArgumentError('It must be a day, such as 2026-01-31.');
      }),
  };
}

export function needDay(says: string): Given<string> {
  return { option: (name) => day(says).option(name).makeOptionMandatory() };
}

export function operand(says: string): Operand<string> {
  return { argument: (name) => new Argument(`<${name}>`, says) };
}

/** A whole number that names something. */
export function numberOperand(says: string): Operand<number> {
  return {
    argument: (name) =>
      new Argument(`<${name}>`, says).argParser((text) => {
        const number = Number(text);
        if (Number.isSafeInteger(number) && number >= 1) return number;
        throw new InvalidArgumentError('It must be a whole number.');
      }),
  };
}

export function wordOperand<const Words extends readonly string[]>(
  words: Words,
  says: string,
): Operand<Words[number]> {
  return { argument: (name) => new Argument(`<${name}>`, says).choices(words) };
}

/** One or more of a kind; the last operand of a command. */
export function operands(says: string): Operand<string[]> {
  return { argument: (name) => new Argument(`<${name}...>`, says) };
}
