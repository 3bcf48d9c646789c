import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { App } from './app.tsx';
import { createClient } from './client.ts';
import { openSession } from './session.ts';
import './style.css';

const root = createRoot(document.getElementById('app')!);
root.render(<p className="page">Loading…</p>);
try {
  const client = createClient(await openSession());
  root.render(
    <StrictMode>
      <Provider value={client}>
        <App />
      </Provider>
    </StrictMode>,
  );
} catch {
  root.render(
    <main className="page">
      <div role="alert" className="trouble">
        <p>This page has no connection to its server.</p>
        <button type="button" className="link" onClick={() => location.reload()}>
          Load it again
        </button>
      </div>
    </main>,
  );
}
