import { z } from 'zod';
import { GRAPHQL_LIMITS } from '../src/faces/graphql/limits.ts';
import { PAGE } from '../src/faces/graphql/paging.ts';
import { meantBy, parameterWith } from '../src/ground/errors/hints.ts';
import { parseRequest } from '../src/ground/errors/issues.ts';
import {
  type FieldIssue,
  invalidField,
  isRefusal,
  type Outcome,
  Refusal,
} from '../src/ground/errors/refusal.ts';
import { unwrapped } from './schema-parts.ts';

type Parameter = {
  readonly variable: string;
  /**
   * Its schema. A list is repeated: any of the values matches. A record is given by key, `name[key]`, each of them
   * repeatable: for each key, any of the values matches.
   */
  readonly value: z.ZodType;
};

/** The query parameters that an endpoint takes, by their names. */
export type Parameters = Readonly<Record<string, Parameter>>;

const TWO_PLACES = invalidField('before', 'invalid_value', 'cannot be given together with starting_after');

/**
 * The position of the requested page: `limit` items after one, or as many before one. 400 `invalid_request` for both.
 * `rest` contains the other variables.
 */
export function placeOf<
  Asked extends { readonly first?: number; readonly after?: string; readonly before?: string },
>({ first, after, before, ...rest }: Asked) {
  if (after !== undefined && before !== undefined) return TWO_PLACES;
  const pageArgs = before === undefined ? { first, after } : { last: first ?? PAGE.default, before };
  return { place: pageArgs, rest };
}

type Keyed = { readonly key: string; readonly value: string[] };

export type Variable = string | number | boolean | readonly string[] | readonly Keyed[];

/** The maximum number of errors for an invalid query; the length of its request line is limited too. */
const MAX_ISSUES = 50;

/**
 * Query parameters as the operation's variables, or an `invalid_request` that names all errors at once: a parameter that is
 * not listed, is repeated, is not percent-encoded UTF-8, or has an invalid value. Whole numbers are parsed from their
 * digits.
 */
export function readQuery(
  url: string,
  query: object,
  parameters: Parameters,
): Outcome<Record<string, Variable>> {
  const undecodable = undecodableNames(url);
  const variables: Record<string, Variable> = {};
  const issues: FieldIssue[] = [...undecodable].map((name) =>
    issue(name, 'invalid_format', 'is not percent-encoded UTF-8'),
  );
  for (const [name, value] of Object.entries(query)) {
    if (undecodable.has(name)) continue;
    const keyed = keyedOf(name, value, parameters);
    if (keyed !== null) {
      const { variable, ...one } = keyed;
      variables[variable] = [...((variables[variable] as readonly Keyed[] | undefined) ?? []), one];
      continue;
    }
    const own = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const known = own?.value instanceof z.ZodRecord ? undefined : own;
    const read = known === undefined ? unknown(name) : readValue(name, value, known.value);
    if (isRefusal(read)) issues.push(...read.errors);
    else variables[known!.variable] = read;
  }
  const [first] = issues;
  if (first === undefined) return variables;
  const errors = issues.slice(0, MAX_ISSUES);
  return new Refusal('invalid_request', `${first.field}: ${first.message}.`, { errors });
}

/** The key of a parameter `name[key]`; null for any other. */
function keyedOf(
  name: string,
  value: unknown,
  parameters: Parameters,
): (Keyed & { readonly variable: string }) | null {
  const [, of = '', key = ''] = /^(\w+)\[(.+)\]$/s.exec(name) ?? [];
  const known = Object.hasOwn(parameters, of) ? parameters[of] : undefined;
  if (!(known?.value instanceof z.ZodRecord)) return null;
  return { variable: known.variable, key, value: [value].flat() as string[] };
}

/** The names of those that cannot be decoded; the decoder would leave such a part unchanged. */
function undecodableNames(url: string): Set<string> {
  const [, query = ''] = /\?(.*)/s.exec(url) ?? [];
  if (!query.includes('%')) return new Set();
  const faulty = query.split('&').filter((pair) => !isDecodable(pair));
  return new Set(
    faulty.map((pair) => {
      const name = pair.split('=', 1)[0]!.replaceAll('+', ' ');
      return isDecodable(name) ? decodeURIComponent(name) : name;
    }),
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function readValue(name: string, value: unknown, schema: z.ZodType): Outcome<Variable> {
  if (schema instanceof z.ZodArray) return readValues(name, value, schema.element as z.ZodType);
  const known = unwrapped(schema);
  if (typeof value !== 'string') return invalid(name, 'invalid_type', 'must be given once');
  if (known instanceof z.ZodEnum) {
    if (known.options.includes(value)) return value;
    const message = `must be one of ${known.options.join(', ')}${parameterWith(name, value)}`;
    return invalid(name, 'invalid_value', message);
  }
  if (known instanceof z.ZodBoolean) {
    if (value === 'true' || value === 'false') return value === 'true';
    return invalid(name, 'invalid_value', 'must be one of true, false');
  }
  const read = known instanceof z.ZodNumber ? integer(name, value) : value;
  if (isRefusal(read)) return read;
  const parsed = parseRequest(underName(name, known), { [name]: read });
  if (!isRefusal(parsed)) return read;
  const [{ code, message } = { code: 'invalid_value', message: parsed.detail }] = parsed.errors;
  return invalid(name, code, `${message}${parameterWith(name, value)}`);
}

const underNames = new WeakMap<z.ZodType, Map<string, z.ZodType>>();

/**
 * The value of a parameter under its name, which a refusal states. Creating a schema takes longer than parsing everything
 * else.
 */
function underName(name: string, value: z.ZodType): z.ZodType {
  const known = underNames.get(value) ?? new Map<string, z.ZodType>();
  underNames.set(value, known);
  const schema = known.get(name) ?? z.object({ [name]: value });
  known.set(name, schema);
  return schema;
}

/** Each value once; the first invalid one is reported. */
function readValues(name: string, value: unknown, one: z.ZodType): Outcome<readonly string[]> {
  const values = [...new Set(Array.isArray(value) ? (value as unknown[]) : [value])];
  const max = GRAPHQL_LIMITS.filterValues.value;
  if (values.length > max) return invalid(name, 'too_big', `may have at most ${max} values`);
  const read = values.map((each) => readValue(name, each, one));
  return read.find(isRefusal) ?? (read as string[]);
}

function integer(name: string, value: string): Outcome<number> {
  if (/^-?\d{1,9}$/.test(value)) return Number(value);
  return invalid(name, 'invalid_type', 'must be an integer');
}

const unknown = (name: string): Refusal =>
  invalid(name, 'unrecognized_field', `no such parameter${meantBy(name)}`);

/** Parameters are named as they were sent: they are in REST's spelling already. */
function invalid(name: string, code: string, message: string): Refusal {
  return new Refusal('invalid_request', message, { errors: [issue(name, code, message)] });
}

function issue(name: string, code: string, message: string): FieldIssue {
  return { field: name.slice(0, 100), code, message };
}

/** The relative path of the next page, which starts or ends at a cursor, with the current filters. */
export function nextUrl(
  path: string,
  query: object,
  place: 'starting_after' | 'ending_before',
  cursor: string,
): string {
  const parameters = new URLSearchParams(
    Object.entries(query as Record<string, string | string[]>).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    ),
  );
  parameters.set(place, cursor);
  return `${path}?${parameters.toString()}`;
}
