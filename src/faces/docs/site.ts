import type { Language } from '../../ground/lib/language.ts';
import { CHANGELOG, changelogPage } from './changelog-page.ts';
import { DECLARATION } from './declaration-page.ts';
import { DOWNLOADS } from './downloads.ts';
import { downloadsPage } from './downloads-page.ts';
import { ERRORS, errorsPage } from './errors-page.ts';
import { groupsOf, guidePage, homePage, picturesOf } from './guide-pages.ts';
import { readGuides } from './guides.ts';
import type { Navigation } from './layout.ts';
import { llmsText, plainPages } from './plain-text.ts';
import { REFERENCE, referencePage } from './reference.ts';
import { SCHEMA, schemaPage, schemaText } from './schema-page.ts';
import type { Section } from './search.ts';
import { sectionsOfSite } from './search-sections.ts';
import { texts } from './texts.ts';

/** The location of the site: `root` is the prefix of its paths. */
export type SiteAddress = { readonly root: string; readonly baseUrl: string; readonly language: Language };

/** Every page, and the sources of the others. Each takes up to a few hundredths of a second to build. */
export type Site = {
  readonly shelf: Navigation;
  /** What builds each page, by the path below the root, empty for the first page. */
  readonly pages: ReadonlyMap<string, () => string>;
  /** The pictures that pages show, by their paths below the folder `docs`. */
  readonly pictures: ReadonlySet<string>;
  /** Pages as Markdown, by their names below the root. */
  readonly plain: ReadonlyMap<string, string>;
  /** The text for language models. */
  readonly llms: string;
  /** The GraphQL schema in its own language. */
  readonly schema: string;
  /** Builds the search index. */
  readonly sections: () => readonly Section[];
};

/** The site in a language, of what is in the repository. Nothing is built before it is wanted: all together takes half a second. */
export function siteAt({ root, baseUrl, language }: SiteAddress): Site {
  const guides = readGuides(language);
  const { groups, pages: named } = texts[language];
  const entries = [
    { path: REFERENCE, ...named.api, language },
    { path: SCHEMA, ...named.schema, language },
    { path: ERRORS, ...named.errors, language },
    { path: CHANGELOG, ...named.changelog, language },
    { path: DECLARATION, ...named.declaration, language },
  ];
  const reference = { title: groups.reference, entries, inOrder: false };
  const shelf: Navigation = { root, language, groups: [...groupsOf(guides, groups), reference] };
  const pages = new Map([
    ['', () => homePage(shelf)],
    ...guides.map((guide) => [`/${guide.slug}`, () => guidePage(shelf, guide)] as const),
    [ERRORS, () => errorsPage(shelf, baseUrl)],
    [SCHEMA, () => schemaPage(shelf)],
    [CHANGELOG, () => changelogPage(shelf)],
    [DOWNLOADS, () => downloadsPage(shelf, baseUrl)],
    [REFERENCE, () => referencePage(shelf)],
  ]);
  return {
    shelf,
    pages,
    pictures: picturesOf(guides),
    plain: plainPages(root, guides),
    llms: llmsText(`${baseUrl}/docs`, baseUrl, guides),
    schema: schemaText(),
    sections: () => sectionsOfSite(guides, language),
  };
}
