import { Argument, InvalidArgumentError, Option } from 'commander';
import { isExistingDay, isStorableInstant, startOfMadridDay } from '../../ground/lib/calendar.ts';

/** An option of a command, with the type of its value. */
export type OptionDefinition<T> = {
  readonly option: (name: string) => Option;
  /** Only for type inference. */
  readonly type?: T;
};

/** The values that a command is given: its operands and options, by their names. */
export type Values<Parts extends Record<string, OptionDefinition<unknown> | Operand<unknown>>> = {
  readonly [Name in keyof Parts]: Parts[Name] extends OptionDefinition<infer T>
    ? T
    : Parts[Name] extends Operand<infer T>
      ? T
      : never;
};

/** A positional argument of a command. */
export type Operand<T> = { readonly argument: (name: string) => Argument; readonly type?: T };

const optionFlags = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** An option that must be given. */
export function requiredOption(value: string, description: string): OptionDefinition<string> {
  return {
    option: (name) => new Option(`${optionFlags(name)} <${value}>`, description).makeOptionMandatory(),
  };
}

export function optionalOption(value: string, description: string): OptionDefinition<string | undefined> {
  return { option: (name) => new Option(`${optionFlags(name)} <${value}>`, description) };
}

/** An option whose value is one of a few choices. */
export function choiceOption<const Choices extends readonly string[]>(
  choices: Choices,
  description: string,
): OptionDefinition<Choices[number] | undefined> {
  return {
    option: (name) => new Option(`${optionFlags(name)} <${choices.join('|')}>`, description).choices(choices),
  };
}

export function requiredChoice<const Choices extends readonly string[]>(
  choices: Choices,
  description: string,
): OptionDefinition<Choices[number]> {
  return { option: (name) => choiceOption(choices, description).option(name).makeOptionMandatory() };
}

/** A whole number from 1 to `max`. */
export function integerOption(
  description: string,
  { max, standard }: { max: number; standard: number },
): OptionDefinition<number> {
  return {
    option: (name) =>
      new Option(`${optionFlags(name)} <number>`, description).default(standard).argParser((text) => {
        const number = Number(text);
        if (Number.isSafeInteger(number) && number >= 1 && number <= max) return number;
        throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`);
      }),
  };
}

export function flagOption(description: string): OptionDefinition<boolean> {
  return { option: (name) => new Option(optionFlags(name), description).default(false, 'no') };
}

/** A day of Madrid's calendar. */
export function dayOption(description: string): OptionDefinition<string | undefined> {
  return {
    option: (name) =>
      new Option(`${optionFlags(name)} <YYYY-MM-DD>`, description).argParser((text) => {
        if (isExistingDay(text)) return text;
        throw new InvalidArgumentError('It must be a day, such as 2026-01-31.');
      }),
  };
}

/** Several of a few choices, separated by commas. */
export function choicesOption<const Choices extends readonly string[]>(
  choices: Choices,
  description: string,
): OptionDefinition<Choices[number][] | undefined> {
  return {
    option: (name) =>
      new Option(`${optionFlags(name)} <${choices.join(',')}>`, description).argParser((text) => {
        const chosen = text.split(',');
        if (chosen.every((one) => choices.includes(one))) return chosen;
        throw new InvalidArgumentError(
          `It must be one or more of ${choices.join(', ')}, separated by commas.`,
        );
      }),
  };
}

/** An instant, or the first one of a day of Madrid's calendar. */
export function instantOption(description: string): OptionDefinition<Date | undefined> {
  return {
    option: (name) =>
      new Option(`${optionFlags(name)} <time>`, description).argParser((text) => {
        if (isExistingDay(text)) return startOfMadridDay(text);
        const at = /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) ? new Date(text) : null;
        if (at !== null && isStorableInstant(at)) return at;
        throw new InvalidArgumentError(
          'It must be a day, such as 2027-01-31, or an instant, such as 2027-01-31T10:00:00Z.',
        );
      }),
  };
}

export function requiredDay(description: string): OptionDefinition<string> {
  return { option: (name) => dayOption(description).option(name).makeOptionMandatory() };
}

export function operand(description: string): Operand<string> {
  return { argument: (name) => new Argument(`<${name}>`, description) };
}

/** An operand that is a positive whole number. */
export function numberOperand(description: string): Operand<number> {
  return {
    argument: (name) =>
      new Argument(`<${name}>`, description).argParser((text) => {
        const number = Number(text);
        if (Number.isSafeInteger(number) && number >= 1) return number;
        throw new InvalidArgumentError('It must be a whole number.');
      }),
  };
}

export function choiceOperand<const Choices extends readonly string[]>(
  choices: Choices,
  description: string,
): Operand<Choices[number]> {
  return { argument: (name) => new Argument(`<${name}>`, description).choices(choices) };
}

/** One or more operands of a kind; the last parameter of a command. */
export function operands(description: string): Operand<string[]> {
  return { argument: (name) => new Argument(`<${name}...>`, description) };
}
