/** The conditions of a filter that were given: to Prisma null means rows without a value, and a filter leaves it out. */
export function given<Filter extends object>(
  filter: Filter,
): { [Name in keyof Filter]?: NonNullable<Filter[Name]> } {
  const present = Object.entries(filter).filter(([, value]) => value != null);
  return Object.fromEntries(present) as { [Name in keyof Filter]?: NonNullable<Filter[Name]> };
}
