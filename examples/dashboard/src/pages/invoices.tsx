import { useRef, useState } from 'react';
import { useQuery } from 'urql';
import { InvoiceList } from '../documents.ts';
import { inNumbers } from '../format.ts';
import { t, words } from '../language.ts';
import { listVariables, ORDERS, PAYMENTS, REGISTRATIONS, TYPES } from '../list-variables.ts';
import { InvoiceTable } from '../parts/invoice-table.tsx';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { go, href } from '../route.ts';

const PAUSE_MS = 300;

export function InvoicesPage({ chosen }: { chosen: URLSearchParams }) {
  const [{ data, error, fetching, stale }, retry] = useQuery({
    query: InvoiceList,
    variables: listVariables(chosen),
  });
  useTitle(t('Invoices'));
  const list = data?.invoices;
  const count =
    list?.totalCount != null && `${inNumbers(list.totalCount)}${list.totalCountIsExact ? '' : '+'}`;
  return (
    <>
      <div className="head">
        <h1>{t('Invoices')}</h1>
        <p role="status">{count ? t('{count} found', { count }) : ''}</p>
      </div>
      <Filters chosen={chosen} />
      {error !== undefined && <Trouble error={error} onRetry={retry} />}
      {!list && error === undefined && <p>{t('Loading…')}</p>}
      {list && (
        <div className={fetching || stale ? 'table late' : 'table'}>
          <InvoiceTable invoices={list.edges.flatMap(({ node }) => (node === null ? [] : [node]))} />
          {list.edges.length === 0 && (
            <p>{chosen.size === 0 ? t('There are no invoices yet.') : t('No invoice matches.')}</p>
          )}
        </div>
      )}
      {list && <Pages chosen={chosen} info={list.pageInfo} />}
    </>
  );
}

const NAMES = ['text', 'type', 'registration', 'payment', 'from', 'to', 'order'] as const;
type Name = (typeof NAMES)[number];
type Values = Readonly<Record<Name, string>>;

const valuesOf = (chosen: URLSearchParams) =>
  Object.fromEntries(NAMES.map((name) => [name, chosen.get(name) ?? ''])) as Values;

function Filters({ chosen }: { chosen: URLSearchParams }) {
  const [values, setValues] = useState(() => valuesOf(chosen));
  const [isOpen, setOpen] = useState(false);
  /** What was searched last: while its answer comes, somebody may type on. */
  const [searched, setSearched] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [address, setAddress] = useState(String(chosen));
  // Another address, as by the button Back, fills the fields in again; the one that has the focus keeps it.
  if (address !== String(chosen)) {
    setAddress(String(chosen));
    const typed = (chosen.get('text') ?? '') === searched ? { text: values.text } : {};
    setValues({ ...valuesOf(chosen), ...typed });
  }
  const change = (name: Name, { value, validity }: HTMLInputElement | HTMLSelectElement) => {
    const changed = { ...values, [name]: value };
    setValues(changed);
    // Of a date that is being typed the year is not there yet, or not all of it.
    if (validity.valid) go('invoices', changed);
  };
  const search = (wanted: Values, how: 'push' | 'replace') => {
    clearTimeout(timer.current);
    const text = wanted.text.trim();
    setSearched(text);
    go('invoices', { ...wanted, text }, how);
  };
  /** Searches once nobody has typed for a moment; all that is typed is one step of the history. */
  const type = ({ value }: HTMLInputElement) => {
    const changed = { ...values, text: value };
    setValues(changed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search(changed, chosen.has('text') ? 'replace' : 'push'), PAUSE_MS);
  };
  const choose = (name: Name, label: string, options: readonly string[], any: string) => (
    <label>
      {label}
      <select value={values[name]} onChange={({ target }) => change(name, target)}>
        <option value="">{any}</option>
        {options.map((each) => (
          <option key={each} value={each}>
            {words(each)}
          </option>
        ))}
      </select>
    </label>
  );
  const on = (name: Name, label: string) => (
    <label>
      {label}
      <input
        type="date"
        min="1900-01-01"
        value={values[name]}
        onChange={({ target }) => change(name, target)}
      />
    </label>
  );
  return (
    <search>
      <button type="button" className="quiet fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t('Filters')}
      </button>
      <form
        className={isOpen ? 'filters open' : 'filters'}
        onSubmit={(event) => {
          event.preventDefault();
          search(values, chosen.has('text') ? 'replace' : 'push');
        }}
      >
        <label className="wide">
          {t('Search')}
          <input
            type="search"
            value={values.text}
            onChange={({ target }) => type(target)}
            placeholder={t('Number, customer, description')}
          />
        </label>
        {choose('type', t('Type'), TYPES, t('any'))}
        {choose('registration', t('Registration'), REGISTRATIONS, t('any'))}
        {choose('payment', t('Payment'), PAYMENTS, t('any'))}
        {on('from', t('From'))}
        {on('to', t('Until'))}
        {choose('order', t('Order'), Object.keys(ORDERS).slice(1), words('newest'))}
        <button type="submit">{t('Search')}</button>
      </form>
    </search>
  );
}

type Info = {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
};

function Pages({ chosen, info }: { chosen: URLSearchParams; info: Info }) {
  const { after: _after, before: _before, ...same } = Object.fromEntries(chosen);
  if (!info.hasPreviousPage && !info.hasNextPage) return null;
  return (
    <nav className="pages" aria-label={t('Pages')}>
      {info.hasPreviousPage && (
        <a href={href('invoices', { ...same, before: info.startCursor })}>{t('‹ Previous')}</a>
      )}
      {info.hasNextPage && <a href={href('invoices', { ...same, after: info.endCursor })}>{t('Next ›')}</a>}
    </nav>
  );
}
