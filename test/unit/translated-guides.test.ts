import { describe, expect, test } from 'vitest';
import { readGuides } from '../../src/faces/docs/guides.ts';
import { englishOf, fencesOf, spanishOf, translated, withBlocksOf } from '../support/guides/translated.ts';

const english = new Map(readGuides().map((guide) => [guide.slug, guide]));
const spanish = new Map(readGuides('es').map((guide) => [guide.slug, guide]));
const levelsOf = (text: string) =>
  (text.replace(/^```.*\n[\s\S]*?^```$/gm, '').match(/^#+(?= )/gm) ?? []).join(' ');

describe('a Spanish guide', () => {
  test.each(translated())('%s has the blocks of the English one, byte for byte, which are run', (slug) => {
    expect(fencesOf(spanishOf(slug))).toEqual(fencesOf(englishOf(slug)));
    // `npm run spanish` writes what a page takes from the English one.
    expect(withBlocksOf(englishOf(slug), spanishOf(slug)), 'its links').toBe(spanishOf(slug));
  });

  test.each(translated())(
    '%s has the order and the headings of the English one, whose anchors it takes',
    (slug) => {
      const { order, title, body } = english.get(slug)!;
      const page = spanish.get(slug)!;
      expect({ order: page.order, headings: levelsOf(page.body) }).toEqual({
        order,
        headings: levelsOf(body),
      });
      expect(page.title === title, 'its title').toBe(title === 'GraphQL');
    },
  );
});

test('a guide that is not translated is read in English', () => {
  expect([...spanish.keys()].sort()).toEqual([...english.keys()].sort());
  for (const [slug, { language }] of spanish)
    expect(language, slug).toBe(translated().includes(slug) ? 'es' : 'en');
});
