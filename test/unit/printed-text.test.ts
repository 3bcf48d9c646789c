import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasGlyph, widthOf } from '../../src/subjects/documents/layout/fonts.ts';
import { paragraphsOf, printable } from '../../src/subjects/documents/layout/printable.ts';
import { styles } from '../../src/subjects/documents/layout/style.ts';
import { spanish } from '../../src/subjects/documents/layout/wording.ts';
import { oneLine, wrap } from '../../src/subjects/documents/layout/wrap.ts';

const { amount, count, country, date, money, rate } = spanish.format;

describe('figures have the Spanish format', () => {
  test.each([
    [0, '0,00'],
    [5, '0,05'],
    [-5, '-0,05'],
    [123_456, '1.234,56'],
    [-100_000, '-1.000,00'],
    [99_999_999_999_999, '999.999.999.999,99'],
  ])('%i cents: %s', (cents, text) => {
    expect(amount(cents)).toBe(text);
  });

  test('money has its sign after it, on the same line', () => {
    expect(money(123_456, 'eur')).toBe('1.234,56\u00a0€');
    expect(money(123_456, 'usd')).toBe('1.234,56\u00a0USD');
  });

  test.each([
    [2100, '21\u00a0%'],
    [520, '5,2\u00a0%'],
    [1075, '10,75\u00a0%'],
    [50, '0,5\u00a0%'],
    [0, '0\u00a0%'],
  ])('rate %i: %s', (basisPoints, text) => {
    expect(rate(basisPoints)).toBe(text);
  });

  test('counts, days and countries', () => {
    expect(count(1_000_000)).toBe('1.000.000');
    expect(date('2026-07-01')).toBe('01/07/2026');
    expect(country('DE')).toBe('Alemania');
    expect(country('no code')).toBe('no code');
  });
});

describe('a printable text', () => {
  test.each([
    ['plain text stays', 'Ñandú, 3.º € ß', 'Ñandú, 3.º € ß'],
    ['Polish, Greek and Cyrillic stay', 'Łódź Ωμέγα Київ', 'Łódź Ωμέγα Київ'],
    ['letters and their marks are composed', 'e\u0301n\u0303', 'éñ'],
    ['controls vanish', 'a\u0000\u0007b\u007f', 'ab'],
    ['tabs and breaks are spaces', 'a\tb\r\nc\u2028d', 'a b c d'],
    ['direction marks vanish', '\u202eabc\u202c\u200f\u2066', 'abc'],
    ['what cannot be seen vanishes', 'a\u200bb\u00adc\ufeff', 'abc'],
    ['halves of characters are no text', 'a\ud800b', 'ab'],
    ['what no font has is shown as missing, once a character', '中 𝔏 ש 👨‍👩‍👧', '中 \ufffd ש 👨‍👩‍👧'],
    [
      'joiners are spelling in Arabic and Devanagari',
      'می\u200cخواهم क्\u200dष a\u200db',
      'می\u200cخواهم क\u094d\u200dष ab',
    ],
    ['marks pile up to three', `a${'\u0316'.repeat(50)}`, `a${'\u0316'.repeat(3)}`],
  ])('%s', (_rule, text, printed) => {
    expect(printable(text)).toBe(printed);
  });

  test('has a glyph for each of its characters, whatever came in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect([...printable(text)].every((character) => hasGlyph(character.codePointAt(0)!))).toBe(true);
      }),
    );
  });

  test('in paragraphs keeps its line breaks, but no more than one empty line in a row', () => {
    expect(paragraphsOf('\n\nuno\r\ndos  \n\n\n\ntres\rcuatro\n \n')).toEqual([
      'uno',
      'dos',
      '',
      'tres',
      'cuatro',
    ]);
  });
});

describe('a text in a column', () => {
  const { body } = styles;

  test('breaks between words', () => {
    expect(wrap('uno dos tres', body, widthOf('uno dos', body) + 1)).toEqual(['uno dos', 'tres']);
  });

  test('breaks a word that fits nowhere, rather after punctuation', () => {
    const lines = wrap('https://example.com/un/camino/muy-largo', body, 90);
    expect(lines.join('')).toBe('https://example.com/un/camino/muy-largo');
    expect(lines[0]).toMatch(/[/.:]$/);
  });

  test('never leaves its column and never loses a letter', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 120 }),
        fc.integer({ min: 30, max: 200 }),
        (raw, width) => {
          const text = printable(raw);
          const lines = wrap(text, body, width);
          // Kerning may widen a line by a hair against the sum of its letters.
          for (const line of lines) expect(widthOf(line, body)).toBeLessThan(width + 1);
          expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        },
      ),
    );
  });

  test('that must stay in one line ends in an ellipsis', () => {
    const short = oneLine('Sociedad de nombre muy largo', body, 80);
    expect(short).toMatch(/^Sociedad.*…$/);
    expect(widthOf(short, body)).toBeLessThanOrEqual(80);
    expect(oneLine('Corta', body, 80)).toBe('Corta');
  });
});

test('no datum is larger than the texts at the QR code (QR specification v0.5.0 section 3)', () => {
  const { title, qr, ...data } = styles;
  for (const [name, style] of Object.entries(data)) expect(style.size, name).toBeLessThanOrEqual(qr.size);
  expect(title.size).toBeGreaterThan(qr.size);
});
