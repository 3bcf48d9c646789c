import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { GUIDES, SPANISH } from '../../../src/faces/docs/guides.ts';

/** The Spanish guides beside the English ones that they translate. */

const FENCED = /^```(.*)\n([\s\S]*?)^```$/gm;

/** The fenced blocks of a page, whole. */
export const fencesOf = (markdown: string): readonly string[] => markdown.match(FENCED) ?? [];

/** What a page says in code outside of its blocks, each once: names of fields, values, commands. */
export const codesOf = (markdown: string): ReadonlySet<string> =>
  new Set(markdown.replace(FENCED, '').match(/`[^`\n]+`/g));

/** The targets of its links, whichever folder they are written for. */
export const linksOf = (markdown: string): readonly string[] =>
  [...markdown.replace(FENCED, '').matchAll(/\]\((?:\.\.\/)*([^)]+)\)/g)].map(([, target]) => target!).sort();

/** The figures of each row of the tables that the program writes, which a comment precedes and one follows. */
export const figuresOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^<!-- .*-->$([\s\S]*?)^<!-- end.*-->$/gm)].flatMap(([, written]) =>
    written!
      .split('\n')
      .filter((line) => line.startsWith('| '))
      // In Spanish a comma is what a point is in English.
      .map((row) => (row.match(/\d(?:[\d.,]*\d)?/g) ?? []).map((each) => each.replace(/[.,]/g, '')).sort())
      .map((figures) => figures.join(' ')),
  );

export const englishOf = (slug: string): string => readFileSync(new URL(`${slug}.md`, GUIDES), 'utf8');
export const spanishOf = (slug: string): string => readFileSync(new URL(`${slug}.md`, SPANISH), 'utf8');

/** The names of what is translated. */
export const translated = (): readonly string[] =>
  readdirSync(SPANISH).map((name) => name.replace(/\.md$/, ''));

/**
 * A Spanish page with the blocks of the English one, in order, and links that lead to the Spanish page where there is
 * one. A page with more or fewer blocks is an error: somebody has to look at its text.
 */
export function withBlocksOf(english: string, spanish: string): string {
  const blocks = fencesOf(english);
  const found = fencesOf(spanish).length;
  if (found !== blocks.length) throw new Error(`${found} blocks instead of ${blocks.length}`);
  let next = 0;
  return spanish
    .replace(/(?<=\]\()(?:\.\.\/)?([\w-]+)\.md\b/g, (_whole, slug: string) =>
      existsSync(new URL(`${slug}.md`, SPANISH)) ? `${slug}.md` : `../${slug}.md`,
    )
    .replace(FENCED, () => blocks[next++]!);
}
