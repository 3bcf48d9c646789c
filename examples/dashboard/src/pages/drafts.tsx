import { useQuery } from 'urql';
import { DraftList } from '../documents-drafts.ts';
import { euros, onDay } from '../format.ts';
import { t } from '../language.ts';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { href } from '../route.ts';

/** What is to be issued later. */
export function DraftsPage() {
  const [{ data, error }, retry] = useQuery({ query: DraftList });
  useTitle(t('Drafts'));
  const drafts = data?.invoiceDrafts?.edges ?? [];
  return (
    <>
      <h1>{t('Drafts')}</h1>
      {error !== undefined && <Trouble error={error} onRetry={retry} />}
      {data === undefined && error === undefined && <p>{t('Loading…')}</p>}
      {data !== undefined && drafts.length === 0 && <p>{t('There are no drafts.')}</p>}
      {drafts.length > 0 && (
        <div className="table">
          <table className="cards">
            <thead>
              <tr>
                <th scope="col">{t('Draft')}</th>
                <th scope="col">{t('Recipient')}</th>
                <th scope="col">{t('Changed')}</th>
                <th scope="col" className="number">
                  {t('Total')}
                </th>
              </tr>
            </thead>
            <tbody>
              {drafts.map(({ node }) =>
                node === null ? null : (
                  <tr key={node.id}>
                    <th scope="row">
                      <a href={href(`drafts/${node.id}`)}>
                        {node.input.lineItems?.[0]?.description || t('Draft')}
                      </a>
                    </th>
                    <td>{node.input.recipient?.name ?? '—'}</td>
                    <td>{onDay(node.updatedAt)}</td>
                    <td className="number">{node.total === null ? '—' : euros(node.total)}</td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
