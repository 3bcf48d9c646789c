import type { z } from 'zod';

/** Rows that a statement returns as JSON. */
export type PackedRows<Row> = {
  /** An SQL expression: the row as a JSON array of its columns, in the order of the shape. */
  readonly packed: string;
  /** The row in such an array. It is not checked: `shape` states what it should be. */
  readonly unpack: (values: readonly unknown[]) => Row;
  readonly shape: z.ZodType;
};

/**
 * Returns the rows of a shape without column names, which would be most of what Postgres writes and the process parses.
 * `expressionOf` gives the SQL expression for each name. At most 100 columns: a Postgres function takes no more arguments.
 */
export function packedRows<Shape extends z.ZodObject>(
  shape: Shape,
  expressionOf: (name: keyof Shape['shape'] & string) => string,
): PackedRows<z.output<Shape>> {
  const names = Object.keys(shape.shape);
  return {
    packed: `json_build_array(${names.map(expressionOf).join(', ')})`,
    unpack: unpacking(names),
    shape,
  };
}

/** Written as a literal: adding properties to an object one by one takes several times as long. */
function unpacking<Row>(names: readonly string[]): (values: readonly unknown[]) => Row {
  const properties = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return new Function('values', `return { ${properties.join(', ')} };`) as (
    values: readonly unknown[],
  ) => Row;
}
