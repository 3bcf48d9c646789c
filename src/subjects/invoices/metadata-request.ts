import { z } from 'zod';
import { fault } from '../../ground/lib/request-fields.ts';
import { lengthOf } from '../../ground/lib/text.ts';

/** What merchants note of an invoice for themselves: texts by name. Nobody but them reads a meaning into it. */
export type Metadata = Readonly<Record<string, string>>;

const MAX_KEYS = 50;
const LONGEST_KEY = 40;
const LONGEST_VALUE = 500;

/** Control characters, but for line breaks and tabs in a value, and halves of characters: no database keeps all of those. */
const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_BREAKS = /[^\P{Cc}\r\n\t]/u;

/** Assigned somewhere, this name would change an object's prototype instead of adding to it. */
const UNSAFE_KEY = '__proto__';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function keyFault(key: string): [reason: string, message: string] | null {
  if (key === '') return ['too_small', 'must not hold an empty key'];
  if (lengthOf(key) > LONGEST_KEY) return ['too_big', `must have keys of at most ${LONGEST_KEY} characters`];
  if (key === UNSAFE_KEY || CONTROL.test(key) || !key.isWellFormed()) {
    return ['invalid_characters', 'must have keys without control characters, and none that is __proto__'];
  }
  return null;
}

function valueFault(value: unknown): [reason: string, message: string] | null {
  if (typeof value !== 'string') return ['invalid_type', 'must hold strings'];
  if (lengthOf(value) > LONGEST_VALUE)
    return ['too_big', `must have values of at most ${LONGEST_VALUE} characters`];
  if (CONTROL_BUT_BREAKS.test(value) || !value.isWellFormed()) {
    return ['invalid_characters', 'must have values without control characters'];
  }
  return null;
}

/** Texts by name; what `isAbsent` says counts for nothing. */
function texts<Value>(isAbsent: (value: unknown) => boolean) {
  return z
    .custom<Readonly<Record<string, Value>>>(isObject, {
      error: 'must be an object of strings',
      params: { reason: 'invalid_type' },
      abort: true,
    })
    .superRefine((given, check) => {
      const entries = Object.entries(given);
      if (entries.length > MAX_KEYS) fault(check, [], 'too_big', `must have at most ${MAX_KEYS} keys`);
      for (const [key, value] of entries.slice(0, MAX_KEYS)) {
        const wrong = keyFault(key) ?? (isAbsent(value) ? null : valueFault(value));
        // Names are callers' own, of any length and in any spelling: the field is told, and not they.
        if (wrong !== null) fault(check, [], ...wrong);
      }
    });
}

const asJsonSchema = (value: object) => ({
  ...{ type: 'object', maxProperties: MAX_KEYS, additionalProperties: value },
  propertyNames: { minLength: 1, maxLength: LONGEST_KEY },
});

/** As an invoice is issued with it; none at all is as if it were not sent. */
export const metadata = texts<string>(() => false).meta(
  asJsonSchema({ type: 'string', maxLength: LONGEST_VALUE }),
);

/** What is changed of it: keys that are not mentioned stay, and null takes one away. */
const metadataChange = texts<string | null>((value) => value === null).meta(
  asJsonSchema({ type: ['string', 'null'], maxLength: LONGEST_VALUE }),
);

/** What may be changed of an invoice, which is nothing but this. */
export const invoiceChange = z.strictObject({ metadata: metadataChange }).meta({ id: 'InvoiceChange' });

export type MetadataChange = z.output<typeof metadataChange>;

/** With the change; null when it has too many keys then. */
export function changed(before: Metadata, change: MetadataChange): Metadata | null {
  const merged = new Map<string, string>(Object.entries(before));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return merged.size > MAX_KEYS ? null : Object.fromEntries(merged);
}
