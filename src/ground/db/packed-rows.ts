import { z } from 'zod';

/** Rows that a statement returns as JSON. */
export type PackedRows<Row> = {
  /** An SQL expression: the row as the text of a JSON array of its columns, in the order of the shape. */
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
    read: unpacking(names, from),
    end: from + names.length,
  };
}

/** The driver would make a local date of a day. */
function plainValue(type: z.ZodType, expression: string): string {
  return innerOf(type) instanceof z.ZodStringFormat ? `(${expression})::text` : expression;
}

/**
 * Returns the rows of a shape without column names, which would be most of what Postgres writes and the process parses.
 * `expressionOf` gives the SQL expression for each name: of a text or a time for a string, of JSON or its text for an array or
 * an object.
 */
export function packedRows<Shape extends z.ZodObject>(
  shape: Shape,
  expressionOf: (name: keyof Shape['shape'] & string) => string,
): PackedRows<z.output<Shape>> {
  const names = Object.keys(shape.shape);
  const values = names.map((name) => packedValue(shape.shape[name] as z.ZodType, expressionOf(name)));
  return {
    packed: `('[' || ${values.join(` || ',' || `)} || ']')`,
    unpack: unpacking(names),
    shape,
  };
}

/** The rows of a subquery in its order, as the text of a JSON array; null without any. */
export const packedList = (packed: string, order = ''): string =>
  `'[' || string_agg(${packed}, ',' ${order}) || ']'`;

/**
 * Concatenated as text, because `json_build_array` looks up the type of every value and takes a third longer. An unexpected
 * null is also written as `null`, which the shape then rejects.
 */
function packedValue(type: z.ZodType, expression: string): string {
  const inner = innerOf(type);
  const isText = inner instanceof z.ZodString || inner instanceof z.ZodStringFormat;
  const isName = inner instanceof z.ZodEnum || inner instanceof z.ZodLiteral;
  const text = isText || isName ? `to_json(${expression})::text` : `(${expression})::text`;
  return `coalesce(${text}, 'null')`;
}

function innerOf(type: z.ZodType): z.ZodType {
  return type instanceof z.ZodNullable ? (type.unwrap() as z.ZodType) : type;
}

/** Written as a literal: adding properties to an object one by one takes several times as long. */
function unpacking<Row>(names: readonly string[], from = 0): (values: readonly unknown[]) => Row {
  const properties = names.map((name, index) => `${JSON.stringify(name)}: values[${from + index}]`);
  return new Function('values', `return { ${properties.join(', ')} };`) as (
    values: readonly unknown[],
  ) => Row;
}
