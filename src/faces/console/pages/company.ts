import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, html } from '../../web/html.ts';
import { CHAIN_FIELDS, chainAlert, chainTable } from '../chain-health.ts';
import { companyMissing } from '../company.ts';
import { badge, facts, section } from '../components.ts';
import { FAILED_FIELDS, failedArticle } from '../failures.ts';
import { dayOf, moment, number } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { nodesOf, stored } from '../query.ts';
import { said, say, sayWith } from '../words.ts';

type Environment = {
  readonly id: number;
  readonly kind: 'test' | 'live';
  readonly chainId: number;
  readonly installationNumber: string;
  readonly records: number;
  readonly hold: string | null;
  readonly keysInForce: number;
};

type Verified = {
  readonly environmentId: number;
  readonly verifiedAt: string | null;
  readonly findings: number;
};

const QUERY = stored(`query ConsoleCompany($id: ID!) {
  company(id: $id) {
    id nif legalName givenName surnames mandateApproved onboardingFinished createdAt closedAt verifactuEndsOn verifactuEndToldAt account { id subscriptionActive }
    environments { edges { node { id: number kind chainId installationNumber records hold keysInForce } } }
  }
  operations {
    chainList(companyId: $id) { edges { node { ${CHAIN_FIELDS} } } }
    failedRecordList(companyId: $id, first: 20) { edges { node { ${FAILED_FIELDS} } } }
    verificationList(companyId: $id) { edges { node { environmentId verifiedAt findings } } }
  }
}`);

/** One company: whether it may issue, its environments and chains, and what needs attention. */
export async function company(context: OperatorContext): Promise<Outcome<PageContent>> {
  const { root } = context;
  const found = await QUERY(context, { id: context.param('companyId') });
  if (isRefusal(found)) return found;
  if (found.company === null) return companyMissing();
  const { id, legalName, nif, account, environments: both, ...rest } = found.company;
  const environments = nodesOf(both);
  const { chainList, failedRecordList, verificationList } = found.operations;
  const [chains, failedRecords] = [nodesOf(chainList), nodesOf(failedRecordList)];
  const verifications = nodesOf(verificationList);
  const matters = [
    ...chains.map((chain) => chainAlert(root, chain)),
    ...failedRecords.map((record) => failedArticle(root, record)),
  ].filter((matter) => matter !== null);
  const flag = (up: boolean) => (up ? badge('registered', 'Yes') : badge('held', 'No'));
  const body = html`<h1>${say('Company')}</h1>
<div class="card">${facts([
    ['Id', html`<code>${id}</code>`],
    ...(rest.givenName === null ? [] : [['Given name', bdi(rest.givenName)] as const]),
    ...(rest.surnames === null ? [] : [['Surnames', bdi(rest.surnames)] as const]),
    ['Account', html`<code>${account.id}</code>`],
    ['Since', dayOf(rest.createdAt)],
    ['Closed', rest.closedAt !== null && html`${badge('held', 'closed')} ${moment(rest.closedAt)}`],
    ['Subscription active', flag(account.subscriptionActive)],
    ['Mandate approved', flag(rest.mandateApproved)],
    ['Onboarding finished', flag(rest.onboardingFinished)],
    ['Last day of VERI*FACTU', endOf(rest)],
  ])}<p class="ways"><a class="button small" href="${root}/companies/${id}/flags">${say('Change these conditions…')}</a> <a class="button small" href="${root}/companies/${id}/data">${say('Change its name, address or time zone…')}</a> <a class="button small" href="${root}/companies/${id}/end-verifactu">${say('End VERI*FACTU…')}</a></p><p class="ways"><a class="button small" href="${root}/companies/${id}/archive">${say('Archive…')}</a> <a class="button small" href="${root}/companies/${id}/erase-customer">${say('Erase a customer…')}</a> <a class="button small" href="${root}/companies/${id}/erase-drafts">${say('Erase drafts…')}</a>${rest.closedAt === null && html` <a class="button small" href="${root}/companies/${id}/close">${say('Close it…')}</a>`}</p></div>
${matters.length > 0 && section('Needs attention', html`${matters}`, 'attention')}
${section('Live chains', chainTable(root, chains, 'No live chains.'), 'chains')}
${section(
  'Environments',
  html`<div class="pair">${environments.map((environment) => environmentCard(root, id, environment, verifications))}</div>`,
  'environments',
)}`;
  return { title: 'Company', companyScope: { companyId: id, legalName, nif }, body };
}

type End = { readonly verifactuEndsOn: string | null; readonly verifactuEndToldAt: string | null };

/** The last day of VERI*FACTU, and whether the agency was told. */
function endOf({ verifactuEndsOn: day, verifactuEndToldAt: toldAt }: End) {
  if (day === null) return false;
  const told =
    toldAt === null
      ? badge('held', 'not yet told')
      : html`${sayWith('told {when}', { when: moment(toldAt) })}`;
  return html`${dayOf(day)} ${told}`;
}

function environmentCard(
  root: string,
  companyId: string,
  { id, kind, chainId, installationNumber, records, keysInForce }: Environment,
  verifications: readonly Verified[],
) {
  const last = verifications.find(({ environmentId }) => environmentId === id);
  const sound =
    last === undefined || last.verifiedAt === null
      ? say('never verified')
      : last.findings === 0
        ? html`${badge('registered', 'Sound')} ${moment(last.verifiedAt)}`
        : html`${badge('rejected', last.findings === 1 ? '1 finding' : said('{count} findings', { count: number(last.findings) }))} ${moment(last.verifiedAt)}`;
  return html`<div class="card"><h3>${say(kind === 'live' ? 'Live' : 'Test')}</h3>${facts([
    ['Number', String(id)],
    ['Open chain', html`<a href="${root}/chains/${chainId}">${say('Chain {chain}', { chain: chainId })}</a>`],
    ['Installation', html`<code>${installationNumber}</code>`],
    ['Records', number(records)],
    ['Last verification', sound],
    ['Keys in force', number(keysInForce)],
  ])}<p class="ways"><a class="button small" href="${root}/companies/${companyId}/invoices?environment=${kind}">${say('Invoices')}</a></p></div>`;
}
