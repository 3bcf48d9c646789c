import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitLine, fitParagraph, hasInvisible } from '../../src/ground/lib/text.ts';

describe('a line of text is made fit', () => {
  test.each([
    ['letters and marks are composed', 'Pen\u0303a Gu\u0308ell', 'Peña Güell'],
    ['also around what is left out', 'Pen\u200b\u0303a', 'Peña'],
    ['tabs and line breaks are spaces', 'a\tb\r\nc\nd\u2028e\u2029f', 'a b c d e f'],
    ['marks that nobody sees', 'Garc\u034fía A\ufe0fB\ufe00 1\ufe0f \u{e0100}', 'García AB 1 '],
    ['zero-width characters', 'a\u200bb\u2060c\ufeffd\u00ade\u180ef', 'abcdef'],
    ['marks of direction', '\u202eabc\u202c \u200fd\u200e \u2066e\u2069\u061c', 'abc d e'],
    ['joiners between other letters', 'a\u200db\u200cc\u200d', 'abc'],
    ['invisible operators, tags and fillers', '\u2061a\u2064\u{e0041}\u{e007f}b\u3164\u115fc', 'abc'],
    ['joiners that Persian and Hindi spell with', 'می\u200cخواهم क्\u200dष', 'می\u200cخواهم क्\u200dष'],
    ['joiners at the end of a word of Malayalam', 'ന്\u200d', 'ന്\u200d'],
    ['but neither two of them nor one at the end', 'می\u200c\u200cخ\u200c', 'میخ'],
    [
      'joiners of emoji, tags of a flag',
      '👩‍👩‍👧 🏴\u{e0067}\u{e0062}\u{e007f}',
      '👩‍👩‍👧 🏴\u{e0067}\u{e0062}\u{e007f}',
    ],
    ['signs that are drawn around digits', '\u0600\u06dd', '\u0600\u06dd'],
  ])('%s', (_what, sent, fit) => {
    expect(fitLine(sent)).toBe(fit);
    expect(fitLine(fit)).toBe(fit);
  });

  test.each(['\u{e0061}', '\u200d', '\ufe0f\u200d', '👩\u200d', 'क\u200d\u094d\u0301', '\u202e'])(
    'in time, however long: %j',
    (unit) => {
      const started = process.cpuUsage();
      fitLine(`🏴${unit.repeat(200_000)}`);
      // A second would be a hundred times the cost; a rule that looks back over all of it takes minutes.
      expect(process.cpuUsage(started).user).toBeLessThan(5_000_000);
    },
  );

  test('other control characters are left, to be refused', () => {
    expect(fitLine('a\u0000\u0007\u007f\u0085\ud800')).toBe('a\u0000\u0007\u007f\u0085\ud800');
  });

  test('a paragraph keeps its tabs and line breaks', () => {
    expect(fitParagraph('a\tb\r\nc\u2028d\u202ee\u0303')).toBe('a\tb\r\nc\nd\u1ebd');
  });

  test('once fit, always fit: nothing that is left out comes back', () => {
    const character = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom(
        '\u200c',
        '\u200d',
        '\u202e',
        '\u00ad',
        'ی',
        '\u094d',
        'क',
        '\u0301',
        'e',
        '👩',
        '\ufe0f',
      ),
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 12 }), (characters) => {
        const fit = fitLine(characters.join(''));
        expect(fitLine(fit)).toBe(fit);
        expect(fitParagraph(fit)).toBe(fit);
        expect(hasInvisible(fit)).toBe(false);
      }),
    );
  });
});
