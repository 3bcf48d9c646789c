import type { VariablesOf } from 'gql.tada';
import { useRef, useState } from 'react';
import { useQuery } from 'urql';
import { InvoiceList } from '../documents.ts';
import { inNumbers } from '../format.ts';
import { t, words } from '../language.ts';
import { InvoiceTable } from '../parts/invoice-table.tsx';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { go, href } from '../route.ts';

type Variables = VariablesOf<typeof InvoiceList>;
type Filter = NonNullable<Variables['filter']>;
type Order = NonNullable<Variables['orderBy']>;
type OneOf<Name extends keyof Filter> =
  NonNullable<Filter[Name]> extends readonly (infer Value)[] ? Value : never;

const PAGE = 20;
const PAUSE_MS = 300;
const types: readonly OneOf<'type'>[] = ['complete', 'simplified'];
const registrations: readonly OneOf<'registrationStatus'>[] = [
  ...(['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped'] as const),
];
const payments: readonly OneOf<'paymentStatus'>[] = [
  ...(['unpaid', 'partially_paid', 'overdue', 'paid', 'credited'] as const),
];
const orders: Record<string, Order> = {
  newest: { field: 'ISSUED_AT', direction: 'DESC' },
  oldest: { field: 'ISSUED_AT', direction: 'ASC' },
  largest: { field: 'TOTAL', direction: 'DESC' },
  recipient: { field: 'RECIPIENT_NAME', direction: 'ASC' },
  due_first: { field: 'DUE_ON', direction: 'ASC' },
  most_due: { field: 'AMOUNT_DUE', direction: 'DESC' },
};

/** What is chosen stands in the address: a list can be kept, sent to somebody and come back to. */
function variablesOf(chosen: URLSearchParams): Variables {
  const value = (name: string) => chosen.get(name) || null;
  const from = value('from');
  const to = value('to');
  const type = types.find((each) => each === value('type'));
  const registration = registrations.find((each) => each === value('registration'));
  const payment = payments.find((each) => each === value('payment'));
  const filter: Filter = {
    ...(value('text') === null ? {} : { text: value('text') }),
    ...(type === undefined ? {} : { type: [type] }),
    ...(registration === undefined ? {} : { registrationStatus: [registration] }),
    ...(payment === undefined ? {} : { paymentStatus: [payment] }),
    ...(from === null && to === null ? {} : { issuedOn: { from, to } }),
  };
  const before = value('before');
  const page = before === null ? { first: PAGE, after: value('after') } : { last: PAGE, before };
  return { filter, orderBy: orders[value('order') ?? 'newest'] ?? null, ...page };
}

export function InvoicesPage({ chosen }: { chosen: URLSearchParams }) {
  const [{ data, error, fetching, stale }, retry] = useQuery({
    query: InvoiceList,
    variables: variablesOf(chosen),
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
        {choose('type', t('Type'), types, t('any'))}
        {choose('registration', t('Registration'), registrations, t('any'))}
        {choose('payment', t('Payment'), payments, t('any'))}
        {on('from', t('From'))}
        {on('to', t('Until'))}
        {choose('order', t('Order'), Object.keys(orders).slice(1), words('newest'))}
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
