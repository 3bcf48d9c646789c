import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { companyScopeOf, environmentNamed, environmentSwitch } from '../company.ts';
import { shortId, table } from '../components.ts';
import { dayOf } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { SERIES } from '../series.ts';
import { say } from '../words.ts';

const QUERY = stored(
  `query ConsoleIntegrations($companyId: ID!, $environment: Environment!) {
    integrations(companyId: $companyId, environment: $environment, first: 100) {
      edges { node { id name standardSeriesId rectifyingSeriesId createdAt } }
    }
  }`,
);

/** The shops and billing systems of a company's environment. */
export async function integrations(context: OperatorContext): Promise<Outcome<PageContent>> {
  const companyScope = await companyScopeOf(context);
  if (isRefusal(companyScope)) return companyScope;
  const environment = environmentNamed(context);
  const variables = { companyId: companyScope.companyId, environment };
  const [found, series] = await Promise.all([QUERY(context, variables), SERIES(context, variables)]);
  if (isRefusal(found)) return found;
  if (isRefusal(series)) return series;
  const prefixes = new Map(series.numberSeries.edges.map(({ node }) => [node.id, node.prefix]));
  const prefix = (id: string | null) =>
    id === null ? html`<span class="soft">${say('default')}</span>` : bdi(prefixes.get(id) ?? id);
  const pageAddress = `${context.root}/companies/${companyScope.companyId}/integrations`;
  const body = html`<h1>${say('Integrations')}</h1>
${environmentSwitch(pageAddress, environment)}
<p class="actions"><a class="button" href="${pageAddress}/new?environment=${environment}">${say('New integration…')}</a></p>
${table(
  'Integrations',
  [
    { head: 'Name', cell: ({ name, id }) => html`${bdi(name)} <span class="under">${shortId(id)}</span>` },
    { head: 'Invoices on', cell: ({ standardSeriesId }) => prefix(standardSeriesId) },
    { head: 'Rectificativas on', cell: ({ rectifyingSeriesId }) => prefix(rectifyingSeriesId) },
    { head: 'Since', cell: ({ createdAt }) => dayOf(createdAt) },
  ],
  found.integrations.edges.map(({ node }) => node),
  'There is none.',
)}`;
  return { title: 'Integrations', companyScope: { ...companyScope, environment }, body };
}
