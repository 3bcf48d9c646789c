import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { begin, ELSEWHERE, WHOLE_LIST } from './begin.ts';
import { createClient } from './client.ts';
import { t } from './language.ts';
import { LoginPage } from './pages/login.tsx';
import { InLanguage, WholePage } from './parts/whole-page.tsx';
import { openSession, SignedOut } from './session.ts';

const app = document.getElementById('app')!;
const isList = WHOLE_LIST.test(location.hash);
/** The list is there already, as the page's server has drawn it. */
const isDrawn = isList && begin?.session != null && app.hasChildNodes();
if (!isDrawn) {
  app.replaceChildren(
    Object.assign(document.createElement('p'), { className: 'page', textContent: t('Loading…') }),
  );
  document.documentElement.classList.remove(ELSEWHERE);
}
try {
  const session = await openSession();
  const page = <WholePage client={createClient(session, isList)} session={session} />;
  // Where another browser writes a number or a day otherwise than the server, React draws anew what is there: nobody sees an error.
  if (isDrawn) hydrateRoot(app, page, { onRecoverableError() {} });
  else createRoot(app).render(page);
} catch (error) {
  const draw = () => (error instanceof SignedOut ? <LoginPage /> : <NoServer />);
  createRoot(app).render(
    <StrictMode>
      <InLanguage draw={draw} />
    </StrictMode>,
  );
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
