import { bdi, type Content, type Html, html } from '../web/html.ts';
import { LIVE_SCRIPT } from '../web/live.ts';
import { stylesheet } from '../web/stylesheet.ts';
import { age, moment, number } from './format.ts';
import type { CompanyScope, PageContent } from './page.ts';
import type { OpenSession } from './session.ts';

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

export type Link = { readonly address: string; readonly name: string; readonly current: boolean };

/** What stands around every page of an open session. */
export type Frame = {
  readonly root: string;
  readonly session: OpenSession;
  readonly menu: readonly Link[];
  readonly tabs: readonly Link[];
  readonly flash: string | null;
  readonly incident: Incident | null;
};

/** A whole page. Nothing comes from elsewhere, and nothing runs but what updates it: see the policies in web/. */
function document(root: string, title: string, body: Content, live = false): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Lacre console</title>
<link rel="stylesheet" href="${root}/${style.address}">
</head>
<body class="console">
<a class="skip" href="#content">Skip to the content</a>
${body}
${live && LIVE_SCRIPT}
</body>
</html>
`;
  return page.markup;
}

/** A page of an open session, in its frame. */
export function renderFrame(frame: Frame, { title, body, companyScope, live = false }: PageContent): string {
  const { root, session, flash, incident } = frame;
  return document(
    root,
    companyScope === undefined ? title : `${title} · ${companyScope.legalName}`,
    html`<header class="top"><div class="bar">
${brand(root)}
<form class="search" method="get" action="${root}/find" role="search" aria-label="Search everything"><label class="unseen" for="find-text">Id, company or NIF</label>
<input type="search" id="find-text" name="text" placeholder="Id, company or NIF" maxlength="200" autocomplete="off"><button>Search</button></form>
<form class="leave" method="post" action="${root}/leave"><span class="who">${bdi(session.operator.name)}</span>
<input type="hidden" name="token" value="${session.formToken}"><button class="quiet">Sign out</button></form>
</div></header>
<div class="frame">
<nav class="menu" aria-label="Console">${frame.menu.map(link)}</nav>
<main id="content" tabindex="-1"${live && companyScope !== undefined && html` data-live="${root}/live/${companyScope.companyId}/${companyScope.environment}"`}>
${incident !== null && warning(root, incident)}
${flash !== null && html`<p class="card done" role="status">${flash}</p>`}
${companyScope !== undefined && band(companyScope, frame)}
${body}
<footer><p>Signed in as ${bdi(session.operator.name)} (key <code>${session.operator.keyPrefix}…</code>) until ${moment(session.expiresAt.toISOString())}. Times are Madrid’s.</p></footer>
</main>
</div>`,
    live,
  );
}

function brand(root: string): Html {
  return html`<a class="brand" href="${root}"><span class="seal" aria-hidden="true">L</span> <span class="name">Lacre <span class="soft">console</span></span></a>`;
}

function link({ address, name, current }: Link): Html {
  return html`<a href="${address}"${current && html` aria-current="page"`}>${name}</a>`;
}

function warning(root: string, { since, pendingRecords, oldestPendingAt }: Incident): Html {
  const records = pendingRecords === 1 ? '1 record is' : `${number(pendingRecords)} records are`;
  return html`<section class="card warning" aria-labelledby="incident"><h2 id="incident">Sending to the tax agency is delayed</h2>
<p>${records} not sent yet, the oldest for ${age(oldestPendingAt)}. The incident began ${moment(since)}. <a href="${root}">What to do</a></p></section>`;
}

function band({ companyId, legalName, nif, environment }: CompanyScope, { root, tabs }: Frame): Html {
  return html`<div class="band"><p class="companyScope"><a href="${root}/companies/${companyId}">${bdi(legalName)}</a>${
    nif !== undefined && html` <span class="soft">${nif}</span>`
  }${environment !== undefined && html` <span class="environment ${environment}">${environment}</span>`}</p>
${tabs.length > 0 && html`<nav class="tabs" aria-label="Company">${tabs.map(link)}</nav>`}</div>`;
}

/** A page with only a message, with the frame or without. */
export function notice(title: string, text: Content, more: Content = null): PageContent {
  return {
    title,
    body: html`<section class="card notice"><h1>${title}</h1><p>${text}</p>${more}</section>`,
  };
}

/** A page without a session: it shows no data, and is available even when the database is not. */
export function bare(root: string, { title, body }: PageContent): string {
  return document(
    root,
    title,
    html`<header class="top"><div class="bar">${brand(root)}</div></header>
<main id="content" class="wide" tabindex="-1">
${body}
</main>`,
  );
}

/** The id of the request in the log, for support. */
export function requestIdLine(requestId: string): Html {
  return html`<p class="hint">Request <code>${requestId}</code></p>`;
}
