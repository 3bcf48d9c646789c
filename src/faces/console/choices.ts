/** What was chosen of what a form offers; null for anything else, which no form of ours sends. */
export function chosen<const Value extends string>(
  choices: readonly (readonly [Value, string])[],
  text: string,
): Value | null {
  return choices.find(([value]) => value === text)?.[0] ?? null;
}
