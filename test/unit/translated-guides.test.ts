import { describe, expect, test } from 'vitest';
import { readGuides } from '../../src/faces/docs/guides.ts';
import {
  codesOf,
  englishOf,
  fencesOf,
  figuresOf,
  linksOf,
  spanishOf,
  translated,
  withBlocksOf,
} from '../support/guides/translated.ts';

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

  // What was added to the English page or changed in it, and is missing here, is nearly always one of these.
  test.each(translated())('%s says what the English one says in code, and leads where it leads', (slug) => {
    const { body } = spanish.get(slug)!;
    const said = codesOf(body);
    expect([...codesOf(english.get(slug)!.body)].filter((code) => !said.has(code))).toEqual([]);
    expect(linksOf(body)).toEqual(linksOf(english.get(slug)!.body));
    expect(figuresOf(body), 'the figures of written tables').toEqual(figuresOf(english.get(slug)!.body));
  });
});

test('a guide that is not translated is read in English', () => {
  expect([...spanish.keys()].sort()).toEqual([...english.keys()].sort());
  for (const [slug, { language }] of spanish)
    expect(language, slug).toBe(translated().includes(slug) ? 'es' : 'en');
});
