import type { SSRData } from '@urql/core';

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
export type Begin = { readonly session: GivenSession | null; readonly answers: SSRData };

/** The id of the element that holds it. */
export const BEGIN = 'begin';

/** Read once: another token is asked for when this one is over. Null where the server sends none, as while the page is worked on. */
export function readBegin(): Begin | null {
  const element = document.getElementById(BEGIN);
  element?.remove();
  return element === null ? null : (JSON.parse(element.textContent) as Begin);
}
