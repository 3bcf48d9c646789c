import type { Client } from '@urql/core';
import { type ReactNode, StrictMode, useEffect } from 'react';
import { Provider } from 'urql';
import { App } from '../app.tsx';
import { useLanguage } from '../language.ts';
import type { Session } from '../session.ts';

/** Draws all of the page anew when another language is chosen, and says which it is. */
export function InLanguage({ draw }: { draw: () => ReactNode }) {
  const language = useLanguage();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return draw();
}

type Props = { readonly client: Client; readonly session: Pick<Session, 'user' | 'scopes' | 'reached'> };

/** What somebody sees who is signed in. The page's server draws it too, and the page goes on with what is there. */
export function WholePage({ client, session }: Props) {
  const draw = () => (
    <Provider value={client}>
      <App session={session} />
    </Provider>
  );
  return (
    <StrictMode>
      <InLanguage draw={draw} />
    </StrictMode>
  );
}
