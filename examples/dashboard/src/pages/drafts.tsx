import type { ResultOf } from 'gql.tada';
import { useQuery } from 'urql';
import { DraftList } from '../documents-drafts.ts';
import { euros, onDay } from '../format.ts';
import { t } from '../language.ts';
import { type Column, Table } from '../parts/table.tsx';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { href } from '../route.ts';

type Listed = NonNullable<NonNullable<ResultOf<typeof DraftList>['invoiceDrafts']>['edges'][number]['node']>;

/** What is to be issued later. */
export function DraftsPage() {
  const [{ data, error }, retry] = useQuery({ query: DraftList });
  useTitle(t('Drafts'));
  const drafts = (data?.invoiceDrafts?.edges ?? []).flatMap(({ node }) => (node === null ? [] : [node]));
  const columns: readonly Column<Listed>[] = [
    {
      title: t('Draft'),
      cell: ({ id, input }) => (
        <a href={href(`drafts/${id}`)}>{input.lineItems?.[0]?.description || t('Draft')}</a>
      ),
    },
    { title: t('Recipient'), cell: ({ input }) => input.recipient?.name ?? '—' },
    { title: t('Changed'), cell: ({ updatedAt }) => onDay(updatedAt) },
    { title: t('Total'), cell: ({ total }) => (total === null ? '—' : euros(total)), isNumber: true },
  ];
  return (
    <>
      <h1>{t('Drafts')}</h1>
      {error !== undefined && <Trouble error={error} onRetry={retry} />}
      {data === undefined && error === undefined && <p>{t('Loading…')}</p>}
      {data !== undefined && drafts.length === 0 && <p>{t('There are no drafts.')}</p>}
      {drafts.length > 0 && (
        <div className="table">
          <Table rows={drafts} keyOf={({ id }) => id} columns={columns} />
        </div>
      )}
    </>
  );
}
