import { useState } from 'react';
import { useQuery } from 'urql';
import { CustomerList } from '../documents-customers.ts';
import { t } from '../language.ts';
import { useSettled } from '../parts/recipient-fields.tsx';
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
          <table className="cards">
            <thead>
              <tr>
                <th scope="col">{t('Name')}</th>
                <th scope="col">{t('NIF')}</th>
                <th scope="col">{t('City')}</th>
                <th scope="col">{t('E-mail')}</th>
              </tr>
            </thead>
            <tbody>
              {list.edges.map(({ node }) =>
                node === null ? null : (
                  <tr key={node.id}>
                    <th scope="row">
                      <a href={href(`customers/${encodeURIComponent(node.externalCustomerId)}`)}>
                        {node.companyName ?? node.name ?? node.externalCustomerId}
                      </a>
                    </th>
                    <td>{node.taxId ?? '—'}</td>
                    <td>{node.address?.city ?? '—'}</td>
                    <td>{node.email ?? '—'}</td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
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
