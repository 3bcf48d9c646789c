/** The chosen option of a form; null for a value that the form does not offer. */
export function chosen<const Value extends string>(
  choices: readonly (readonly [Value, unknown])[],
  text: string,
): Value | null {
  return choices.find(([value]) => value === text)?.[0] ?? null;
}
