/** One type with the properties of all members of a union. */
export type All<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  all: infer Whole,
) => void
  ? Whole
  : never;
