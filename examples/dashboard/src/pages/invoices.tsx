import { type FragmentOf, readFragment, type VariablesOf } from 'gql.tada';
import { useState } from 'react';
import { useQuery } from 'urql';
import { InvoiceList, InvoiceRow } from '../documents.ts';
import { euros, onDay, words } from '../format.ts';
import { Status } from '../parts/status.tsx';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { go, href } from '../route.ts';

type Variables = VariablesOf<typeof InvoiceList>;
type Filter = NonNullable<Variables['filter']>;
type Order = NonNullable<Variables['orderBy']>;
type OneOf<Name extends keyof Filter> =
  NonNullable<Filter[Name]> extends readonly (infer Value)[] ? Value : never;

const PAGE = 20;
const types: readonly OneOf<'type'>[] = ['complete', 'simplified'];
const registrations: readonly OneOf<'registrationStatus'>[] = [
  ...(['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped'] as const),
];
const orders: Record<string, Order> = {
  newest: { field: 'ISSUED_AT', direction: 'DESC' },
  oldest: { field: 'ISSUED_AT', direction: 'ASC' },
  largest: { field: 'TOTAL', direction: 'DESC' },
  recipient: { field: 'RECIPIENT_NAME', direction: 'ASC' },
};

/** What is chosen stands in the address: a list can be kept, sent to somebody and come back to. */
function variablesOf(chosen: URLSearchParams): Variables {
  const value = (name: string) => chosen.get(name) || null;
  const from = value('from');
  const to = value('to');
  const type = types.find((each) => each === value('type'));
  const registration = registrations.find((each) => each === value('registration'));
  const filter: Filter = {
    ...(value('text') === null ? {} : { text: value('text') }),
    ...(type === undefined ? {} : { type: [type] }),
    ...(registration === undefined ? {} : { registrationStatus: [registration] }),
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
  useTitle('Invoices');
  const list = data?.invoices;
  const count =
    list?.totalCount != null && `${list.totalCount.toLocaleString()}${list.totalCountIsExact ? '' : '+'}`;
  return (
    <>
      <div className="head">
        <h1>Invoices</h1>
        <p role="status">{count ? `${count} found` : ''}</p>
      </div>
      <Filters chosen={chosen} />
      {error !== undefined && <Trouble error={error} onRetry={retry} />}
      {!list && error === undefined && <p>Loading…</p>}
      {list && (
        <div className={fetching || stale ? 'table late' : 'table'}>
          <table className="cards">
            <thead>
              <tr>
                <th scope="col">Number</th>
                <th scope="col">Date</th>
                <th scope="col">Recipient</th>
                <th scope="col">Kind</th>
                <th scope="col">Status</th>
                <th scope="col" className="number">
                  Total
                </th>
              </tr>
            </thead>
            <tbody>
              {list.edges.map(({ node }) => (
                <Row key={readFragment(InvoiceRow, node).id} invoice={node} />
              ))}
            </tbody>
          </table>
          {list.edges.length === 0 && (
            <p>{chosen.size === 0 ? 'There are no invoices yet.' : 'No invoice matches.'}</p>
          )}
        </div>
      )}
      {list && <Pages chosen={chosen} info={list.pageInfo} />}
    </>
  );
}

function Row({ invoice }: { invoice: FragmentOf<typeof InvoiceRow> }) {
  const { id, number, invoiceDate, recipientName, kind, type, status, verifactu, total } = readFragment(
    InvoiceRow,
    invoice,
  );
  return (
    <tr>
      <th scope="row">
        <a href={href(`invoices/${id}`)}>{number}</a>
      </th>
      <td>{onDay(invoiceDate)}</td>
      <td>{recipientName ?? '—'}</td>
      <td>{kind === 'original' ? type : words(kind)}</td>
      <td>
        <Status status={status} registration={verifactu?.status} />
      </td>
      <td className="number">{euros(total)}</td>
    </tr>
  );
}

const NAMES = ['text', 'type', 'registration', 'from', 'to', 'order'] as const;
type Name = (typeof NAMES)[number];
type Values = Readonly<Record<Name, string>>;

const valuesOf = (chosen: URLSearchParams) =>
  Object.fromEntries(NAMES.map((name) => [name, chosen.get(name) ?? ''])) as Values;

function Filters({ chosen }: { chosen: URLSearchParams }) {
  const [values, setValues] = useState(() => valuesOf(chosen));
  const [address, setAddress] = useState(String(chosen));
  // Another address, as by the button Back, fills the fields in again; the one that has the focus keeps it.
  if (address !== String(chosen)) {
    setAddress(String(chosen));
    setValues(valuesOf(chosen));
  }
  const change = (name: Name, { value, validity }: HTMLInputElement | HTMLSelectElement, apply: boolean) => {
    const changed = { ...values, [name]: value };
    setValues(changed);
    // Of a date that is being typed the year is not there yet, or not all of it.
    if (apply && validity.valid) go('invoices', changed);
  };
  const choose = (name: Name, label: string, options: readonly string[], any: string) => (
    <label>
      {label}
      <select value={values[name]} onChange={({ target }) => change(name, target, true)}>
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
        onChange={({ target }) => change(name, target, true)}
      />
    </label>
  );
  return (
    <search>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault();
          go('invoices', values);
        }}
      >
        <label className="wide">
          Search
          <input
            type="search"
            value={values.text}
            onChange={({ target }) => change('text', target, false)}
            placeholder="Number, order, description"
          />
        </label>
        {choose('type', 'Type', types, 'any')}
        {choose('registration', 'Registration', registrations, 'any')}
        {on('from', 'From')}
        {on('to', 'To')}
        {choose('order', 'Order', Object.keys(orders).slice(1), 'newest')}
        <button type="submit">Search</button>
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
    <nav className="pages" aria-label="Pages">
      {info.hasPreviousPage && (
        <a href={href('invoices', { ...same, before: info.startCursor })}>‹ Previous</a>
      )}
      {info.hasNextPage && <a href={href('invoices', { ...same, after: info.endCursor })}>Next ›</a>}
    </nav>
  );
}
