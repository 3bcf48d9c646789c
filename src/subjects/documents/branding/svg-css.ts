import type { Properties } from './svg-properties.ts';

/** Declarations by class. */
export type Rules = ReadonlyMap<string, Properties>;

/** Functions and escapes that would load something, or hide a value. */
const FETCHING = /@|\\|url\s*\((?!\s*['"]?#)|expression|javascript:/i;

/** `fill: red; stroke: none` by name; null when it would fetch something. */
export function declarations(text: string): Properties | null {
  if (FETCHING.test(text)) return null;
  const pairs = text
    .split(';')
    .map((declaration) => declaration.split(':').map((part) => part.trim()))
    .filter(([name, value]) => name !== undefined && name !== '' && value !== undefined);
  return Object.fromEntries(pairs.map(([name, ...value]) => [name, value.join(':')]));
}

/** Some dozens of classes; what is longer is not a logo's. */
const LONGEST_SHEET = 16_384;

/**
 * The rules of a style sheet of classes, as drawing programs write it. Null when it holds anything else: rules that
 * match otherwise would be lost, and the logo would look unlike itself.
 */
export function classRules(sheet: string): Rules | null {
  if (sheet.length > LONGEST_SHEET) return null;
  const rules = new Map<string, Properties>();
  const pieces = sheet.replace(/\/\*.*?\*\/|<!--|-->/gs, '').split('}');
  if (pieces.pop()?.trim() !== '') return null;
  for (const piece of pieces) {
    const [selectors = '', body, ...more] = piece.split('{');
    const found = body === undefined || more.length > 0 ? null : declarations(body);
    const names = selectors.split(',').map((selector) => selector.trim());
    if (found === null || !names.every((name) => /^\.[\w-]+$/.test(name))) return null;
    for (const name of names) rules.set(name.slice(1), { ...rules.get(name.slice(1)), ...found });
  }
  return rules;
}
