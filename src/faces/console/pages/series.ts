import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { companyScopeOf, environmentNamed, environmentSwitch } from '../company.ts';
import { badge, shortId, table } from '../components.ts';
import { dayOf } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { MAX_SERIES, SERIES } from '../series.ts';
import { say } from '../words.ts';

/** Where the numbers of a company's environment come from. */
export async function series(context: OperatorContext): Promise<Outcome<PageContent>> {
  const companyScope = await companyScopeOf(context);
  if (isRefusal(companyScope)) return companyScope;
  const environment = environmentNamed(context);
  const { companyId } = companyScope;
  const found = await SERIES(context, { companyId, environment });
  if (isRefusal(found)) return found;
  const rows = found.numberSeries.edges.map(({ node }) => node);
  const pageAddress = `${context.root}/companies/${companyId}/series`;
  const query = `?environment=${environment}`;
  const body = html`<h1>${say('Number series')}</h1>
${environmentSwitch(pageAddress, environment)}
<p class="actions"><a class="button" href="${pageAddress}/new${query}">${say('New series…')}</a></p>
${table(
  'Number series',
  [
    {
      head: 'Prefix',
      cell: ({ prefix, id }) => html`${bdi(prefix)} <span class="under">${shortId(id)}</span>`,
    },
    { head: 'For', cell: ({ type }) => say(type === 'rectifying' ? 'rectificativas' : 'invoices') },
    { head: 'Counts', cell: ({ yearly }) => say(yearly ? 'anew each year' : 'on and on') },
    { head: 'Created', cell: ({ createdAt }) => dayOf(createdAt) },
    {
      head: 'Use',
      cell: ({ id, isDefault }) =>
        isDefault
          ? badge('registered', 'Default')
          : html`<a href="${pageAddress}/${id}/default${query}">${say('Make default…')}</a> <a href="${pageAddress}/${id}/delete${query}">${say('Delete…')}</a>`,
    },
  ],
  rows,
  'There is none.',
)}
${rows.length === MAX_SERIES && html`<p class="hint">${say('The newest {count}.', { count: MAX_SERIES })}</p>`}`;
  return { title: 'Number series', companyScope: { ...companyScope, environment }, body };
}
