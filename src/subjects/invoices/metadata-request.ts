import { z } from 'zod';
import { fault } from '../../ground/lib/request-fields.ts';
import { lengthOf } from '../../ground/lib/text.ts';

/** Metadata that merchants store with an invoice: texts by name, which the service does not interpret. */
export type Metadata = Readonly<Record<string, string>>;

const MAX_KEYS = 50;
const LONGEST_KEY = 40;
const LONGEST_VALUE = 500;

/**
 * Control characters, except line breaks and tabs in a value, and unpaired surrogates: Postgres cannot store all of
 * those.
 */
const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_BREAKS = /[^\P{Cc}\r\n\t]/u;

/** Assigned as a property, this name would change an object's prototype. */
const UNSAFE_KEY = '__proto__';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function keyIssue(key: string): [reason: string, message: string] | null {
  if (key === '') return ['too_small', 'must not hold an empty key'];
  if (lengthOf(key) > LONGEST_KEY) return ['too_big', `must have keys of at most ${LONGEST_KEY} characters`];
  if (key === UNSAFE_KEY || CONTROL.test(key) || !key.isWellFormed()) {
    return ['invalid_characters', 'must have keys without control characters, and none that is __proto__'];
  }
  return null;
}

function valueIssue(value: unknown): [reason: string, message: string] | null {
  if (typeof value !== 'string') return ['invalid_type', 'must hold strings'];
  if (lengthOf(value) > LONGEST_VALUE)
    return ['too_big', `must have values of at most ${LONGEST_VALUE} characters`];
  if (CONTROL_BUT_BREAKS.test(value) || !value.isWellFormed()) {
    return ['invalid_characters', 'must have values without control characters'];
  }
  return null;
}

/** Texts by name; values for which `isAbsent` returns true are ignored. */
function texts<Value>(isAbsent: (value: unknown) => boolean) {
  return z
    .custom<Readonly<Record<string, Value>>>(isObject, {
      error: 'must be an object of strings',
      params: { reason: 'invalid_type' },
      abort: true,
    })
    .superRefine((metadata, check) => {
      const entries = Object.entries(metadata);
      if (entries.length > MAX_KEYS) fault(check, [], 'too_big', `must have at most ${MAX_KEYS} keys`);
      for (const [key, value] of entries.slice(0, MAX_KEYS)) {
        const wrong = keyIssue(key) ?? (isAbsent(value) ? null : valueIssue(value));
        // Names are chosen by callers, with any length and spelling: the error contains the field, and not the
        // name.
        if (wrong !== null) fault(check, [], ...wrong);
      }
    });
}

const asJsonSchema = (value: object) => ({
  ...{ type: 'object', maxProperties: MAX_KEYS, additionalProperties: value },
  propertyNames: { minLength: 1, maxLength: LONGEST_KEY },
});

/** The metadata of a new invoice; an empty object is the same as none. */
export const metadata = texts<string>(() => false).meta(
  asJsonSchema({ type: 'string', maxLength: LONGEST_VALUE }),
);

/** A change of metadata: keys that are not sent stay unchanged, and null deletes one. */
const metadataChange = texts<string | null>((value) => value === null).meta(
  asJsonSchema({ type: ['string', 'null'], maxLength: LONGEST_VALUE }),
);

/** The only change of an invoice that is allowed. */
export const invoiceChange = z
  .strictObject({
    metadata: metadataChange.describe('The changes: keys that are not mentioned stay, null removes a key.'),
  })
  .meta({ id: 'InvoiceChange' });

export type MetadataChange = z.output<typeof metadataChange>;

/** The metadata after the change; null when it has too many keys then. */
export function changed(before: Metadata, change: MetadataChange): Metadata | null {
  const merged = new Map<string, string>(Object.entries(before));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return merged.size > MAX_KEYS ? null : Object.fromEntries(merged);
}
