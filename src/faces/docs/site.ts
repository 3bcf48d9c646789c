import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Declaration } from '../../subjects/declaration/declaration.ts';
import { DECLARATION, declarationPage } from './declaration-page.ts';
import { ERRORS, errorsPage } from './errors-page.ts';
import { groupsOf, guidePage, homePage, picturesOf } from './guide-pages.ts';
import { readGuides } from './guides.ts';
import type { Shelf } from './layout.ts';
import { llmsText, plainPages } from './plain.ts';
import { REFERENCE, referencePage } from './reference.ts';
import { SCHEMA, schemaPage, schemaText } from './schema-page.ts';
import { createSearch } from './search.ts';

/** Every page as it is sent. */
export type Site = {
  /** By the path below the root, empty for the first page. */
  readonly pages: ReadonlyMap<string, string>;
  /** The pictures that pages show, by their paths below the folder `docs`. */
  readonly pictures: ReadonlySet<string>;
  /** Pages as Markdown, by their names below the root. */
  readonly plain: ReadonlyMap<string, string>;
  /** What a language model reads first. */
  readonly llms: string;
  /** The GraphQL schema in its own language. */
  readonly schema: string;
  /** The page of what has all words of a query. */
  search(query: string): string;
  declaration(current: Declaration, older: readonly Declaration[]): string;
};

/**
 * Makes all pages; `root` is the path that their addresses begin with. All of them take the process some tenths of a second,
 * so others are served after each.
 */
export async function makeSite(root: string, baseUrl: string): Promise<Site> {
  const guides = readGuides();
  const entries = [REFERENCE, SCHEMA, ERRORS, DECLARATION];
  const reference = { title: 'Look it up', entries, inOrder: false };
  const shelf: Shelf = { root, groups: [...groupsOf(guides), reference] };
  const made: (readonly [path: string, make: () => string])[] = [
    ['', () => homePage(shelf)],
    ...guides.map((guide) => [`/${guide.slug}`, () => guidePage(shelf, guide)] as const),
    [ERRORS.path, () => errorsPage(shelf, baseUrl)],
    [SCHEMA.path, () => schemaPage(shelf)],
    [REFERENCE.path, () => referencePage(shelf)],
  ];
  const pages = new Map<string, string>();
  for (const [path, make] of made) {
    await othersFirst();
    pages.set(path, make());
  }
  await othersFirst();
  return {
    pages,
    pictures: picturesOf(guides),
    plain: plainPages(root, guides),
    llms: llmsText(`${baseUrl}/docs`, baseUrl, guides),
    schema: schemaText(),
    search: createSearch(shelf, guides),
    declaration: (current, older) => declarationPage(shelf, current, older),
  };
}
