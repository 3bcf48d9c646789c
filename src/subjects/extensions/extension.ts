import { z } from 'zod';
import type { Day } from '../../ground/lib/calendar.ts';
import { snakeCase, snakeKeys } from '../../ground/lib/case.ts';
import type { Cents } from '../../ground/lib/money.ts';
import type { DOCUMENT_LANGUAGES } from './types.ts';

/** A text in every language of documents; a missing one does not compile. */
export type Label = Readonly<Record<(typeof DOCUMENT_LANGUAGES)[number], string>>;

/** A label and what stands beside it: the sender's own text, in one line or several, a word of ours, or the first and last day. */
export type Fact = { readonly label: Label } & (
  | { readonly text: string }
  | { readonly paragraph: string }
  | { readonly word: Label }
  | { readonly days: readonly Day[] }
);

/** What is known of an extension: `table.ts` has one entry of this type for each. */
export type Extension = {
  /** Its field in requests, in the operations' spelling; none for one that no request contains. */
  readonly fields: Readonly<Record<string, z.ZodType>>;
  /** Its columns of `invoice`, as they are read. All are null for an invoice without it. */
  readonly columns: Readonly<Record<string, z.ZodType>>;
  /** The values of its columns for a request that states it; `subtotal`: the sum of the lines. */
  readonly columnsOf?: (sent: Sent, amounts: Amounts) => Readonly<Record<string, unknown>>;
  /**
   * A rule that depends on other fields, for a request that states one of its fields or of `ruled`. It may depend on the time only if it can only become more permissive: the same
   * request may be sent again a day later.
   */
  readonly rule?: ((sent: Sent, check: z.RefinementCtx) => void) | undefined;
  readonly ruled?: readonly string[] | undefined;
  /** What answers show of it, by the names that REST uses. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** How pages ask GraphQL for it. */
  readonly selection?: string;
  /** What people see of it, by its columns; an absent part is null or undefined. */
  readonly facts?: (columns: Columns) => readonly Fact[];
  /** Where documents print its facts: beside the date of issue, or above the lines. Pages show them in any case. */
  readonly printed?: 'dates' | 'above' | undefined;
};

/** A value that an answer has only if its invoice has the extension; a description names other fields as operations do, `unitAmount`. */
export type Answer = {
  readonly value: z.ZodType;
  readonly description: string;
  /** The columns that it is made of, if they are others than those of its extension. Without a value in any of them `of` is not asked. */
  readonly from?: readonly string[];
  /** Null or undefined without it. */
  readonly of: (invoice: Columns) => unknown;
};

/** An invoice's row; one that was stored by an earlier version has no column that was added since. */
type Columns = Readonly<Record<string, unknown>>;

/** The parsed request: its extensions, and what rules compare them with. */
export type Sent = Readonly<Record<string, unknown>>;

export type Amounts = { readonly subtotal: Cents };

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/**
 * An extension that is stored as it was sent, in a column of its name. `value` describes the stored value, whose names are in
 * snake_case; a flag that is not set is stored as null. `parts` are the fields of an object, as GraphQL selects them.
 */
export function storedAsSent<
  const Name extends string,
  Request extends z.ZodType,
  Value extends z.ZodType,
  const Parts extends string = '',
>(
  name: Name,
  described: {
    readonly request: Request;
    readonly value: Value;
    /** Its description in answers. */
    readonly answered: string;
    readonly parts?: Parts;
    readonly rule?: Extension['rule'];
    readonly ruled?: Extension['ruled'];
    readonly facts?: (value: z.output<Value> & {}) => readonly Fact[];
    readonly printed?: Extension['printed'];
  },
) {
  const { request, value, answered, parts, rule, ruled, facts, printed } = described;
  const column = snakeCase(name) as SnakeCase<Name>;
  const ordered = orderedAs(value);
  return {
    fields: keyed(name, request),
    columns: keyed(column, value),
    answers: keyed(column, {
      value,
      description: answered,
      of: ({ [column]: stored }: Columns) => ordered(stored),
    }),
    columnsOf: ({ [name]: sent }: Sent) => ({ [column]: snakeKeys(sent) }),
    ...{ rule, ruled, printed },
    selection: (parts === undefined ? name : `${name} { ${parts} }`) as Parts extends ''
      ? Name
      : `${Name} { ${Parts} }`,
    facts: ({ [column]: stored }: Columns) =>
      stored == null ? [] : (facts?.(stored as z.output<Value> & {}) ?? []),
  } satisfies Extension;
}

const keyed = <const Key extends string, Value>(key: Key, value: Value) =>
  ({ [key]: value }) as { readonly [Name in Key]: Value };

/** The parts of a stored object in the order of its schema, and no others: the database keeps none. */
function orderedAs(value: z.ZodType): (stored: unknown) => unknown {
  if (!(value instanceof z.ZodObject)) return (stored) => stored;
  const names = Object.keys(value.shape);
  return (stored) =>
    stored == null ? null : Object.fromEntries(names.map((name) => [name, (stored as Columns)[name]]));
}

/** A fact, unless there is nothing to show. */
export const textFact = (label: Label, text: string | null | undefined): readonly Fact[] =>
  text == null ? [] : [{ label, text }];
