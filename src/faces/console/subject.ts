import { bdi, type Content, type Html, html } from '../web/html.ts';
import { shortId } from './components.ts';
import { say } from './words.ts';

/** What actions of operators concern, and what they were asked to do with it. */

const PLACES: Readonly<Record<string, string>> = { inv: 'invoices', rec: 'records', co: 'companies' };

/** Where what it was done to can be seen. */
export function subjectLink(root: string, subject: string): Html {
  const chain = /^chain (\d+)$/.exec(subject)?.[1];
  if (chain !== undefined)
    return html`<a href="${root}/chains/${chain}">${say('chain {chain}', { chain })}</a>`;
  const place = PLACES[subject.split('_', 1)[0] ?? ''];
  const text = shortId(subject);
  return place === undefined ? text : html`<a href="${root}/${place}/${subject}">${text}</a>`;
}

export type Terms = { readonly reason: Content; readonly others: Content };

/** What an act that is to be approved was asked for with: its reason, and a line for each of its other arguments that says more than its subject. */
export function termsOf(subject: string, given: unknown): Terms {
  const { reason, ...others } = Object.fromEntries(Object.entries(given ?? {})) as Record<string, unknown>;
  const lines = Object.entries(others)
    .filter(([, value]) => JSON.stringify(value) !== JSON.stringify([subject]))
    .map(
      ([name, value]) =>
        html`<div><span class="soft">${inWords(name)}</span> ${typeof value === 'string' ? bdi(value) : JSON.stringify(value)}</div>`,
    );
  return { reason: bdi(String(reason)), others: lines.length === 0 ? '—' : html`${lines}` };
}

const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
