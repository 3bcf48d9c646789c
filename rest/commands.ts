import { z } from 'zod';
import { snakeCase, snakeText } from '../src/ground/lib/case.ts';
import { CONTRACT } from './contract/all.ts';
import { isPage, itemOf } from './contract/lists.ts';
import type { Tagged } from './contract/operation.ts';
import type { Json } from './openapi/parts.ts';

/** What the command line and the tools of agents are made from: they import nothing of the service. */
export const COMMANDS_FILE = new URL('../src/faces/cli/remote/operations.json', import.meta.url);

/** Parameters by which pages are read, which nobody gives by hand. */
const OF_PAGES = ['limit', 'starting_after', 'ending_before'];

/** The operations that have a command or a tool, as their file has them. */
export function printedCommands(): string {
  const offered = CONTRACT.filter(({ command, tool }) => command !== undefined || tool !== undefined);
  return `${JSON.stringify(offered.map(printed), null, 1)}\n`;
}

function printed(operation: Tagged): Json {
  const { id, method, path, summary, description, ids = {}, query = {}, body, answer, isKeyed } = operation;
  const sent = body === undefined ? [] : fields(body.schema);
  const { command, tool } = operation;
  return {
    ...{ id, method, path, summary, description },
    operands: Object.entries(ids).map(([name, of]) => ({ name, ...operandOf(name, of) })),
    options: [...Object.entries(query).map(([name, value]) => option('query', name, value)), ...(sent ?? [])]
      .filter((each) => each !== null)
      .filter(({ name }) => !OF_PAGES.includes(name)),
    hasFile: sent === null,
    isKeyed: isKeyed === true,
    ...answered(answer.schema),
    ...{ command, tool },
  };
}

function operandOf(name: string, of: NonNullable<Tagged['ids']>[string]): Json {
  if (!('value' in of)) return { of: of[0], description: `the id of the ${of[0]}` };
  return { of: name, description: of.value.description };
}

type Option = { readonly name: string; readonly place: 'query' | 'body'; readonly schema: Json };

/** What is said of a value; the service itself checks it. */
const SAID = ['type', 'enum', 'format', 'minimum', 'maximum', 'items', 'description'];

const schemaOf = (value: z.ZodType) =>
  z.toJSONSchema(value, { io: 'input', unrepresentable: 'any' }) as Json & {
    readonly anyOf?: readonly Json[];
  };

/** A parameter or field as an option; null if it is neither a simple value nor a list of such. */
function option(place: Option['place'], name: string, value: z.ZodType): Option | null {
  const { anyOf = [], ...own } = schemaOf(value);
  const whole = { ...anyOf.find(({ type }) => type !== 'null'), ...own };
  const { items, type } = whole as { readonly items?: Json; readonly type?: unknown };
  if (((items ?? whole)['type'] ?? 'object') === 'object') return null;
  const description = snakeText(String(whole['description']));
  const stated = {
    ...whole,
    description,
    ...(items === undefined ? { type } : { type: 'array', items: said(items) }),
  };
  return { name: snakeCase(name), place, schema: said(stated) };
}

const said = (schema: Json): Json =>
  Object.fromEntries(
    Object.entries(schema).filter(
      ([key, value]) => SAID.includes(key) && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER,
    ),
  );

/** The fields of a body as options; null if one of them cannot be one, so that the body is given as a file. */
function fields(body: z.ZodType): (Option & { readonly isRequired: boolean })[] | null {
  if (!(body instanceof z.ZodObject)) return null;
  const all = Object.entries(body.shape as Record<string, z.ZodType>).map(([name, value]) => {
    const given = option('body', name, value);
    return given === null ? null : { ...given, isRequired: !value.safeParse(undefined).success };
  });
  return all.every((each) => each !== null) ? all : null;
}

/** Whether it is a page of a list, and the name of what it shows; null if nothing. */
function answered(schema: z.ZodObject | undefined): Json {
  if (schema === undefined) return { isPage: false, shows: null };
  return { isPage: isPage(schema), shows: z.globalRegistry.get(itemOf(schema))?.id ?? null };
}
