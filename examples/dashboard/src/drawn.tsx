import { Client, ssrExchange } from '@urql/core';
import { renderToString } from 'react-dom/server';
import type { Draw } from './begin.ts';
import { speak } from './language.ts';
import { WholePage } from './parts/whole-page.tsx';

/**
 * The list of invoices as HTML, for the page's server: it is seen before any script has run. The page goes on with the same elements,
 * because it draws the same of the same answers.
 */
export const draw: Draw = (session, { answers, spoken }) => {
  speak(spoken);
  const sentAlong = ssrExchange({ isClient: true, initialState: answers });
  const client = new Client({ url: session.graphqlUrl, preferGetMethod: false, exchanges: [sentAlong] });
  return renderToString(<WholePage client={client} session={session} />);
};
