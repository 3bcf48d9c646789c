import { CAUSES, type Cause } from '../../ground/lib/causes.ts';
import type { Language } from '../../ground/lib/language.ts';
import { bdi, type Content, type Html, html } from '../web/html.ts';
import { LIVE_SCRIPT } from '../web/live.ts';
import { stylesheet } from '../web/stylesheet.ts';
import { age, moment, number } from './format.ts';
import type { CompanyScope, PageContent } from './page.ts';
import type { OpenSession } from './session.ts';
import { type Label, say, sayWith, spokenLanguage, type Text, worded } from './words.ts';

export const style = stylesheet([
  new URL('./style/frame.css', import.meta.url),
  new URL('./style/pages.css', import.meta.url),
]);

/** The warning that the Order demands while anything that was held up is unsent (HAC/1177/2024 art. 16.4). */
export type Incident = {
  readonly since: string;
  readonly pendingRecords: number;
  readonly oldestPendingAt: string;
};

export type Link = { readonly address: string; readonly name: Text; readonly current: boolean };

/** Where a page stands: the path that all of the console’s addresses begin with, and its own address. */
export type Place = { readonly root: string; readonly here: string };

/** What stands around every page of an open session. */
export type Frame = Place & {
  readonly session: OpenSession;
  readonly menu: readonly Link[];
  /** The groups of a company’s pages, and the pages of the current one. */
  readonly tabs: readonly Link[];
  readonly tabsOfGroup: readonly Link[];
  readonly flash: string | null;
  readonly incident: Incident | null;
  readonly causes: readonly Cause[];
};

/** A whole page. Nothing comes from elsewhere, and nothing runs but what updates it: see the policies in web/. */
function document({ root }: Place, title: string, body: Content, live = false): string {
  const page = html`<!doctype html>
<html lang="${spokenLanguage()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${say('{title} · Lacre console', { title })}</title>
<link rel="stylesheet" href="${root}/${style.address}">
</head>
<body class="console">
<a class="skip" href="#content">${say('Skip to the content')}</a>
${body}
${live && LIVE_SCRIPT}
</body>
</html>
`;
  return page.markup;
}

/** A page of an open session, in its frame. */
export function renderFrame(frame: Frame, { title, body, companyScope, live = false }: PageContent): string {
  const { root, session, flash, incident, causes } = frame;
  return document(
    frame,
    companyScope === undefined ? worded(title) : `${worded(title)} · ${companyScope.legalName}`,
    html`<header class="top"><div class="bar">
${brand(root)}
<form class="search" method="get" action="${root}/find" role="search" aria-label="${say('Search everything')}"><label class="unseen" for="find-text">${say('Invoice number, id, company or NIF')}</label>
<input type="search" id="find-text" name="text" placeholder="${say('Invoice number, id, company or NIF')}" maxlength="200" autocomplete="off"><button>${say('Search')}</button></form>
${languages(frame)}
<form class="leave" method="post" action="${root}/leave"><span class="who">${bdi(session.operator.name)}</span>
<input type="hidden" name="token" value="${session.formToken}"><button class="quiet">${say('Sign out')}</button></form>
</div></header>
<div class="frame">
<nav class="menu" aria-label="${say('Console')}">${frame.menu.map(link)}</nav>
<main id="content" tabindex="-1"${live && companyScope !== undefined && html` data-live="${root}/live/${companyScope.companyId}/${companyScope.environment}"`}>
${causes.length > 0 && standing(causes)}
${incident !== null && warning(root, incident)}
${flash !== null && html`<p class="card done" role="status">${flash}</p>`}
${companyScope !== undefined && band(companyScope, frame)}
${body}
<footer><p>${signedInAs(session)}</p></footer>
</main>
</div>`,
    live,
  );
}

function signedInAs({ operator: { name, keyPrefix }, expiresAt }: OpenSession): Html {
  const facts = { name: bdi(name), when: moment(expiresAt.toISOString()) };
  if (keyPrefix === null) return sayWith('Signed in as {name} until {when}. Times are Madrid’s.', facts);
  return sayWith('Signed in as {name} (key {key}) until {when}. Times are Madrid’s.', {
    ...{ ...facts, key: html`<code>${keyPrefix}…</code>` },
  });
}

/** The way to the same page in another language. */
function languages({ here }: Place): Html {
  const way = (language: Language, name: string): Html =>
    html`<a href="${here}${here.includes('?') ? '&' : '?'}lang=${language}" lang="${language}" hreflang="${language}"${language === spokenLanguage() && html` aria-current="true"`}><span class="long">${name}</span><span class="short" aria-hidden="true">${language.toUpperCase()}</span></a>`;
  return html`<nav class="languages" aria-label="${say('Language')}">${way('es', 'Español')}${way('en', 'English')}</nav>`;
}

function brand(root: string): Html {
  return html`<a class="brand" href="${root}"><span class="seal" aria-hidden="true">L</span> <span class="name">Lacre <span class="soft">${say('console')}</span></span></a>`;
}

function link({ address, name, current }: Link): Html {
  return html`<a href="${address}"${current && html` aria-current="page"`}>${say(name)}</a>`;
}

function standing(causes: readonly Cause[]): Html {
  return html`<section class="card warning" aria-label="${say('What needs you now')}">${causes.map(
    (cause) => html`<p><strong>${say(CAUSES[cause])}</strong></p>`,
  )}</section>`;
}

function warning(root: string, { since, pendingRecords, oldestPendingAt }: Incident): Html {
  const records =
    pendingRecords === 1
      ? say('1 record is not sent yet, the oldest for {time}.', { time: age(oldestPendingAt) })
      : say('{count} records are not sent yet, the oldest for {time}.', {
          ...{ count: number(pendingRecords), time: age(oldestPendingAt) },
        });
  return html`<section class="card warning" aria-labelledby="incident"><h2 id="incident">${say('Sending to the tax agency is delayed')}</h2>
<p>${records} ${sayWith('The incident began {when}.', { when: moment(since) })} <a href="${root}">${say('What to do')}</a></p></section>`;
}

function band(
  { companyId, legalName, nif, environment }: CompanyScope,
  { root, tabs, tabsOfGroup }: Frame,
): Html {
  return html`<div class="band"><p class="companyScope"><a href="${root}/companies/${companyId}">${bdi(legalName)}</a>${
    nif !== undefined && html` <span class="soft">${nif}</span>`
  }${environment !== undefined && html` <span class="environment ${environment}">${say(environment)}</span>`}</p>
${tabs.length > 0 && html`<nav class="tabs" aria-label="${say('Company')}">${tabs.map(link)}</nav>`}${tabsOfGroup.length > 1 && html`<nav class="tabs within" aria-label="${say('Pages of the group')}">${tabsOfGroup.map(link)}</nav>`}</div>`;
}

/** A page with only a message, with the frame or without. */
export function notice(title: Label, text: Content, more: Content = null): PageContent {
  return {
    title,
    body: html`<section class="card notice"><h1>${worded(title)}</h1><p>${text}</p>${more}</section>`,
  };
}

/** A page without a session: it shows no data, and is available even when the database is not. */
export function bare(place: Place, { title, body }: PageContent): string {
  return document(
    place,
    worded(title),
    html`<header class="top"><div class="bar">${brand(place.root)}${languages(place)}</div></header>
<main id="content" class="wide" tabindex="-1">
${body}
</main>`,
  );
}

/** The id of the request in the log, for support. */
export function requestIdLine(requestId: string): Html {
  return html`<p class="hint">${say('Request')} <code>${requestId}</code></p>`;
}
