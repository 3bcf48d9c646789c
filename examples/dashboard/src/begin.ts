import type { SSRData } from '@urql/core';
import type { Spoken } from './language.ts';

/** What the page's server gives for a session: `goodForMs` is counted from when it was asked for. */
export type GivenSession = {
  readonly graphqlUrl: string;
  readonly token: string;
  readonly goodForMs: number;
  readonly scopes: readonly string[];
  /** How far the journal had come before anything was read. */
  readonly reached: number;
  readonly user: { readonly name: string; readonly role: 'owner' | 'staff' | 'adviser' };
};

/** What the page's server sends with the page: the session, null if nobody is signed in, and the answers to what is shown first. */
export type Begin = {
  readonly session: GivenSession | null;
  readonly answers: SSRData;
  /** How the server has written what it shows: the page goes on in the same way. */
  readonly spoken: Spoken;
};

/** The list of it as HTML (`src/drawn.tsx`). */
export type Draw = (session: GivenSession, begin: Begin) => string;

/** The id of the element that holds it. */
export const BEGIN = 'begin';

/** After the `#`, which no server is sent: the list of invoices with nothing chosen, which is what the server draws. */
export const WHOLE_LIST = /^(#\/?(invoices)?)?$/;

/** The class of a page that is opened at another place: what the server has drawn is not shown there. */
export const ELSEWHERE = 'elsewhere';

/** Read once: another token is asked for when this one is over. Null where the server sends none, as while the page is worked on. */
export const begin: Begin | null = readBegin();

function readBegin(): Begin | null {
  if (typeof document === 'undefined') return null;
  const element = document.getElementById(BEGIN);
  element?.remove();
  return element === null ? null : (JSON.parse(element.textContent) as Begin);
}
