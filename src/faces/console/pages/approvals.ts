import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, type Html, html } from '../../web/html.ts';
import { badge, pager, shortId, table } from '../components.ts';
import { moment } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { subjectLink, termsOf } from '../subject.ts';
import { say, wordOf } from '../words.ts';

const QUERY = stored(`query ConsoleApprovals($after: String) {
  approvals(first: 50, after: $after) {
    edges { node { id state action subject arguments askedBy askedByName askedAt expiresAt decidedBy decidedByName } }
    pageInfo { hasNextPage endCursor }
  }
}`);

/** What operators asked each other to approve, the newest first. */
export async function approvals(context: OperatorContext): Promise<Outcome<PageContent>> {
  const { root, query } = context;
  const after = query('after');
  const found = await QUERY(context, { after: after || null });
  if (isRefusal(found)) return found;
  const { edges, pageInfo } = found.approvals;
  const body = html`<h1>${say('Approvals')}</h1>
<p class="lead">${say('What operators asked each other to approve. Whoever asked then repeats the same action with the same reason, once, within a day.')}</p>
${table(
  'Approvals',
  [
    { head: 'When', cell: ({ askedAt }) => moment(askedAt) },
    { head: 'Asked by', cell: ({ askedBy, askedByName }) => person(askedBy, askedByName) },
    {
      head: 'Action',
      cell: ({ action, subject }) =>
        html`${wordOf(action)} <span class="under">${subjectLink(root, subject)}</span>`,
    },
    { head: 'Reason', cell: (row) => termsOf(row.subject, row.arguments).reason },
    { head: 'Details', cell: (row) => termsOf(row.subject, row.arguments).others },
    {
      head: 'State',
      cell: ({ id, state, expiresAt, decidedBy, decidedByName }) => {
        const decline = html`<a href="${root}/approvals/${id}/decline">${say('Decline…')}</a>`;
        const decided = decidedBy !== null && html` ${person(decidedBy, decidedByName)}`;
        if (state === 'open')
          return html`${badge('held', 'Open|approval')} ${moment(expiresAt)} <a href="${root}/approvals/${id}/approve">${say('Approve…')}</a> ${decline}`;
        if (state === 'approved')
          return html`${badge('registered', 'Approved')}${decided} ${moment(expiresAt)} ${decline}`;
        if (state === 'used') return html`${badge('registered', 'Done|approval')}${decided}`;
        return html`${badge('voided', state === 'declined' ? 'Declined' : 'Expired|approval')}${decided}`;
      },
    },
  ],
  edges.map(({ node }) => node),
  'Nothing was asked for.',
)}
${pager('Approvals', {
  first: after === '' ? null : `${root}/approvals`,
  next: pageInfo.hasNextPage ? `${root}/approvals?after=${pageInfo.endCursor}` : null,
})}`;
  return { title: 'Approvals', body };
}

const person = (id: string, name: string | null): Html =>
  name === null ? shortId(id) : html`${bdi(name)} <span class="under">${shortId(id)}</span>`;
