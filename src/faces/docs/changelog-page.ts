import { readFileSync } from 'node:fs';
import { html } from '../web/html.ts';
import { document, type Navigation } from './layout.ts';
import { render } from './markdown.ts';

export const CHANGELOG = {
  path: '/changelog',
  title: 'Changelog',
  summary: 'What each version has brought, for users and operators.',
};

const FILE = new URL('../../../CHANGELOG.md', import.meta.url);

/** /docs/changelog: CHANGELOG.md, whose links name files of the repository. */
export function changelogPage(navigation: Navigation): string {
  // Only guides are pages: of other links the text stays.
  const text = readFileSync(FILE, 'utf8')
    .replace(/^# .*\n/, '')
    .replace(/\[([^\]]+)\]\((?!docs\/guides\/)[^)]+\)/g, '$1');
  const { markup, headings } = render(text, (target) =>
    target.replace(/^docs\/guides\/([\w-]+)\.md/, `${navigation.root}/$1`),
  );
  const body = html`<article class="prose"><h1>${CHANGELOG.title}</h1>${markup}</article>`;
  return document(navigation, { path: CHANGELOG.path, title: CHANGELOG.title, body, headings });
}
