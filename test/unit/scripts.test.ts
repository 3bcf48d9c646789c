import { describe, expect, test } from 'vitest';
import { isDrawable, undrawable } from '../../src/ground/lib/drawable.ts';
import { DRAWABLE } from '../../src/ground/lib/drawable-ranges.ts';
import { drawableRanges } from '../../src/subjects/documents/layout/coverage.ts';
import { renderInvoicePdf } from '../../src/subjects/documents/layout/invoice.ts';
import { printable } from '../../src/subjects/documents/layout/printable.ts';
import { ROLL_TEXT } from '../../src/subjects/documents/layout/roll-blocks.ts';
import { isRightToLeft, runsOf } from '../../src/subjects/documents/layout/runs.ts';
import { styles } from '../../src/subjects/documents/layout/style.ts';
import { contentLine, invoiceContent } from '../support/documents/invoice-content.ts';
import * as tools from '../support/documents/pdf-tools.ts';

/** What each script looks like in an invoice; the contract names these scripts. */
const SCRIPTS: Readonly<Record<string, string>> = {
  Latin: 'Diseño de páginas Łódź',
  Greek: 'Υπηρεσίες Ωμέγα',
  Cyrillic: 'Послуги Київ',
  Hebrew: 'שירותי ייעוץ לחודש מאי',
  Arabic: 'شركة النور للتجارة',
  Devanagari: 'वेबसाइट डिज़ाइन सेवा',
  Thai: 'บริการออกแบบเว็บไซต์',
  Chinese: '请求书：网站设计与开发',
  Japanese: 'ウェブサイト制作のご請求',
  Korean: '웹사이트 제작 서비스',
  Emoji: '🍷 Vino ❤️ 👍🏽 👨‍👩‍👧 🇪🇸 1️⃣',
};

test('what is known of the fonts is what they have (`npm run drawable`)', () => {
  expect(drawableRanges()).toBe(DRAWABLE);
});

describe.each(Object.entries(SCRIPTS))('%s', (script, text) => {
  test('is drawn with glyphs of a font, each of them there', () => {
    expect(undrawable(text)).toBeNull();
    for (const { font, text: part } of runsOf(text, 'regular')) {
      for (const { id } of font.layout(part).glyphs) expect(id, part).not.toBe(0);
    }
  });

  test.runIf(tools.haveTools('pdftotext', 'pdffonts'))(
    'can be copied out of the page, and its font is inside',
    async () => {
      const pdf = await renderInvoicePdf(invoiceContent({ lines: [contentLine(text, 100)], notes: text }));
      // Poppler marks where the direction changes.
      const copied = tools
        .textOf(pdf, isRightToLeft(text) ? 'layout' : 'raw')
        .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
      // Of these two Poppler gives the shapes that letters take in words, in the order in which they stand.
      if (/Arabic|Devanagari/.test(script)) expect(copied.length).toBeGreaterThan(text.length);
      else expect(copied).toContain(text);
      expect(copied).not.toContain('\ufffd');
    },
  );
});

test('neither the mark for a missing character nor one of no script of these is drawable', () => {
  for (const character of ['\ufffd', '𝔏', 'ᚠ', '\ue000', '\u{20bb7}']) {
    expect(isDrawable(character.codePointAt(0)!), character).toBe(false);
    expect(undrawable(`a${character}`)).toBe(character);
  }
});

test.each([
  '🍷',
  '❤️',
  '👍🏽',
  '👨‍👩‍👧',
  '🇪🇸',
  '1️⃣',
  '©️',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
])('%s is one glyph', (emoji) => {
  const runs = runsOf(printable(`a${emoji}b`), 'semibold');
  expect(runs.map(({ text }) => text)).toEqual(['a', emoji, 'b']);
  expect(runs[1]!.font.layout(emoji).glyphs).toHaveLength(1);
  // Asked for again, as the next document does: pdfkit scales what it gets in place.
  const [before] = runs[1]!.font.layout(emoji).positions;
  before!.xAdvance = 0;
  expect(runs[1]!.font.layout(emoji).positions[0]!.xAdvance).toBeGreaterThan(0);
});

test('an emoji that the font has not as a whole is drawn by its parts, and a space beside it is no wider than others', () => {
  expect(printable('🍷\u200d🧀')).toBe('🍷🧀');
  expect(printable('© 2026 𝔏')).toBe('© 2026 \ufffd');
  expect(runsOf('🍷 🍷', 'regular').map(({ text }) => text)).toEqual(['🍷', ' ', '🍷']);
});

/** Letters that reach furthest up or down, in the shapes that they take in words; vowel signs are not written in business. */
const TALL: Readonly<Record<string, readonly string[]>> = {
  Arabic: ['علي', 'ي', 'ج', 'أ', 'لأ', 'لآ', 'إ', 'چ'],
  Devanagari: ['हिन्दी', 'ट्ठू', 'र्की', 'कृ', 'ऐ'],
  Thai: ['น้ำ', 'ฎุ', 'ปู่', 'ที่', 'ญู'],
  Hebrew: ['ל', 'ץ', 'ך'],
  Latin: ['Ñ', 'Ộ', 'ç', 'Ģ'],
};

test.each(Object.entries(TALL))('a line in %s does not touch the one below it', (_script, words) => {
  const { strong, body, bodyStrong, label, small, total } = styles;
  for (const { weight, size, leading } of [
    ...[strong, body, bodyStrong, label, small, total],
    ...[ROLL_TEXT.strong, ROLL_TEXT.body],
  ]) {
    let [down, up] = [0, 0];
    for (const { font, scale, text } of words.flatMap((word) => runsOf(word, weight))) {
      const { glyphs, positions } = font.layout(text);
      for (const [index, { bbox }] of glyphs.entries()) {
        const { yOffset } = positions[index]!;
        down = Math.max(down, -(bbox.minY + yOffset) * scale);
        up = Math.max(up, (bbox.maxY + yOffset) * scale);
      }
    }
    expect(((down + up) * size) / 1_000).toBeLessThan(leading);
  }
});

describe('a line with text in both directions', () => {
  const seen = (text: string) => runsOf(text, 'regular').map((run) => run.text);
  test.each([
    ['Western text is one run', 'Servicio (24/7) €', ['Servicio (24/7) €']],
    ['words from right to left', 'אב גד', ['גד', ' ', 'אב']],
    ['brackets face the other way', 'אב (AB-12) גד', ['גד', ' ', '(', 'AB-12', ')', ' ', 'אב']],
    ['figures keep their order', 'אב 12,50', ['12,50', ' ', 'אב']],
    ['a word inside Western text', 'Hotel אב גד, x', ['Hotel ', 'גד', ' ', 'אב', ', x']],
  ])('%s', (_what, text, runs) => {
    expect(seen(text).join('')).toBe(runs.join(''));
  });
});

/** Without the ideographs, which have no marks. */
const DRAWABLE_CHARACTERS = Array.from({ length: 0x3000 }, (_, codePoint) => codePoint)
  .filter(isDrawable)
  .map((codePoint) => String.fromCodePoint(codePoint));

test('each drawable character can be laid out, beside another of it', () => {
  const failing = DRAWABLE_CHARACTERS.filter((character) => {
    try {
      for (const { font, text } of runsOf(character.repeat(2), 'regular')) font.layout(text);
      return false;
    } catch {
      return true;
    }
  });
  expect(failing).toEqual([]);
});
