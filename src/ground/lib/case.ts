type Json = unknown;

const camelCache = new Map<string, string>();
const snakeCache = new Map<string, string>();
/** Field names come from a closed set; names made up by callers must not make the caches grow without limit. */
const CACHE_LIMIT = 2_000;
/** No field of the API has a longer name; a caller may send one of a megabyte, and two thousand of those fill the heap. */
const LONGEST_CACHED = 64;

function keep(cache: Map<string, string>, name: string, result: string): string {
  if (name.length <= LONGEST_CACHED && cache.size < CACHE_LIMIT) cache.set(name, result);
  return result;
}

/**
 * `unit_amount` to `unitAmount`. A name that is not plain snake_case is not one of the API's: it is changed so that it
 * matches no field, otherwise `lineItems` would pass for `line_items` or `line_1` for `line1`.
 */
export function camelCase(name: string): string {
  const known = camelCache.get(name);
  if (known !== undefined) return known;
  const isOurs = /^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$/.test(name);
  const camel = isOurs
    ? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    : `\u0000${name}`;
  return keep(camelCache, name, camel);
}

/** `unitAmount` to `unit_amount`; undoes `camelCase`. */
export function snakeCase(name: string): string {
  const known = snakeCache.get(name);
  if (known !== undefined) return known;
  const snake = name.startsWith('\u0000')
    ? name.slice(1)
    : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return keep(snakeCache, name, snake);
}

/** No body of the API is nested more deeply; one that is, is refused by its schema and need not be converted completely. */
const DEEPEST = 12;

/** A REST body with its field names in the operations' spelling. */
export function camelKeys(value: Json, depth = 0): Json {
  if (value === null || typeof value !== 'object' || depth > DEEPEST) return value;
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value) items.push(camelKeys(item, depth + 1));
    return items;
  }
  // No name becomes `__proto__`: `camelCase` changes names that are not the API's.
  const result: Record<string, Json> = {};
  for (const [name, item] of Object.entries(value)) {
    // These names are the caller's own.
    result[camelCase(name)] = name === 'metadata' ? item : camelKeys(item, depth + 1);
  }
  return result;
}

/** Reverses `camelKeys`: the body with the field names of REST. */
export function snakeKeys(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(snakeKeys);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      snakeCase(name),
      name === 'metadata' ? item : snakeKeys(item),
    ]),
  );
}

/** A text about a request, in which the names of fields stand in backticks, in the spelling of REST. */
export function snakeText(text: string): string {
  return text.replace(/`[a-z]\w*`/g, (name) => snakeCase(name));
}

/** A path of field names, `lineItems[0].unitAmount`, in the spelling of REST. */
export function snakePath(path: string): string {
  return path.replace(/[^.[\]]+/g, snakeCase);
}
