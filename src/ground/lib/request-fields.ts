import { z } from 'zod';
import { isExistingDay, isStorableInstant } from './calendar.ts';
import { LONGEST_DECIMAL, millionthsOf } from './decimal.ts';

/** Field schemas that several requests share. */

/** The type in GraphQL of a value that JSON has no type for. */
export const scalars = z.registry<{ scalar: 'ID' | 'Decimal' | 'SafeInt' | 'String' }>();

/** An id that callers got from the service: an unknown one has a code of its own. */
export const id = z.string().register(scalars, { scalar: 'ID' });

/** A decimal number in plain digits; the limits are whole numbers, and a lower limit of 0 is exclusive. */
export function exactDecimal(least: number, max: number) {
  // A value that is not a number within its limits is not used further: no other check of the invoice applies.
  const refuse = (check: z.RefinementCtx, reason: string, message: string) =>
    check.addIssue({ code: 'custom', message, params: { reason }, continue: false });
  return z
    .string()
    .superRefine((text, check) => {
      const value = millionthsOf(text);
      if (value === null) {
        refuse(check, 'invalid_format', 'must be a number in plain digits with at most six decimals');
      } else if (least === 0 && value <= 0n) refuse(check, 'too_small', 'must be more than 0');
      else if (value < BigInt(least) * 1_000_000n) refuse(check, 'too_small', `must be at least ${least}`);
      else if (value > BigInt(max) * 1_000_000n) refuse(check, 'too_big', `must be at most ${max}`);
    })
    .meta({ maxLength: LONGEST_DECIMAL, pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]{1,6})?$' })
    .register(scalars, { scalar: 'Decimal' });
}

/** A field that may be omitted or null. */
export const optional = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? undefined);

/** A flag, which is not set where it is omitted or null. */
export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

/**
 * A text that may be left out, null or empty, all of which say that there is none: shops and forms send `""` for what a customer has not. Its schema
 * takes the empty text.
 */
export const optionalText = <T extends z.ZodType<string, string>>(schema: T) =>
  schema.nullish().transform((text) => text || undefined);

/** The same where null removes what is kept: so does the empty text, which a form sends when a field of it was emptied. */
export const removableText = <T extends z.ZodType<string, string>>(schema: T) =>
  schema
    .nullish()
    .transform((text) => (text === '' ? null : text))
    .optional();

/** A calendar day. */
export const day = z
  .string()
  .refine(isExistingDay, {
    error: 'must be an existing day, YYYY-MM-DD',
    params: { reason: 'invalid_format' },
  })
  .meta({ format: 'date' });

/** An instant, RFC 3339 with any offset. */
export const instant = z.iso.datetime({ offset: true }).refine((text) => isStorableInstant(new Date(text)), {
  error: 'must be in the years 1 to 9999',
  params: { reason: 'invalid_format' },
});

/** A calendar day not before `first`. */
export function notBefore(first: string, instead = '') {
  return day.superRefine((value, check) => {
    if (!isExistingDay(value) || value >= first) return;
    fault(check, [], 'too_small', `must not be before ${first}${instead}`);
  });
}

/** Adds a fault at a field, with the short reason that callers receive as its code. */
export function fault(
  check: z.RefinementCtx,
  path: (string | number)[],
  reason: string,
  message: string,
): void {
  check.addIssue({ code: 'custom', path, message, params: { reason } });
}
