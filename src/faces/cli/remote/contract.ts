import type { Command } from 'commander';
import { isRefusal } from '../../../ground/errors/refusal.ts';
import { camelCase } from '../../../ground/lib/case.ts';
import { type CliRuntime, type Parameters, standaloneCommand } from '../command.ts';
import { CommandFailure } from '../exit-status.ts';
import {
  choiceOption,
  choicesOption,
  dayOption,
  flagOption,
  integerOption,
  type OptionDefinition,
  operand,
  optionalOption,
} from '../options.ts';
import { about, call, collect, doing, type Given, OPERATIONS, type Operation, plain } from './operation.ts';
import { OVER_REST, type Place, type Target } from './place.ts';
import { printed } from './printed.ts';
import { FILE, readRequestFile } from './request-file.ts';

/** The commands of a group that pass on what they are given, made from the contract of REST. */
export function contractCommands(group: Command, runtime: CliRuntime, place: Place): void {
  for (const operation of OPERATIONS) {
    const [subject, name] = operation.command?.name.split(' ') ?? [];
    if (subject === group.name() && name !== undefined)
      contractCommand(group, runtime, place, operation, name);
  }
}

function contractCommand(
  group: Command,
  runtime: CliRuntime,
  anywhere: Place,
  operation: Operation,
  name: string,
): void {
  const { method, path, operands, options, hasFile, isKeyed, isPage, command } = operation;
  const place = anywhere.has(operation.id) ? anywhere : OVER_REST;
  const isRead = method === 'GET';
  const named = options.map((option) => ({ ...option, ...namedIn(operation, option) }));
  const file = hasFile ? ` The file holds the body of ${method} ${path}, as JSON.` : '';
  const parameters: Parameters = {
    ...Object.fromEntries(operands.map(({ of, description }) => [of, operand(description)])),
    ...(isRead ? place.reading : place.changing),
    ...(hasFile ? { file: FILE } : {}),
    ...Object.fromEntries(named.map(({ key, definition }) => [key, definition])),
    ...(isKeyed ? { idempotencyKey: optionalOption('key', 'a new one for each request') } : {}),
    ...(isPage ? { limit: integerOption('the maximum number', { max: 1_000, standard: 50 }) } : {}),
  };
  standaloneCommand(group, runtime, {
    ...{ name, parameters, description: doing(operation), examples: place.examples(command!.examples) },
    details: `${about(operation)}${file}${isRead ? place.readingMeaning : place.changingMeaning}`,
    async run(context, values: Given) {
      if (hasFile && values['file'] === undefined) return new CommandFailure('usage', '--file is required');
      const given: Given = {
        ...Object.fromEntries(operands.map(({ name: id, of }) => [id, values[of]])),
        ...Object.fromEntries(named.map(({ name: option, key }) => [option, values[key]])),
        ...{ limit: values['limit'], idempotencyKey: values['idempotencyKey'] },
      };
      const effect = [operation.summary, ...operands.map(({ name: id }) => given[id])].join(' ');
      const answer = await place.perform(context, values as Target, {
        ...{
          operation: operation.id,
          isRead,
          given,
          effect: effect.replace(/^./, (first) => first.toLowerCase()),
        },
        async remote(client) {
          const body = hasFile ? await readRequestFile(context, values['file'] as string) : undefined;
          if (isRefusal(body)) return body;
          if (isPage) return collect(client, operation, given, values['limit'] as number);
          return call(client, operation, { ...given, limit: undefined, body });
        },
      });
      if (isRefusal(answer) || answer instanceof CommandFailure) return answer;
      return printed(operation, group.name(), given, answer);
    },
  });
}

/** Its name among the values of the command, and how it is given. */
function namedIn({ command }: Operation, { name, schema }: Operation['options'][number]) {
  const [known = '', shown = 'text'] = (command?.options?.[name] ?? '').split(/ <|>/);
  const key = camelCase(known || name.replace('[]', ''));
  return { key, definition: optionOf(schema, shown) };
}

function optionOf(schema: Operation['options'][number]['schema'], shown: string): OptionDefinition<unknown> {
  const { type, format, enum: choices, items } = schema;
  const text = plain(schema.description)
    .replace(/\.$/, '')
    .replace('may be given several times', 'separated by commas');
  const description = text.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  if (choices !== undefined) return choiceOption(choices, description);
  if (items?.enum !== undefined) return choicesOption(items.enum, description);
  if (items !== undefined) return readAs(shown, description, (text) => text.split(','));
  if (type === 'boolean') return flagOption(description);
  if (format === 'date') return dayOption(description);
  if (type === 'integer' || type === 'number') return readAs('number', description, Number);
  return optionalOption(shown, description);
}

/** The service itself checks what is read. */
const readAs = (
  shown: string,
  description: string,
  read: (text: string) => unknown,
): OptionDefinition<unknown> => ({
  option: (name) => optionalOption(shown, description).option(name).argParser(read),
});
