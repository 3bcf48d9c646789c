import type { z } from 'zod';
import { snakeCase, snakeKeys } from '../../ground/lib/case.ts';
import type { Cents } from '../../ground/lib/money.ts';

/** What is known of an extension: `table.ts` has one entry of this type for each. */
export type Extension = {
  /** Its field in requests, in the operations' spelling; none for one that no request contains. */
  readonly fields: Readonly<Record<string, z.ZodType>>;
  /** Its columns of `invoice`, as they are read. All are null for an invoice without it. */
  readonly columns: Readonly<Record<string, z.ZodType>>;
  /** The values of its columns for a request; `subtotal`: the sum of the lines. */
  readonly columnsOf: (sent: Sent, amounts: Amounts) => Readonly<Record<string, unknown>>;
  /**
   * A rule that depends on other fields. It may depend on the time only if it can only become more permissive: the same
   * request may be sent again a day later.
   */
  readonly rule?: ((sent: Sent, check: z.RefinementCtx) => void) | undefined;
};

/** The parsed request: its extensions, and what rules compare them with. */
export type Sent = Readonly<Record<string, unknown>>;

export type Amounts = { readonly subtotal: Cents };

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/**
 * An extension that is stored as it was sent, in a column of its name. `value` describes the stored value, whose names are in
 * snake_case; a flag that is not set is stored as null.
 */
export function storedAsSent<const Name extends string, Request extends z.ZodType, Value extends z.ZodType>(
  name: Name,
  { request, value, rule }: { request: Request; value: Value; rule?: Extension['rule'] },
) {
  const column = snakeCase(name) as SnakeCase<Name>;
  return {
    fields: { [name]: request } as { readonly [Key in Name]: Request },
    columns: { [column]: value } as { readonly [Key in SnakeCase<Name>]: Value },
    columnsOf: ({ [name]: sent }: Sent) => ({
      [column]: sent === undefined || sent === false ? null : snakeKeys(sent),
    }),
    rule,
  } satisfies Extension;
}
