import { readFragment } from 'gql.tada';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useQuery, useSubscription } from 'urql';
import { InvoiceChanged, InvoiceRow, WhoAmI } from './documents.ts';
import { words } from './format.ts';
import { liveState } from './live.ts';
import { InvoicePage } from './pages/invoice.tsx';
import { InvoicesPage } from './pages/invoices.tsx';
import { NewInvoicePage } from './pages/new-invoice.tsx';
import { RectifyPage } from './pages/rectify.tsx';
import { TotalsPage } from './pages/totals.tsx';
import { Boundary } from './parts/boundary.tsx';
import { Trouble } from './parts/trouble.tsx';
import { href, type Route, useRoute } from './route.ts';

function Page({ route: { path, chosen }, mayIssue }: { route: Route; mayIssue: boolean }) {
  const [first = 'invoices', id, action] = path;
  if (first === 'new') return <NewInvoicePage />;
  if (first === 'totals') return <TotalsPage chosen={chosen} />;
  if (id !== undefined && action === 'rectify') return <RectifyPage id={id} />;
  if (id !== undefined) return <InvoicePage id={id} mayIssue={mayIssue} />;
  return <InvoicesPage chosen={chosen} />;
}

export function App() {
  const route = useRoute();
  const [{ data, error }, retry] = useQuery({ query: WhoAmI });
  const main = useRef<HTMLElement>(null);
  const place = route.path.join('/') || 'invoices';
  const shown = useRef(place);
  // As a browser does with a new page: from its top, for readers of the screen too.
  useEffect(() => {
    if (shown.current === place) return;
    shown.current = place;
    scrollTo(0, 0);
    main.current?.focus();
  }, [place]);
  const mayIssue = data?.viewer?.scopes.includes('issue') ?? false;
  const [first = 'invoices'] = route.path;
  const current = (name: string) => (first === name ? 'page' : undefined);
  return (
    <>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header className="top">
        <div>
          <strong>{data?.viewer?.company?.legalName ?? 'Invoices'}</strong>
          {data?.viewer?.environment === 'test' && <span className="mark test">test</span>}
        </div>
        <nav aria-label="Main">
          <a href={href('invoices')} aria-current={current('invoices')}>
            Invoices
          </a>
          <a href={href('totals')} aria-current={current('totals')}>
            Totals
          </a>
          {mayIssue && (
            <a href={href('new')} aria-current={current('new')}>
              New invoice
            </a>
          )}
        </nav>
      </header>
      <main id="main" className="page" ref={main} tabIndex={-1}>
        {error !== undefined && <Trouble error={error} onRetry={retry} />}
        {data === undefined && error === undefined && <p>Loading…</p>}
        <Boundary key={place}>{data !== undefined && <Page route={route} mayIssue={mayIssue} />}</Boundary>
      </main>
      {data !== undefined && <LiveNews after={data.events?.edges[0]?.node.sequence ?? 0} />}
    </>
  );
}

/** Keeps the cache up to date, and says what has just happened. */
function LiveNews({ after }: { after: number }) {
  const [news, setNews] = useState('');
  const [begin] = useState(after);
  const isLive = useSyncExternalStore(liveState.subscribe, liveState.get);
  useSubscription(
    { query: InvoiceChanged, variables: { afterSequence: begin } },
    (_before: unknown, { invoiceChanged }) => {
      const changed = readFragment(InvoiceRow, invoiceChanged.invoice);
      if (changed) setNews(`${changed.number}: ${words(invoiceChanged.type.replace('invoice.', ''))}`);
      return invoiceChanged;
    },
  );
  return (
    <p className="news" role="status">
      {isLive ? news : 'Live updates are interrupted, and go on by themselves.'}
    </p>
  );
}
