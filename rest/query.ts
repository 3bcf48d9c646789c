import { isRefusal, type Outcome, Refusal } from '../src/errors/refusal.ts';

type Parameter = { readonly variable: string; readonly integer?: true; readonly oneOf?: readonly string[] };

/** The query parameters that an endpoint takes, by their names. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** Those of every list. */
export const PAGING: Parameters = {
  limit: { variable: 'first', integer: true },
  starting_after: { variable: 'after' },
};

/**
 * Query parameters as the operation's variables. A parameter that is not listed, or is given twice, is
 * `invalid_request`; whole numbers are read from their digits.
 */
export function readQuery(query: object, parameters: Parameters): Outcome<Record<string, string | number>> {
  const variables: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(query)) {
    const known = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (known === undefined) return invalid(name, 'unrecognized_field', 'no such parameter');
    if (typeof value !== 'string') return invalid(name, 'invalid_type', 'must be given once');
    if (known.oneOf?.includes(value) === false) {
      return invalid(name, 'invalid_value', `must be one of ${known.oneOf.join(', ')}`);
    }
    const read = known.integer ? integer(name, value) : value;
    if (isRefusal(read)) return read;
    variables[known.variable] = read;
  }
  return variables;
}

function integer(name: string, value: string): Outcome<number> {
  if (/^-?\d{1,9}$/.test(value)) return Number(value);
  return invalid(name, 'invalid_type', 'must be an integer');
}

/** Parameters are named as they were sent: they are REST's own words already. */
function invalid(field: string, code: string, message: string): Refusal {
  const name = field.slice(0, 100);
  return new Refusal('invalid_request', `${name}: ${message}.`, { errors: [{ field: name, code, message }] });
}

/** The relative path of the next page, with the present filters. */
export function nextUrl(path: string, query: object, cursor: string): string {
  const parameters = new URLSearchParams(query as Record<string, string>);
  parameters.set('starting_after', cursor);
  return `${path}?${parameters.toString()}`;
}
