import { html } from '../web/html.ts';
import { GUIDES, type Guide, SPANISH } from './guides.ts';
import { document, type Entry, foreign, type Group, type Navigation } from './layout.ts';
import { render } from './markdown.ts';
import { type Texts, texts } from './texts.ts';

/** Guides with this number or more are for operators. */
const FIRST_FOR_OPERATORS = 80;

const entryOf = ({ slug, title, summary, language }: Guide): Entry => {
  return { path: `/${slug}`, title, summary, language };
};

/** The groups of guides by their readers. */
export function groupsOf(guides: readonly Guide[], { building, running }: Texts['groups']): Group[] {
  const within = (forOperators: boolean) =>
    guides.filter(({ order }) => order >= FIRST_FOR_OPERATORS === forOperators).map(entryOf);
  return [
    { title: building, entries: within(false), inOrder: true },
    { title: running, entries: within(true), inOrder: true },
  ];
}

/** The targets of a guide's links and pictures in the served pages: guides as pages, pictures as copies. */
function resolveIn(root: string, guide: Guide): (target: string) => string {
  return (target) => {
    if (/^(#|https?:)/.test(target)) return target;
    if (target.startsWith('/')) return root.replace(/\/docs$/, '') + target;
    const [file = '', anchor] = target.split('#');
    const [, slug] = /^(?:\.\.\/)?([\w-]+)\.md$/.exec(file) ?? [];
    if (slug !== undefined) return `${root}/${slug}${anchor === undefined ? '' : `#${anchor}`}`;
    return `${root}/pictures/${pictureName(target, guide)}`;
  };
}

/** A picture's path below the folder `docs`, `portal/list.png`, from how a guide writes it. */
function pictureName(target: string, { language }: Guide): string {
  const docs = new URL('../', GUIDES).href;
  const { href } = new URL(target, language === 'es' ? SPANISH : GUIDES);
  if (!href.startsWith(docs) || !href.endsWith('.png'))
    throw new Error(`${target} is not a picture below docs`);
  return href.slice(docs.length);
}

/** The pictures that the guides show, by their paths below the folder `docs`. */
export function picturesOf(guides: readonly Guide[]): ReadonlySet<string> {
  const shown = guides.flatMap((guide) =>
    [...guide.body.matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, target]) => pictureName(target!, guide)),
  );
  return new Set(shown);
}

/** A code block that tests run; others are marked after their language. */
const NEEDS_SHELL = /^```(bash|sql|graphql)( operator)?$/m;

/** A guide as a page. */
export function guidePage(navigation: Navigation, guide: Guide): string {
  const { markup, headings } = render(guide, resolveIn(navigation.root, guide));
  const { shell, shellLink } = texts[guide.language];
  const link = html`<a href="${navigation.root}/first-invoice#before-you-begin">${shellLink}</a>`;
  const first = guide.slug === 'first-invoice';
  const before = !first && NEEDS_SHELL.test(guide.body) && html`<p class="note">${shell(link)}</p>`;
  const body = html`<article class="prose"><h1>${guide.title}</h1><p class="lead">${guide.summary}</p>${before}${markup}</article>`;
  return document(navigation, {
    path: `/${guide.slug}`,
    title: guide.title,
    body,
    headings,
    language: guide.language,
  });
}

/** The first page: what there is, by whom it is for. */
export function homePage(navigation: Navigation): string {
  const card = ({ path, title, summary, ...entry }: Entry) =>
    html`<li class="card"${foreign(entry, navigation)}><h3><a href="${navigation.root}${path}">${title}</a></h3><p>${summary}</p></li>`;
  const groups = navigation.groups.map(
    ({ title, entries }) =>
      html`<section><h2>${title}</h2><ul class="cards">${entries.map(card)}</ul></section>`,
  );
  const body = html`<h1>Lacre</h1>
<p class="lead">${texts[navigation.language].home}</p>
${groups}`;
  return document(navigation, { path: '', title: 'Lacre', body });
}
