import { type Content, type Html, html } from '../web/html.ts';
import { stylesheet } from '../web/stylesheet.ts';
import type { Heading } from './markdown.ts';
import { script } from './script.ts';

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
export type Entry = { readonly path: string; readonly title: string; readonly summary: string };
export type Group = {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** Whether its pages are read one after the other. */
  readonly inOrder: boolean;
};

/** The navigation data of every page. `root` is the prefix of all paths. */
export type Navigation = { readonly root: string; readonly groups: readonly Group[] };

type Page = {
  readonly path: string;
  readonly title: string;
  readonly body: Content;
  readonly headings?: readonly Heading[];
  readonly language?: 'en' | 'es';
};

/** A whole page. It runs one script, which only copies and filters; nothing is loaded from elsewhere. */
export function document(
  navigation: Navigation,
  { path, title, body, headings = [], language = 'en' }: Page,
): string {
  const { root } = navigation;
  // What stands around a Spanish page is English all the same.
  const around = language !== 'en' && html` lang="en"`;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}${title !== 'Lacre' && ' · Lacre'}</title>
<link rel="icon" type="image/svg+xml" href="${root}/icon.svg">
<link rel="stylesheet" href="${root}/${style.address}">
<script src="${root}/${pageScript.address}" defer></script>
</head>
<body class="docs">
<a class="skip"${around} href="#content">Skip to content</a>
<header class="top"${around}><div class="wide">
${brand(root)}
${navigation.groups.length > 0 && html`<a class="to-search" href="${root}/search">Search</a> <a class="to-pages" href="#pages">All pages</a>`}
</div></header>
<div class="wide shelf">
<main id="content" tabindex="-1">
${body}
${neighbours(navigation, path)}
</main>
${headings.length > 1 && onThisPage(headings)}
${navigation.groups.length > 0 && html`<nav id="pages" class="contents"${around} aria-label="All pages">${navigation.groups.map((group) => list(group, root, path))}</nav>`}
</div>
</body>
</html>
`;
  return page.markup;
}

function brand(root: string): Html {
  return html`<a class="brand" href="${root}"><span class="seal" aria-hidden="true">L</span> <span class="name">Lacre</span> <span class="section">Documentation</span></a>`;
}

function list({ title, entries }: Group, root: string, here: string): Html {
  const item = ({ path, title: name }: Entry) =>
    html`<li><a href="${root}${path}"${path === here && html` aria-current="page"`}>${name}</a></li>`;
  return html`<h2>${title}</h2><ul>${entries.map(item)}</ul>`;
}

function onThisPage(headings: readonly Heading[]): Html {
  const item = ({ id, text, level }: Heading) =>
    html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`;
  return html`<nav class="here" aria-labelledby="here"><h2 id="here">On this page</h2><ul>${headings.filter(({ level }) => level < 4).map(item)}</ul></nav>`;
}

/** The pages before and after, within what is read from front to back. */
function neighbours({ root, groups }: Navigation, path: string): Html | null {
  const pages = groups.filter(({ inOrder }) => inOrder).flatMap(({ entries }) => entries);
  const index = pages.findIndex((entry) => entry.path === path);
  if (index < 0) return null;
  const link = (entry: Entry | undefined, rel: 'prev' | 'next', word: string) =>
    entry !== undefined &&
    html`<a class="${rel}" rel="${rel}" href="${root}${entry.path}"><span>${word}</span> ${entry.title}</a>`;
  return html`<nav class="neighbours" aria-label="Previous and next page">${link(pages[index - 1], 'prev', 'Previous')}${link(pages[index + 1], 'next', 'Next')}</nav>`;
}
