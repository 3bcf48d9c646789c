import { agencyDate, madridDay } from '../../ground/lib/calendar.ts';
import type { Declaration } from '../../subjects/declaration/declaration.ts';
import { type Html, html } from '../web/html.ts';
import { document, type Navigation } from './layout.ts';

/**
 * The page of the producer's declaration: Orden HAC/1177/2024 art. 15.3 requires it to be readable, separate and
 * quickly found.
 */
export const DECLARATION = '/declaracion-responsable';
const TITLE = 'Declaración responsable';

/** The page with the declaration in force and the older ones, each of which can be downloaded as text. */
export function declarationPage(
  navigation: Navigation,
  current: Declaration,
  older: readonly Declaration[],
): string {
  const [title = '', ...paragraphs] = current.text.trimEnd().split('\n\n');
  const link = ({ version, sha256, firstRunAt }: Declaration) =>
    html`<a href="${navigation.root}${DECLARATION}/${sha256}">Versión ${version}</a>, desde el ${agencyDate(madridDay(firstRunAt)).replaceAll('-', '/')}`;
  const before =
    older.length > 0 &&
    html`<h2>Versiones anteriores</h2><ul>${older.map((declaration) => html`<li>${link(declaration)}</li>`)}</ul>`;
  const body = html`<article class="prose declaration"><h1>${title}</h1>${paragraphs.map(paragraphOf)}<h2>Descarga</h2><p>${link(current)} (texto)</p>${before}</article>`;
  return document(navigation, { path: DECLARATION, title: TITLE, body, language: 'es' });
}

function paragraphOf(paragraph: string): Html {
  const [, label, text] = /^([^:]{1,200}:) (.*)$/s.exec(paragraph) ?? [];
  if (label === undefined || text === undefined) return html`<h2>${paragraph}</h2>`;
  return html`<p><strong>${label}</strong> ${text}</p>`;
}
