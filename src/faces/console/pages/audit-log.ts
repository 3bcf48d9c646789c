import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, type Content, type Html, html } from '../../web/html.ts';
import { pager, shortId, table } from '../components.ts';
import { moment } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { subjectLink } from '../subject.ts';
import { say, wordOf } from '../words.ts';

const QUERY = stored(`query ConsoleAuditLog($after: String) {
  auditLog(first: 50, after: $after) {
    edges { node { id at actor actorName action subject reason data } }
    pageInfo { hasNextPage endCursor }
  }
}`);

/** What was done, by whom and why, the newest first. */
export async function auditLog(context: OperatorContext): Promise<Outcome<PageContent>> {
  const { root, query } = context;
  const after = query('after');
  const found = await QUERY(context, { after: after || null });
  if (isRefusal(found)) return found;
  const { edges, pageInfo } = found.auditLog;
  const body = html`<h1>${say('Audit log')}</h1>
<p class="lead">${say('Actions of operators, of merchants’ keys and of customers in the portal. Entries are never changed or deleted.')}</p>
${table(
  'Acts',
  [
    { head: 'When', cell: ({ at }) => moment(at) },
    { head: 'Actor', cell: ({ actor, actorName }) => actorCell(actor, actorName) },
    { head: 'Action', cell: ({ action }) => wordOf(action) },
    { head: 'Subject', cell: ({ subject }) => subjectLink(root, subject) },
    { head: 'Reason', cell: ({ reason }) => (reason === null ? '—' : bdi(reason)) },
    { head: 'Details', cell: ({ data }) => more(data) },
  ],
  edges.map(({ node }) => node),
  'No actions yet.',
)}
${pager('Acts', {
  first: after === '' ? null : `${root}/audit-log`,
  next: pageInfo.hasNextPage ? `${root}/audit-log?after=${pageInfo.endCursor}` : null,
})}`;
  return { title: 'Audit log', body };
}

function actorCell(actor: string, name: string | null): Html {
  if (name !== null) return html`${bdi(name)} <span class="under">${shortId(actor)}</span>`;
  if (actor.startsWith('cps_'))
    return html`${say('A customer')} <span class="under">${shortId(actor)}</span>`;
  return shortId(actor);
}

function more(data: unknown): Content {
  if (data == null) return '—';
  return html`<details><summary>${say('Show')}</summary><code>${JSON.stringify(data)}</code></details>`;
}
