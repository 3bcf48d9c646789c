import { z } from 'zod';

/** Rows that a statement returns as JSON. */
export type PackedRows<Row> = {
  /** An SQL expression: the row as a JSON array of its columns. */
  readonly packed: string;
  /** The row in such an array. It is not checked: `shape` states what it should be. */
  readonly unpack: (values: readonly unknown[]) => Row;
  readonly shape: z.ZodType;
};

/** Rows of a statement whose columns are returned one by one, as arrays (`rowMode: 'array'`). */
export type PlainColumns<Row> = {
  /** The columns for the SELECT list, in the order of the shape. */
  readonly columns: string;
  /** The row in such an array, from its place in the SELECT list on. It is not checked: `shape` states what it should be. */
  readonly read: (values: readonly unknown[]) => Row;
  /** The place behind the last column. */
  readonly end: number;
};

/**
 * Returns the columns of a shape as they are, which takes Postgres half the time of packing them: for the rows of a statement
 * itself, while those that belong to them are packed. `expressionOf` gives the SQL expression for each name, of an instant
 * as text.
 */
export function plainColumns<Shape extends z.ZodObject>(
  shape: Shape,
  from: number,
  expressionOf: (name: keyof Shape['shape'] & string) => string,
): PlainColumns<z.output<Shape>> {
  const names = Object.keys(shape.shape);
  return {
    columns: names.map((name) => plainValue(shape.shape[name] as z.ZodType, expressionOf(name))).join(', '),
    read: unpacking(names, (place) => `values[${from + place}]`),
    end: from + names.length,
  };
}

/** The driver would make a local date of a day. */
function plainValue(type: z.ZodType, expression: string): string {
  return innerOf(type) instanceof z.ZodStringFormat ? `(${expression})::text` : expression;
}

/**
 * Returns the rows of a shape without column names, which would be most of what Postgres writes and the process parses.
 * `expressionOf` gives the SQL expression for each name: of a text, a number, a truth value or JSON, as the shape defines; of an
 * instant as text.
 */
export function packedRows<Shape extends z.ZodObject>(
  shape: Shape,
  expressionOf: (name: keyof Shape['shape'] & string) => string,
): PackedRows<z.output<Shape>> {
  const names = Object.keys(shape.shape) as (keyof Shape['shape'] & string)[];
  return {
    packed: `json_build_array(${names.map(expressionOf).join(', ')})`,
    unpack: unpacking(names, (place) => `values[${place}]`),
    shape,
  };
}

function innerOf(type: z.ZodType): z.ZodType {
  return type instanceof z.ZodNullable ? (type.unwrap() as z.ZodType) : type;
}

/** Written as a literal: adding properties to an object one by one takes several times as long. */
function unpacking<Row>(
  names: readonly string[],
  valueAt: (place: number) => string,
): (values: readonly unknown[]) => Row {
  const properties = names.map((name, place) => `${JSON.stringify(name)}: ${valueAt(place)}`);
  return new Function('values', `return { ${properties.join(', ')} };`) as (
    values: readonly unknown[],
  ) => Row;
}
