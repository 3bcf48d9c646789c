import fc from 'fast-check';
import { stdnum } from 'stdnum';
import { describe, expect, test } from 'vitest';
import { isPersonNif, isSpanishNif } from '../../src/subjects/tax-ids/spanish-nif.ts';

const nif = stdnum['ES']!['nif']!;

describe('a Spanish NIF', () => {
  test.each(['12345678Z', '89890001K', '00000000T', 'X1234567L', 'Y1234567X', 'Z1234567R', 'K1234567L'])(
    '%s is that of a person',
    (id) => {
      expect(isPersonNif(id)).toBe(true);
      expect(isSpanishNif(id)).toBe(true);
    },
  );

  test.each(['B72877814', 'A39200019', 'A95758389', 'Q2826000H', 'B00000000'])(
    '%s is that of an entity',
    (id) => {
      expect(isSpanishNif(id)).toBe(true);
      expect(isPersonNif(id)).toBe(false);
    },
  );

  test.each([
    ['a wrong control letter', '12345678A'],
    ['a wrong control digit', 'B72877815'],
    // It stands in the agency's own sample messages.
    ['the agency’s sample, whose control is wrong', 'A84532509'],
    ['too short', '1234567L'],
    ['too long', '12345678ZZ'],
    ['a letter that begins no NIF', 'I1234567A'],
    ['letters among the digits', 'B7287781A4'],
    ['digits of another script', '１２３４５６７８Z'],
    ['a sign among the digits', '+1234567L'],
    ['an exponent among the digits', '1e345678Z'],
    ['nothing', ''],
  ])('%s is none', (_, id) => {
    expect(isSpanishNif(id)).toBe(false);
  });

  test('an entity’s control may be digit or letter, whatever the entity', () => {
    expect(isSpanishNif('Q28260008')).toBe(true);
    expect(isSpanishNif('B7287781D')).toBe(true);
  });

  test('is accepted or refused as by the library stdnum', () => {
    const first = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    const digits = fc.integer({ min: 0, max: 9_999_999 }).map((number) => String(number).padStart(7, '0'));
    const control = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    fc.assert(
      fc.property(first, digits, control, (kind, body, last) => {
        const id = kind + body + last;
        expect(isSpanishNif(id)).toBe(nif.validate(id).isValid);
      }),
      { numRuns: 20_000 },
    );
  });
});
