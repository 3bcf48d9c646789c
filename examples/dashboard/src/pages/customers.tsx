import { useState } from 'react';
import { useQuery } from 'urql';
import { CustomerList } from '../documents-customers.ts';
import { t } from '../language.ts';
import { useSettled } from '../parts/recipient-fields.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { href } from '../route.ts';

const PAGE = 50;

/** Customers, found as one types. */
export function CustomersPage({ chosen }: { chosen: URLSearchParams }) {
  const [typed, setTyped] = useState('');
  const text = useSettled(typed.trim());
  const variables = { text: text === '' ? null : text, first: PAGE, after: chosen.get('after') };
  const [{ data, error }, retry] = useQuery({ query: CustomerList, variables });
  useTitle(t('Customers'));
  const list = data?.customers;
  const customers = (list?.edges ?? []).flatMap(({ node }) => (node === null ? [] : [node]));
  const columns: readonly Column<(typeof customers)[number]>[] = [
    {
      title: t('Name'),
      cell: ({ externalCustomerId, companyName, name }) => (
        <a href={href(`customers/${encodeURIComponent(externalCustomerId)}`)}>
          {companyName ?? name ?? externalCustomerId}
        </a>
      ),
    },
    { title: t('NIF'), cell: ({ taxId }) => taxId ?? '—' },
    { title: t('City'), cell: ({ address }) => address?.city ?? '—' },
    { title: t('E-mail'), cell: ({ email }) => email ?? '—' },
  ];
  return (
    <>
      <h1>{t('Customers')}</h1>
      <search className="filters open">
        <label className="wide">
          {t('Search')}
          <input
            type="search"
            value={typed}
            placeholder={t('Name, NIF, e-mail')}
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
      </search>
      {error !== undefined && <Trouble error={error} onRetry={retry} />}
      {!list && error === undefined && <p>{t('Loading…')}</p>}
      {list && (
        <div className="table">
          <Table rows={customers} keyOf={({ id }) => id} columns={columns} />
          {list.edges.length === 0 && <p>{t('No customer matches.')}</p>}
        </div>
      )}
      {list?.pageInfo.hasNextPage === true && (
        <nav className="pages" aria-label={t('Pages')}>
          <a href={href('customers', { after: list.pageInfo.endCursor })}>{t('Next ›')}</a>
        </nav>
      )}
    </>
  );
}
