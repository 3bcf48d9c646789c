import { type Html, html } from '../web/html.ts';
import { document, type Navigation } from './layout.ts';
import { alternativesOf, anyNumberOf, wordsOf } from './synonyms.ts';
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

/** A word of a query, where it is one of its own, in the singular or the plural, and where one of its alternatives begins. */
type Term = { readonly word: string; readonly whole: RegExp; readonly otherwise: RegExp | null };

function termOf(word: string): Term {
  const alternatives = alternativesOf(word).map(anyNumberOf);
  const otherwise =
    alternatives.length === 0 ? null : new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})`, 'u');
  const whole = new RegExp(`(?<![\\p{L}\\p{N}_])${anyNumberOf(word)}(?![\\p{L}\\p{N}_])`, 'u');
  return { word, whole, otherwise };
}

/**
 * The page of results that contain all words of a query, or the most of them. The search runs on this server; queries
 * are not stored.
 */
export function searchPage(navigation: Navigation, sections: readonly Section[], sent: string): string {
  const query = sent.slice(0, LONGEST_QUERY);
  const words = texts[navigation.language].searching;
  const terms = wordsOf(folded(query)).slice(0, MAX_TERMS).map(termOf);
  const { found, all } = rank(sections, terms);
  const shown = found.slice(0, MAX_FOUND);
  const counted = all ? words.found(found.length, shown.length) : words.some;
  const summary = terms.length > 0 && html`<p role="status">${found.length === 0 ? words.none : counted}</p>`;
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

/**
 * The results that contain all words, or else the most of them, the best first: a word in a heading
 * weighs more than one in the text.
 */
function rank(
  sections: readonly Section[],
  terms: readonly Term[],
): { readonly found: readonly Section[]; readonly all: boolean } {
  const scored = sections.map((one) => {
    const scores = terms.map((term) => Math.max(scoreOf(one, term), otherScoreOf(one, term)));
    const missing = scores.filter((score) => score === 0).length;
    return { one, missing, score: scores.reduce((sum, score) => sum + score, 0) };
  });
  const fewest = Math.min(...scored.map(({ missing }) => missing));
  if (fewest === terms.length) return { found: [], all: false };
  const best = scored.filter(({ missing }) => missing === fewest).sort((a, b) => b.score - a.score);
  return { found: best.map(({ one }) => one), all: fewest === 0 };
}

/** A word of its own counts twice what is a part of another. */
function scoreOf({ folded: { page: title, heading, text } }: Section, { word, whole }: Term): number {
  const within = (place: string, weight: number) =>
    whole.test(place) ? weight : place.includes(word) ? weight / 2 : 0;
  const inHeading = heading === word ? 12 : within(heading, 6);
  const inText = whole.test(text) ? text.split(whole, 3).length - 1 : within(text, 1);
  return inHeading + within(title, 3) + inText;
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
  const placeOf = ({ word, whole, otherwise }: Term) =>
    [lower.search(whole), lower.indexOf(word), otherwise === null ? -1 : lower.search(otherwise)].find(
      (place) => place >= 0,
    ) ?? -1;
  const places = terms.map(placeOf).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...(places.length === 0 ? [0] : places)) - AROUND);
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const last = text.lastIndexOf(' ', start + 2 * AROUND);
  const end = text.length <= start + 2 * AROUND || last <= start ? start + 2 * AROUND : last;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end).trim()}${end < text.length ? ' …' : ''}`;
}
