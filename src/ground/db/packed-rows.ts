import type { z } from 'zod';

/** Rows that a statement hands over as JSON. */
export type PackedRows<Row> = {
  /** An expression of SQL: the row as a JSON array of its columns, in the order of the shape. */
  readonly packed: string;
  /** The row that such an array holds. It is not checked: `shape` says what it should be. */
  readonly unpack: (values: readonly unknown[]) => Row;
  readonly shape: z.ZodType;
};

/**
 * How the rows of a shape are handed over without the names of their columns, which would be most of what Postgres writes and
 * the process parses. `expressionOf` gives the expression of SQL for each name. At most 100 columns: a function of
 * Postgres takes no more arguments.
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

/** Written out as a literal: an object to which property after property is added takes several times as long. */
function unpacking<Row>(names: readonly string[]): (values: readonly unknown[]) => Row {
  const properties = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return new Function('values', `return { ${properties.join(', ')} };`) as (
    values: readonly unknown[],
  ) => Row;
}
