import type { z } from 'zod';
import { camelCase, snakeCase } from '../lib/case.ts';

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
