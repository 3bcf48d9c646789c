import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { App } from './app.tsx';
import { createClient } from './client.ts';
import { openSession } from './session.ts';
import './style.css';

const root = createRoot(document.getElementById('app')!);
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
      <p role="alert">This page has no connection to its server. Load it again in a moment.</p>
    </main>,
  );
}
