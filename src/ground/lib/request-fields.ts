import { z } from 'zod';
import { isExistingDay, isStorableInstant } from './calendar.ts';

/** Field schemas that several requests share. */

/** The type in GraphQL of a value that JSON has no type for. */
export const scalars = z.registry<{ scalar: 'ID' | 'Decimal' | 'SafeInt' | 'String' }>();

/** An id that callers got from the service: an unknown one has a code of its own. */
export const id = z.string().register(scalars, { scalar: 'ID' });

/** A field that may be omitted or null. */
export const optional = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? undefined);

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
export function notBefore(first: string) {
  return day.superRefine((value, check) => {
    if (!isExistingDay(value) || value >= first) return;
    fault(check, [], 'too_small', `must not be before ${first}`);
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
