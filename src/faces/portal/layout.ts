import { LANGUAGES, type Language } from '../../ground/lib/language.ts';
import type { Scope } from '../../subjects/accounts/entry/caller.ts';
import type { PortalVisitor } from '../../subjects/customers/shapes.ts';
import type { Look } from '../../subjects/documents/branding/branding.ts';
import { time } from '../web/format.ts';
import { bdi, type Content, type Html, html } from '../web/html.ts';
import { LIVE_SCRIPT } from '../web/live.ts';
import { stylesheet } from '../web/stylesheet.ts';
import { brandLinks, logoImage } from './brand.ts';
import { texts } from './texts.ts';
import type { Texts } from './texts-es.ts';

export const style = stylesheet([new URL('./style/pages.css', import.meta.url)]);

/** What every page knows. */
export type View = {
  readonly language: Language;
  readonly texts: Texts;
  /** The path that all of the portal's addresses begin with. */
  readonly root: string;
  /** The address of this page, for the links to it in other languages. */
  readonly here: string;
};

/** What the pages of an open visit know. */
export type VisitView = View & {
  readonly visitor: PortalVisitor;
  readonly scope: Scope;
  /** The merchant's colour and logo. */
  readonly look: Look;
  readonly formToken: string;
};

export function viewOf(language: Language, root: string, here: string): View {
  return { language, texts: texts[language], root, here };
}

type Page = {
  readonly title: string;
  readonly body: Content;
  /** Whether it shows what happens to the customer's invoices by itself. */
  readonly live?: boolean;
};

/** A whole page. Nothing comes from elsewhere, and nothing runs but what updates it: see the policies in web/. */
export function document(view: View | VisitView, { title, body, live = false }: Page): string {
  const { language, texts, root } = view;
  const visit = 'visitor' in view ? view : null;
  const merchant = visit?.scope.issuer.legalName;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}${merchant !== undefined && ` · ${merchant}`}</title>
<link rel="stylesheet" href="${root}/${style.address}">
${visit && brandLinks(root, visit.look)}
</head>
<body>
<a class="skip" href="#content">${texts.skip}</a>
<header class="top">
${visit?.scope.environment === 'test' && html`<p class="test-banner">${texts.test}</p>`}
<div class="wide">
${brand(view, visit)}
<nav class="languages" aria-label="${texts.languages}">${LANGUAGES.map((other) => languageLink(view, other))}</nav>
${visit && signOutForm(visit)}
</div></header>
<main id="content" class="wide" tabindex="-1"${live && html` data-live="${root}/live"`}>
${body}
</main>
${visit && footer(visit)}
${live && LIVE_SCRIPT}
</body>
</html>
`;
  return page.markup;
}

function brand({ root }: View, visit: VisitView | null): Html {
  if (visit === null) return html`<span class="brand">${sealed('Lacre')}</span>`;
  const { legalName } = visit.scope.issuer;
  return html`<a class="brand" href="${root}">${logoImage(root, visit.look, legalName) ?? sealed(legalName)}</a>`;
}

function sealed(name: string): Html {
  const initial = [...name][0] ?? '';
  return html`<span class="seal" aria-hidden="true">${initial}</span> <span class="name">${bdi(name)}</span>`;
}

function languageLink({ language, here }: View, other: Language): Html {
  const [path = '', query = ''] = here.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('lang', other);
  const current = language === other && html` aria-current="true"`;
  return html`<a href="${path}?${parameters.toString()}" lang="${other}" hreflang="${other}"${current}><span class="long">${texts[other].language}</span><span class="short" aria-hidden="true">${other.toUpperCase()}</span></a>`;
}

function signOutForm({ root, texts, formToken }: VisitView): Html {
  return html`<form class="leave" method="post" action="${root}/leave"><input type="hidden" name="token" value="${formToken}">
<button class="quiet">${texts.signOut}</button></form>`;
}

function footer({ visitor, scope, texts, language }: VisitView): Html {
  const { legalName, nif } = scope.issuer;
  const back = visitor.returnUrl;
  return html`<footer class="wide">
<p>${bdi(legalName)} · NIF ${nif}</p>
<p>${texts.ends(time(visitor.expiresAt, language))}</p>
${back !== null && html`<p><a href="${back}" rel="noreferrer">${texts.back(new URL(back).host)}</a></p>`}
</footer>`;
}

/** A page with only a message. */
export function notice(
  view: View | VisitView,
  { title, text }: { readonly title: string; readonly text: string },
  more: Content = null,
): string {
  const body = html`<section class="card notice"><h1>${title}</h1><p>${text}</p>${more}</section>`;
  return document(view, { title, body });
}
