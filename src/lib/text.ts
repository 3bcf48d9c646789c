import { z } from 'zod';

/** Control characters, and what XML 1.0 cannot carry: neither the agency's records nor a page could hold it. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\ufffe\uffff]/u;
const UNPRINTABLE_BUT_LINE_BREAKS = /[^\P{Cc}\r\n\t]|[\ufffe\uffff]/u;

/** The length as people and JSON Schema count it: in characters, not in UTF-16 halves. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800) length -= 1;
  }
  return length;
}

/** Cuts a text to a number of characters without tearing one apart. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : [...text].slice(0, limit).join('');
}

/** A schema for one line of text of 1 to `max` characters, not blank, without control characters. */
export function line(max: number, min = 1) {
  return z
    .string()
    .superRefine((text, check) => inspect(text, check, { min, max, unprintable: UNPRINTABLE }))
    .meta({ minLength: min, maxLength: max });
}

/** The same for a text in which lines may break. */
export function paragraph(max: number) {
  return z
    .string()
    .superRefine((text, check) =>
      inspect(text, check, { min: 1, max, unprintable: UNPRINTABLE_BUT_LINE_BREAKS }),
    )
    .meta({ minLength: 1, maxLength: max });
}

type Rule = { min: number; max: number; unprintable: RegExp };

function inspect(text: string, check: z.RefinementCtx, { min, max, unprintable }: Rule): void {
  if (text.length > max && lengthOf(text) > max) {
    const message = `must have at most ${max} characters`;
    check.addIssue({ code: 'custom', message, params: { reason: 'too_big' } });
  } else if (text.length < min || text.trim() === '') {
    check.addIssue({ code: 'custom', message: 'must not be empty', params: { reason: 'too_small' } });
  } else if (unprintable.test(text) || !text.isWellFormed()) {
    const message = 'must not hold control characters';
    check.addIssue({ code: 'custom', message, params: { reason: 'invalid_characters' } });
  }
}
