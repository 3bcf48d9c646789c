import { z } from 'zod';

/** Rows that a statement returns as JSON. */
export type PackedRows<Row> = {
  /** An SQL expression: the row as the text of a JSON array, first an array of its texts, then its other columns. */
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
    read: unpacking(names, (name) => `values[${from + names.indexOf(name)}]`),
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
  const names = Object.keys(shape.shape);
  const texts = names.filter((name) => isText(shape.shape[name] as z.ZodType));
  const others = names.filter((name) => !texts.includes(name));
  const packed = [
    `array_to_json(array[${texts.map((name) => `(${expressionOf(name)})::text`).join(', ')}]::text[])::text`,
    ...others.map((name) => coalesced(expressionOf(name))),
  ];
  const placeOf = (name: string) =>
    texts.includes(name) ? `values[0][${texts.indexOf(name)}]` : `values[${others.indexOf(name) + 1}]`;
  return {
    packed: packedArray(packed),
    unpack: unpacking(names, placeOf),
    shape,
  };
}

/** JSON texts as the text of a JSON array. None may be null: `coalesced`. */
export const packedArray = (texts: readonly string[]): string =>
  `('[' || ${texts.join(` || ',' || `)} || ']')`;

/** JSON or its text, and a null as JSON writes it; of a value that may not be null the shape then rejects it. */
export const coalesced = (expression: string): string => `coalesce((${expression})::text, 'null')`;

/** The rows of a subquery in its order, as the text of a JSON array; null without any. */
export const packedList = (packed: string): string => `'[' || string_agg(${packed}, ',') || ']'`;

/**
 * Texts are escaped together. To escape one alone, or to build the array of all values at once, Postgres looks up each value's
 * type in its catalogue, and `concat` does so for each list.
 */
function isText(type: z.ZodType): boolean {
  const inner = innerOf(type);
  return [z.ZodString, z.ZodStringFormat, z.ZodEnum, z.ZodLiteral].some((text) => inner instanceof text);
}

function innerOf(type: z.ZodType): z.ZodType {
  return type instanceof z.ZodNullable ? (type.unwrap() as z.ZodType) : type;
}

/** Written as a literal: adding properties to an object one by one takes several times as long. */
function unpacking<Row>(
  names: readonly string[],
  placeOf: (name: string) => string,
): (values: readonly unknown[]) => Row {
  const properties = names.map((name) => `${JSON.stringify(name)}: ${placeOf(name)}`);
  return new Function('values', `return { ${properties.join(', ')} };`) as (
    values: readonly unknown[],
  ) => Row;
}
