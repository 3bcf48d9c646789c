import type { z } from 'zod';
import { camelCase, camelKeys, snakeCase } from '../lib/case.ts';
import { truncateText } from '../lib/text.ts';
import { hintAt, meantBy } from './hints.ts';
import { type FieldIssue, isRefusal, type Outcome, Refusal } from './refusal.ts';

/** A zod path in the callers' notation: `lineItems[0].quantity`. */
function pathOf(path: readonly PropertyKey[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? String(step) : `.${String(step)}`;
  }
  return text;
}

/** No caller reads more; the answer stays small whatever was sent. */
const MAX_ISSUES = 50;

/** A name made up by the caller may have any length; this much of it identifies it. */
const LONGEST_NAME = 200;

function issuesOf(issue: z.core.$ZodIssue): FieldIssue[] {
  const field = pathOf(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unrecognized(field === '' ? key : `${field}.${key}`));
    case 'invalid_type':
      return issue.input === undefined
        ? [{ field, code: 'required', message: 'is required' }]
        : [
            {
              field,
              code: 'invalid_type',
              message: `must be ${article(issue.expected)}${hintAt(field, 'invalid_type', issue.input)}`,
            },
          ];
    case 'invalid_value':
      return issue.input === undefined
        ? [{ field, code: 'required', message: 'is required' }]
        : [{ field, code: 'invalid_value', message: `must be one of ${issue.values.join(', ')}` }];
    case 'custom': {
      const reason: unknown = issue.params?.['reason'];
      const code = typeof reason === 'string' ? reason : 'invalid_value';
      return [{ field, code, message: `${issue.message}${hintAt(field, code, issue.input)}` }];
    }
    case 'too_big':
      return [{ field, code: 'too_big', message: boundOf(issue.origin, 'most', issue.maximum) }];
    case 'too_small':
      return [
        {
          field,
          code: 'too_small',
          message: `${boundOf(issue.origin, 'least', issue.minimum)}${hintAt(field, 'too_small', issue.input)}`,
        },
      ];
    default:
      return [{ field, code: issue.code, message: `is not valid: ${issue.message}` }];
  }
}

function unrecognized(path: string): FieldIssue {
  const field = truncateText(path, LONGEST_NAME);
  return { field, code: 'unrecognized_field', message: `no such field${meantBy(path)}` };
}

function article(type: string): string {
  if (type === 'int') return 'an integer';
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

function boundOf(origin: string, which: 'least' | 'most', bound: number | bigint): string {
  if (origin !== 'array' && origin !== 'string') return `must be at ${which} ${bound}`;
  const unit = origin === 'array' ? 'element' : 'character';
  return `must have at ${which} ${bound} ${unit}${Number(bound) === 1 ? '' : 's'}`;
}

/** The value as parsed by the schema, or 400 `invalid_request` with an entry for each invalid field. */
export function parseRequest<S extends z.ZodType>(schema: S, value: unknown): Outcome<z.output<S>> {
  const parsed = schema.safeParse(value, { reportInput: true });
  return parsed.success ? parsed.data : refuseInvalid(parsed.error);
}

/** A request both as it was sent, known to match the schema, and as the schema parsed it; refused as by `parseRequest`. */
export function acceptRequest<S extends z.ZodType>(
  schema: S,
  value: unknown,
): Outcome<{ readonly sent: z.input<S>; readonly request: z.output<S> }> {
  const request = parseRequest(schema, value);
  // The input type of a schema is what it accepts.
  return isRefusal(request) ? request : { sent: value as z.input<S>, request };
}

/**
 * The same of a body of REST, whose fields are in snake_case. If it has as many unknown fields as are reported, it is refused
 * for these alone, before tens of thousands are converted and compared.
 */
export function acceptBody<S extends z.ZodType>(
  schema: S,
  body: unknown,
): Outcome<{ readonly sent: z.input<S>; readonly request: z.output<S> }> {
  const sent = sentBody(schema, body);
  if (isRefusal(sent)) return sent;
  const request = parseRequest(schema, sent);
  return isRefusal(request) ? request : { sent: sent as z.input<S>, request };
}

/** A body of REST in the operations' spelling, not parsed yet. */
export function sentBody(schema: z.ZodType, body: unknown): unknown {
  const unknown = unknownFields(schema, body, MAX_ISSUES);
  return unknown.length === MAX_ISSUES ? refuseFields(unknown.map(unrecognized)) : camelKeys(body);
}

/** Adds the paths of fields that a schema does not have to `found`, until it has as many as `max`. */
type Search = (value: unknown, path: string, found: string[], max: number) => void;

/** Null: nothing of what a schema takes has fields that it does not have. */
const searches = new WeakMap<z.core.$ZodType, Search | null>();

/**
 * The paths, in the operations' spelling, of fields of a REST body that its schema does not have: at most `max`, and no more
 * are looked at. A body may have tens of thousands, each of which would be converted, compared and worded.
 */
export function unknownFields(schema: z.core.$ZodType, body: unknown, max: number): string[] {
  const found: string[] = [];
  searchOf(schema)?.(body, '', found, max);
  return found;
}

function searchOf(schema: z.core.$ZodType): Search | null {
  let search = searches.get(schema);
  if (search === undefined) {
    search = newSearch((schema as z.core.$ZodTypes)._zod.def);
    searches.set(schema, search);
  }
  return search;
}

function newSearch(def: z.core.$ZodTypes['_zod']['def']): Search | null {
  switch (def.type) {
    case 'object':
      return searchOfObject(def);
    case 'array':
      return searchOfItems(searchOf(def.element));
    case 'optional':
    case 'nullable':
    case 'default':
    case 'nonoptional':
    case 'readonly':
      return searchOf(def.innerType);
    case 'pipe':
      return searchOf(def.in);
    default:
      return null;
  }
}

function searchOfObject({ shape, catchall }: z.core.$ZodObjectDef): Search {
  const isStrict = (catchall as z.core.$ZodTypes | undefined)?._zod.def.type === 'never';
  const fields = new Map(Object.entries(shape).map(([name, field]) => [snakeCase(name), searchOf(field)]));
  return (value, path, found, max) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const name in value) {
      if (found.length >= max) return;
      const within = fields.get(name);
      if (within === null || (within === undefined && !isStrict)) continue;
      const camelName = camelCase(name);
      const fieldPath = path === '' ? camelName : `${path}.${camelName}`;
      if (within === undefined) found.push(fieldPath);
      else within((value as Record<string, unknown>)[name], fieldPath, found, max);
    }
  };
}

function searchOfItems(search: Search | null): Search | null {
  if (search === null) return null;
  return (value, path, found, max) => {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length && found.length < max; index += 1)
      search(value[index], `${path}[${index}]`, found, max);
  };
}

/** The refusal of a request that does not match its schema: 400 `invalid_request` with an entry for each field. */
function refuseInvalid(error: z.ZodError): Refusal {
  const [issue] = error.issues;
  if (issue?.code === 'invalid_type' && issue.path.length === 0) {
    return new Refusal('invalid_request', `The request must be ${article(issue.expected)}.`);
  }
  // One entry for each field: the last is the most specific (a whole number too large for JSON is also too large for us).
  const byField = new Map<string, FieldIssue>();
  for (const fault of error.issues) {
    const isFull = byField.size >= MAX_ISSUES;
    for (const entry of issuesOf(fault))
      if (!isFull || byField.has(entry.field)) byField.set(entry.field, entry);
  }
  return refuseFields([...byField.values()].slice(0, MAX_ISSUES));
}

function refuseFields(errors: readonly FieldIssue[]): Refusal {
  const [first] = errors;
  const detail = first === undefined ? 'The request is malformed.' : `${first.field} ${first.message}.`;
  return new Refusal('invalid_request', detail, { errors });
}
