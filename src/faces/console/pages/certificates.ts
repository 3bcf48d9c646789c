import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, type Html, html } from '../../web/html.ts';
import { CERTIFICATE_FIELDS, type Certificate, daysLeft } from '../certificates.ts';
import { companyScopeOf } from '../company.ts';
import { badge, table } from '../components.ts';
import { dayOf, number } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { say } from '../words.ts';

/** More are listed on the pages of their companies. */
const SHOWN = 200;

const QUERY = stored(
  `query ConsoleCertificates($companyId: ID) { certificates(companyId: $companyId, first: ${SHOWN}) { totalCount edges { node { ${CERTIFICATE_FIELDS} } } } }`,
);

/** All client certificates for the agency, those that run out first at the top. */
export async function certificates(context: OperatorContext): Promise<Outcome<PageContent>> {
  const found = await QUERY(context);
  if (isRefusal(found)) return found;
  const all = found.certificates.edges.map(({ node }) => node);
  const soonest = all.toSorted((one, other) => one.daysLeft - other.daysLeft);
  const body = html`<h1>${say('Certificates')}</h1>
<p class="lead">${say('The client certificates for the agency. The platform’s certificate is used for every company without its own.')}</p>
<p class="actions"><a class="button" href="${context.root}/certificates/new">${say('Upload the platform’s…')}</a></p>
${certificateTable(context.root, soonest, true)}
${found.certificates.totalCount > SHOWN && html`<p class="hint">${say('{shown} of {count}.', { shown: SHOWN, count: number(found.certificates.totalCount) })}</p>`}`;
  return { title: 'Certificates', body };
}

/** The client certificates of a company. */
export async function companyCertificates(context: OperatorContext): Promise<Outcome<PageContent>> {
  const companyScope = await companyScopeOf(context);
  if (isRefusal(companyScope)) return companyScope;
  const found = await QUERY(context, { companyId: companyScope.companyId });
  if (isRefusal(found)) return found;
  const body = html`<h1>${say('Certificates')}</h1>
<p class="lead">${say('Without its own valid certificate, the platform’s is used.')}</p>
<p class="actions"><a class="button" href="${context.root}/companies/${companyScope.companyId}/certificates/new">${say('Upload…')}</a></p>
${certificateTable(
  context.root,
  found.certificates.edges.map(({ node }) => node),
  false,
)}`;
  return { title: 'Certificates', companyScope: companyScope, body };
}

function certificateTable(root: string, found: readonly Certificate[], ofAll: boolean): Html {
  const owner = {
    head: 'Owner' as const,
    cell: ({ companyId }: Certificate) =>
      companyId === null
        ? say('the platform')
        : html`<a href="${root}/companies/${companyId}/certificates">${say('company')}</a>`,
  };
  return table(
    'Certificates',
    [
      {
        head: 'Holder',
        cell: ({ holderName, holderNif }) => html`${bdi(holderName)} <span class="under">${holderNif}</span>`,
      },
      ...(ofAll ? [owner] : []),
      { head: 'Kind', cell: ({ kind }) => say(kind === 'seal' ? 'seal' : 'person') },
      { head: 'Valid until', cell: ({ validTo }) => dayOf(validTo) },
      { head: 'Days left', cell: daysLeft },
      {
        head: 'Use',
        cell: ({ active }) => (active ? badge('registered', 'In use') : badge('closed', 'Kept')),
      },
      {
        head: 'Action',
        kind: 'acts',
        cell: ({ id, active }) =>
          html`${!active && html`<a href="${root}/certificates/${id}/activate">${say('Use…')}</a> `}<a href="${root}/certificates/${id}/remove">${say('Remove…')}</a>`,
      },
    ],
    found,
    'There is none.',
  );
}
