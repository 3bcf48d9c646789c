import { type Html, html } from '../web/html.ts';
import { document, type Navigation } from './layout.ts';
import { alternativesOf } from './synonyms.ts';
import { texts } from './texts.ts';

export const SEARCH = '/search';

/** A longer query was pasted by mistake. */
const LONGEST_QUERY = 100;
const MAX_TERMS = 8;
const MAX_FOUND = 20;

/** A search result: a section of a guide, an operation of REST, or a code. */
export type Section = {
  /** Where it is, below the root, with its anchor. */
  readonly address: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  readonly folded: { readonly page: string; readonly heading: string; readonly text: string };
};

/** A text as it is compared: without case and accents. */
export const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase();

/** A word of a query, and where one of its alternatives begins. */
type Term = { readonly word: string; readonly otherwise: RegExp | null };

function termOf(word: string): Term {
  const alternatives = alternativesOf(word);
  const otherwise =
    alternatives.length === 0 ? null : new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})`, 'u');
  return { word, otherwise };
}

/**
 * The page of results that contain all words of a query. The search runs on this server; queries are not stored.
 */
export function searchPage(navigation: Navigation, sections: readonly Section[], sent: string): string {
  const query = sent.slice(0, LONGEST_QUERY);
  const words = texts[navigation.language].searching;
  const terms = folded(query).split(/\s+/).filter(Boolean).slice(0, MAX_TERMS).map(termOf);
  const found = terms.length === 0 ? [] : rank(sections, terms);
  const shown = found.slice(0, MAX_FOUND);
  const summary =
    terms.length > 0 &&
    html`<p role="status">${found.length === 0 ? words.none : words.found(found.length, shown.length)}</p>`;
  const body = html`<article class="prose"><h1>${words.title}</h1>
${searchForm(navigation, query)}
${summary}
<ol class="found">${shown.map((one) => item(navigation.root, one, terms))}</ol></article>`;
  const here = `${navigation.root}${SEARCH}?${new URLSearchParams({ q: query }).toString()}`;
  return document(navigation, { path: SEARCH, title: words.title, body, here });
}

/** The form that leads there. */
function searchForm({ root, language }: Navigation, query: string): Html {
  const { search, searching } = texts[language];
  return html`<form class="search" role="search" action="${root}${SEARCH}"><label>${searching.label} <input name="q" type="search" value="${query}" maxlength="${LONGEST_QUERY}" autocomplete="off" spellcheck="false"></label> <button>${search}</button></form>`;
}

/** The results that contain all words, the best first: a word in a heading weighs more than one in the text. */
function rank(sections: readonly Section[], terms: readonly Term[]): Section[] {
  const scored = sections.flatMap((one) => {
    const scores = terms.map((term) => Math.max(scoreOf(one, term.word), otherScoreOf(one, term)));
    return scores.includes(0) ? [] : [{ one, score: scores.reduce((sum, score) => sum + score, 0) }];
  });
  return scored.sort((a, b) => b.score - a.score).map(({ one }) => one);
}

function scoreOf({ folded: { page: title, heading, text } }: Section, word: string): number {
  const inHeading = heading === word ? 12 : heading.includes(word) ? 6 : 0;
  const inTitle = title.includes(word) ? 3 : 0;
  return inHeading + inTitle + Math.min(2, text.split(word, 3).length - 1);
}

/** What is called otherwise counts half of what is called as it was typed. */
function otherScoreOf({ folded: { page: title, heading, text } }: Section, { otherwise }: Term): number {
  if (otherwise === null) return 0;
  return (otherwise.test(heading) ? 3 : 0) + (otherwise.test(title) ? 2 : 0) + (otherwise.test(text) ? 1 : 0);
}

function item(
  root: string,
  { address, page: title, heading, text, folded: texts }: Section,
  terms: readonly Term[],
) {
  const name = heading === '' ? title : `${title}: ${heading}`;
  return html`<li><a href="${root}${address}">${name}</a><p>${excerpt(text, texts.text, terms)}</p></li>`;
}

const AROUND = 90;

/** The text around the first matching word. */
function excerpt(text: string, lower: string, terms: readonly Term[]): string {
  const placeOf = ({ word, otherwise }: Term) =>
    lower.includes(word) ? lower.indexOf(word) : otherwise === null ? -1 : lower.search(otherwise);
  const places = terms.map(placeOf).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...(places.length === 0 ? [0] : places)) - AROUND);
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const last = text.lastIndexOf(' ', start + 2 * AROUND);
  const end = text.length <= start + 2 * AROUND || last <= start ? start + 2 * AROUND : last;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end).trim()}${end < text.length ? ' …' : ''}`;
}
