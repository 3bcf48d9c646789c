import { type ReactNode, StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { App } from './app.tsx';
import { createClient } from './client.ts';
import { t, useLanguage } from './language.ts';
import { LoginPage } from './pages/login.tsx';
import { openSession, SignedOut } from './session.ts';
import './style.css';

/** Draws all of the page anew when another language is chosen, and says which it is. */
function InLanguage({ draw }: { draw: () => ReactNode }) {
  const language = useLanguage();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return draw();
}

const root = createRoot(document.getElementById('app')!);
const show = (draw: () => ReactNode) =>
  root.render(
    <StrictMode>
      <InLanguage draw={draw} />
    </StrictMode>,
  );
root.render(<p className="page">{t('Loading…')}</p>);
try {
  const session = await openSession();
  const client = createClient(session);
  show(() => (
    <Provider value={client}>
      <App session={session} />
    </Provider>
  ));
} catch (error) {
  show(() => (error instanceof SignedOut ? <LoginPage /> : <NoServer />));
}

function NoServer() {
  return (
    <main className="page">
      <div role="alert" className="trouble">
        <p>{t('This page has no connection to its server.')}</p>
        <button type="button" className="link" onClick={() => location.reload()}>
          {t('Load it again')}
        </button>
      </div>
    </main>
  );
}
