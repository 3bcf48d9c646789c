import { readFileSync } from 'node:fs';
import { html } from '../web/html.ts';
import { document, type Navigation } from './layout.ts';
import { render } from './markdown.ts';
import { texts } from './texts.ts';

export const CHANGELOG = '/changelog';

const FILE = new URL('../../../CHANGELOG.md', import.meta.url);

/** /docs/changelog: CHANGELOG.md, whose links name files of the repository. */
export function changelogPage(navigation: Navigation): string {
  // Only guides are pages: of other links the text stays.
  const text = readFileSync(FILE, 'utf8')
    .replace(/^# .*\n/, '')
    .replace(/\[([^\]]+)\]\((?!docs\/guides\/)[^)]+\)/g, '$1');
  const { title } = texts[navigation.language].pages.changelog;
  const { markup, headings } = render({ body: text, language: 'en', original: text }, (target) =>
    target.replace(/^docs\/guides\/([\w-]+)\.md/, `${navigation.root}/$1`),
  );
  const lang = navigation.language !== 'en' && html` lang="${navigation.language}"`;
  const body = html`<article class="prose"><h1${lang}>${title}</h1>${markup}</article>`;
  return document(navigation, { path: CHANGELOG, title, body, headings, language: 'en' });
}
