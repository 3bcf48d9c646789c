import { LANGUAGES, type Language } from '../../ground/lib/language.ts';
import { type Content, type Html, html } from '../web/html.ts';
import { stylesheet } from '../web/stylesheet.ts';
import type { Heading } from './markdown.ts';
import { script } from './script.ts';
import { texts } from './texts.ts';

export const style = stylesheet([
  new URL('./style/docs.css', import.meta.url),
  new URL('./style/prose.css', import.meta.url),
  new URL('./style/code.css', import.meta.url),
]);
/** The seal of the header, for the browser's tabs. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#9c1c28"/>' +
  '<circle cx="16" cy="16" r="13" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="1.2"/>' +
  '<path d="M12 9h4v11h5v3h-9z" fill="#fff"/></svg>';

export const pageScript = script('page.js', new URL('./scripts/page.js', import.meta.url));

/** A page in the list of all pages: `path` begins below the root and is empty for the first one. */
export type Entry = {
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  /** Of title, summary and page. */
  readonly language: Language;
};
export type Group = {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** Whether its pages are read one after the other. */
  readonly inOrder: boolean;
};

/** The navigation data of every page in a language. `root` is the prefix of all paths. */
export type Navigation = {
  readonly root: string;
  readonly groups: readonly Group[];
  readonly language: Language;
};

type Page = {
  readonly path: string;
  readonly title: string;
  readonly body: Content;
  readonly headings?: readonly Heading[];
  /** That of the body, where it is not the navigation's. */
  readonly language?: Language;
  /** The address of this page, for the links to it in other languages; null for one that has none. */
  readonly here?: string | null;
};

/** A whole page. It runs one script, which only copies and filters; nothing is loaded from elsewhere. */
export function document(navigation: Navigation, page: Page): string {
  const { root, language: around } = navigation;
  const { path, title, body, headings = [], language = around, here = `${root}${path}` } = page;
  const words = texts[around];
  // What stands around a page that is not translated is in the reader's language all the same.
  const lang = language !== around && html` lang="${around}"`;
  const listed = navigation.groups.length > 0;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}${title !== 'Lacre' && ' · Lacre'}</title>
${
  here !== null &&
  LANGUAGES.map(
    (other) => html`<link rel="alternate" hreflang="${other}" href="${inLanguage(here, other)}">
`,
  )
}<link rel="icon" type="image/svg+xml" href="${root}/icon.svg">
<link rel="stylesheet" href="${root}/${style.address}">
<script src="${root}/${pageScript.address}" defer></script>
</head>
<body class="docs" data-copy="${words.copy.button}" data-copied="${words.copy.done}" data-not-copied="${words.copy.failed}" data-of="${words.of}">
<a class="skip"${lang} href="#content">${words.skip}</a>
<header class="top"${lang}><div class="wide">
${brand(root, words.section)}
${listed && html`<a class="to-search" href="${root}/search">${words.search}</a> <a class="to-pages" href="#pages">${words.allPages}</a>`}
${here !== null && html`<nav class="languages" aria-label="${words.languages}">${LANGUAGES.map((other) => languageLink(here, other, around))}</nav>`}
</div></header>
<div class="wide shelf">
<main id="content" tabindex="-1">
${language !== around && html`<p class="note"${lang}>${words.untranslated}</p>`}
${body}
${neighbours(navigation, path, lang)}
</main>
${headings.length > 1 && onThisPage(headings, html`<h2 id="here"${lang}>${words.onThisPage}</h2>`)}
${listed && html`<nav id="pages" class="contents"${lang} aria-label="${words.allPages}">${navigation.groups.map((group) => list(group, navigation, path))}</nav>`}
</div>
</body>
</html>
`.markup;
}

function inLanguage(here: string, language: Language): string {
  return `${here}${here.includes('?') ? '&' : '?'}lang=${language}`;
}

function languageLink(here: string, other: Language, language: Language): Html {
  const current = language === other && html` aria-current="true"`;
  return html`<a href="${inLanguage(here, other)}" lang="${other}" hreflang="${other}"${current}><span class="long">${texts[other].language}</span><span class="short" aria-hidden="true">${other.toUpperCase()}</span></a>`;
}

function brand(root: string, section: string): Html {
  return html`<a class="brand" href="${root}"><span class="seal" aria-hidden="true">L</span> <span class="name">Lacre</span> <span class="section">${section}</span></a>`;
}

/** What marks a link whose words and page are in another language. */
export function foreign(entry: Pick<Entry, 'language'>, { language }: Navigation): Content {
  return entry.language !== language && html` lang="${entry.language}"`;
}

function list({ title, entries }: Group, navigation: Navigation, here: string): Html {
  const item = (entry: Entry) =>
    html`<li><a href="${navigation.root}${entry.path}"${foreign(entry, navigation)}${entry.path === here && html` aria-current="page"`}>${entry.title}</a></li>`;
  return html`<h2>${title}</h2><ul>${entries.map(item)}</ul>`;
}

function onThisPage(headings: readonly Heading[], title: Html): Html {
  const item = ({ id, text, level }: Heading) =>
    html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`;
  return html`<nav class="here" aria-labelledby="here">${title}<ul>${headings.filter(({ level }) => level < 4).map(item)}</ul></nav>`;
}

/** The pages before and after, within what is read from front to back. */
function neighbours(navigation: Navigation, path: string, lang: Content): Html | null {
  const { root, groups, language } = navigation;
  const words = texts[language];
  const pages = groups.filter(({ inOrder }) => inOrder).flatMap(({ entries }) => entries);
  const index = pages.findIndex((entry) => entry.path === path);
  if (index < 0) return null;
  const link = (entry: Entry | undefined, rel: 'prev' | 'next', word: string) =>
    entry !== undefined &&
    html`<a class="${rel}" rel="${rel}" href="${root}${entry.path}"><span>${word}</span> <span class="title"${foreign(entry, navigation)}>${entry.title}</span></a>`;
  return html`<nav class="neighbours"${lang} aria-label="${words.neighbours}">${link(pages[index - 1], 'prev', words.previous)}${link(pages[index + 1], 'next', words.next)}</nav>`;
}
