/** The placeholder in guides for values that vary. */
const ANY = '…';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const shown = (value: Json | undefined): string => JSON.stringify(value) ?? 'nothing';

function fits(text: string, pattern: string): boolean {
  return new RegExp(`^${anyWithin(pattern)}$`, 's').test(text);
}

/** Where an answer is not what the guide shows, as `path: what is wrong`; nothing when it is. */
export function differences(actual: Json | undefined, expected: Json, path = '$'): string[] {
  if (expected === ANY) return actual === undefined ? [`${path}: missing`] : [];
  if (typeof expected === 'string' && typeof actual === 'string') {
    return fits(actual, expected) ? [] : [`${path}: ${shown(actual)}, not ${shown(expected)}`];
  }
  if (Array.isArray(expected)) {
    return Array.isArray(actual)
      ? ofArrays(actual, expected, path)
      : [`${path}: ${shown(actual)}, not an array`];
  }
  if (expected !== null && typeof expected === 'object') {
    const isObject = actual !== null && typeof actual === 'object' && !Array.isArray(actual);
    return isObject
      ? ofObjects(actual as Record<string, Json>, expected as Record<string, Json>, path)
      : [`${path}: ${shown(actual)}, not an object`];
  }
  return Object.is(actual, expected) ? [] : [`${path}: ${shown(actual)}, not ${shown(expected)}`];
}

function ofArrays(actual: readonly Json[], expected: readonly Json[], path: string): string[] {
  const open = expected.length > 0 && expected.at(-1) === ANY;
  const items = open ? expected.slice(0, -1) : expected;
  const count = open ? actual.length >= items.length : actual.length === items.length;
  const wrong = items.flatMap((item, index) => differences(actual[index], item, `${path}[${index}]`));
  return count ? wrong : [`${path}: ${actual.length} items, not ${items.length}`, ...wrong];
}

function ofObjects(actual: Record<string, Json>, expected: Record<string, Json>, path: string): string[] {
  const { [ANY]: further, ...members } = expected;
  const beyond = Object.keys(actual).filter((name) => !(name in members));
  const wrong = Object.entries(members).flatMap(([name, value]) =>
    differences(actual[name], value, `${path}.${name}`),
  );
  return further !== undefined ? wrong : [...beyond.map((name) => `${path}.${name}: not shown`), ...wrong];
}

/**
 * Whether a text is what the guide shows: `…` stands for anything within a line, alone on one for any lines. The line
 * ends of HTTP are not seen on a screen.
 */
export function isText(actual: string, expected: string): boolean {
  const lines = expected.trimEnd().split('\n');
  const pattern = lines.map((line) => (line.trim() === ANY ? '(?:.*\n)*?' : `${anyWithin(line)}\n`));
  return new RegExp(`^${pattern.join('')}$`).test(`${actual.replaceAll('\r', '').trimEnd()}\n`);
}

/** A pattern in which `…` matches anything but the end of a line. */
function anyWithin(text: string): string {
  const literal = text.split(ANY).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return literal.join('.*');
}
