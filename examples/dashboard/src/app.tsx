import { readFragment } from 'gql.tada';
import { type ComponentType, lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useQuery, useSubscription } from 'urql';
import { InvoiceChanged, InvoiceRow, WhoAmI } from './documents.ts';
import { t, words } from './language.ts';
import { liveState } from './live.ts';
import type { Act } from './pages/exchange.tsx';
import { InvoicesPage } from './pages/invoices.tsx';
import { Boundary } from './parts/boundary.tsx';
import { LanguageChoice } from './parts/language-choice.tsx';
import { href, type Route, useRoute } from './route.ts';
import { type Session, signOut } from './session.ts';

const others: (() => Promise<unknown>)[] = [];
/** The list is there at once; the scripts of other pages are loaded when somebody goes there, or nothing else is to be done. */
function later<Props>(load: () => Promise<ComponentType<Props>>) {
  others.push(load);
  return lazy(async () => ({ default: await load() }));
}
// Not every browser says when it is idle. What cannot be loaded now is loaded by whoever goes there.
const whenIdle = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 1_000));

const CorrectPage = later(async () => (await import('./pages/correct.tsx')).CorrectPage);
const CustomerPage = later(async () => (await import('./pages/customer.tsx')).CustomerPage);
const CustomersPage = later(async () => (await import('./pages/customers.tsx')).CustomersPage);
const DraftPage = later(async () => (await import('./pages/draft.tsx')).DraftPage);
const DraftsPage = later(async () => (await import('./pages/drafts.tsx')).DraftsPage);
const ExchangePage = later(async () => (await import('./pages/exchange.tsx')).ExchangePage);
const InvoicePage = later(async () => (await import('./pages/invoice.tsx')).InvoicePage);
const NewInvoicePage = later(async () => (await import('./pages/new-invoice.tsx')).NewInvoicePage);
const RecordPage = later(async () => (await import('./pages/record.tsx')).RecordPage);
const RectifyPage = later(async () => (await import('./pages/rectify.tsx')).RectifyPage);
const SchedulesPage = later(async () => (await import('./pages/schedules.tsx')).SchedulesPage);
const SettingsPage = later(async () => (await import('./pages/settings.tsx')).SettingsPage);
const TotalsPage = later(async () => (await import('./pages/totals.tsx')).TotalsPage);

type May = { readonly issue: boolean; readonly correct: boolean; readonly manage: boolean };

/** Which forms stand behind an invoice's page, and what is needed for each. */
const EXCHANGES: Readonly<Record<Act, keyof May>> = {
  ...{ exchange: 'issue', return: 'correct', replace: 'correct' },
};
const isAct = (action: string | undefined): action is Act => action !== undefined && action in EXCHANGES;

function Page({ route: { path, chosen }, may }: { route: Route; may: May }) {
  const [first = 'invoices', id, action] = path;
  if (first === 'totals') return <TotalsPage chosen={chosen} />;
  if (first === 'customers' && id !== undefined)
    return <CustomerPage key={id} id={id} mayIssue={may.issue} />;
  if (first === 'customers') return <CustomersPage chosen={chosen} />;
  if (first === 'drafts' && id !== undefined) return <DraftPage key={id} id={id} mayIssue={may.issue} />;
  if (first === 'drafts') return <DraftsPage />;
  if (first === 'schedules') return <SchedulesPage mayIssue={may.issue} />;
  if (first === 'new' && may.issue) return <NewInvoicePage />;
  if (first === 'correct' && may.issue) return <CorrectPage chosen={chosen} />;
  if (first === 'settings' && may.manage) return <SettingsPage />;
  if (id !== undefined && action === 'rectify' && may.issue) return <RectifyPage id={id} />;
  if (id !== undefined && isAct(action) && may[EXCHANGES[action]])
    return <ExchangePage id={id} act={action} />;
  if (id !== undefined && (action === 'void' || action === 'amend') && may.correct)
    return <RecordPage id={id} act={action} />;
  if (id !== undefined) return <InvoicePage id={id} may={may} />;
  return <InvoicesPage chosen={chosen} />;
}

type Props = { readonly session: Pick<Session, 'user' | 'scopes' | 'reached'> };

export function App({ session: { user, scopes, reached } }: Props) {
  const route = useRoute();
  const [{ data, error }, retry] = useQuery({ query: WhoAmI });
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    whenIdle(() => {
      for (const load of others) load().catch(() => {});
    });
  }, []);
  const place = route.path.join('/') || 'invoices';
  const shown = useRef(place);
  // As a browser does with a new page: from its top, for readers of the screen too.
  useEffect(() => {
    if (shown.current === place) return;
    shown.current = place;
    // Each page says itself what it cannot read; here only the name of the company is missing.
    if (error !== undefined) retry();
    scrollTo(0, 0);
    main.current?.focus();
  }, [place, error, retry]);
  const may = {
    ...{ issue: scopes.includes('issue'), correct: scopes.includes('correct') },
    manage: scopes.includes('manage'),
  };
  return (
    <>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {t('Skip to content')}
      </button>
      <header className="top">
        <div>
          <strong>{data?.viewer?.company?.legalName ?? t('Invoices')}</strong>
          {data?.viewer?.environment === 'test' && <span className="mark test">{t('test')}</span>}
        </div>
        <Menu may={may} current={route.path[0] ?? 'invoices'} />
        <p className="who">
          <LanguageChoice />
          <span>{`${user.name} (${words(user.role)})`}</span>
          <button type="button" className="link" onClick={() => signOut()}>
            {t('Sign out')}
          </button>
        </p>
      </header>
      <main id="main" className="page" ref={main} tabIndex={-1}>
        <Boundary key={place}>
          <Suspense fallback={<p>{t('Loading…')}</p>}>
            <Page route={route} may={may} />
          </Suspense>
        </Boundary>
      </main>
      <LiveNews after={reached} />
    </>
  );
}

function Menu({ may, current }: { may: May; current: string }) {
  const places = [
    ['invoices', t('Invoices')],
    ['customers', t('Customers')],
    ['drafts', t('Drafts')],
    ['schedules', t('Schedules')],
    ['totals', t('Totals')],
    ...(may.manage ? [['settings', t('Settings')]] : []),
    ...(may.issue ? [['new', t('New invoice')]] : []),
  ] as const;
  return (
    <nav aria-label={t('Main')}>
      {places.map(([path = '', name]) => (
        <a key={path} href={href(path)} aria-current={current === path ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** Keeps the cache up to date, and says what has just happened. */
function LiveNews({ after }: { after: number }) {
  const [news, setNews] = useState<readonly [number: string, what: string] | null>(null);
  const [begin] = useState(after);
  const isLive = useSyncExternalStore(liveState.subscribe, liveState.get, liveState.get);
  useSubscription(
    { query: InvoiceChanged, variables: { afterSequence: begin } },
    (_before: unknown, { invoiceChanged }) => {
      const changed = readFragment(InvoiceRow, invoiceChanged.invoice);
      if (changed) setNews([changed.number, invoiceChanged.type.replace('invoice.', '')]);
      return invoiceChanged;
    },
  );
  const said = news === null ? '' : `${news[0]}: ${words(news[1])}`;
  return (
    <p className="news" role="status">
      {isLive ? said : t('Live updates are interrupted, and go on by themselves.')}
    </p>
  );
}
