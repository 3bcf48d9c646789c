import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { type Content, type Html, html } from '../../web/html.ts';
import {
  CHAIN_FIELDS,
  CHAIN_STATE_FIELDS,
  type Chain,
  type ChainState,
  chainAlerts,
  chainTable,
} from '../chain-health.ts';
import { section } from '../components.ts';
import {
  FAILED_FIELDS,
  type FailedRecord,
  failedArticles,
  PARKED_FIELDS,
  type ParkedRecord,
  parkedArticles,
  READ,
} from '../failures.ts';
import { age, number } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { nodesOf, stored } from '../query.ts';
import { say } from '../words.ts';
import { history, STRETCH_FIELDS, type Stretch } from './history.ts';

type Shown = {
  readonly chains: readonly ChainState[];
  readonly troubled: readonly Chain[];
  readonly failures: readonly { readonly kind: string; readonly count: number }[];
  readonly failedRecords: readonly FailedRecord[];
  readonly parkedRecords: readonly ParkedRecord[];
  readonly documents: { readonly waiting: number; readonly oldestSeconds: number };
  readonly queue: readonly { readonly givenUp: number }[];
  readonly verifications: readonly { readonly findings: number }[];
  readonly day: readonly Stretch[];
  readonly month: readonly Stretch[];
};

/** The number of failures of each kind shown here; the others are on their own page. */
const SHOWN = 5;
const CHAINS = 100;

const QUERY = stored(`query ConsoleOverview {
  operations {
    chainList(first: ${CHAINS}) { edges { node { ${CHAIN_STATE_FIELDS} } } }
    troubledList: chainList(first: ${CHAINS}, troubled: true) { edges { node { ${CHAIN_FIELDS} } } }
    failures { kind count }
    failedRecordList(first: ${READ}) { edges { node { ${FAILED_FIELDS} } } }
    parkedRecordList(first: ${READ}) { edges { node { ${PARKED_FIELDS} } } }
    documents { waiting oldestSeconds }
    queue { givenUp }
    verificationList(first: 500) { edges { node { findings } } }
    day: history(span: DAY) { ${STRETCH_FIELDS} }
    month: history(span: MONTH) { ${STRETCH_FIELDS} }
  }
}`);

/** What waits, what is held up, what failed, and what to do about it. */
export async function overview(context: OperatorContext): Promise<Outcome<PageContent>> {
  const found = await QUERY(context);
  if (isRefusal(found)) return found;
  const { chainList, troubledList, failedRecordList, parkedRecordList, verificationList, ...figures } =
    found.operations;
  const operations: Shown = {
    ...{ ...figures, chains: nodesOf(chainList), troubled: nodesOf(troubledList) },
    ...{ failedRecords: nodesOf(failedRecordList), parkedRecords: nodesOf(parkedRecordList) },
    verifications: nodesOf(verificationList),
  };
  const { root } = context;
  const chains = [
    ...new Map<number, ChainState>(
      [...operations.troubled, ...operations.chains].map((chain) => [chain.chainId, chain]),
    ).values(),
  ];
  const failed = count(operations.failures.filter(({ kind }) => kind !== 'stopped').map((f) => f.count));
  const body = html`<h1>${say('Overview')}</h1>
${tiles(root, operations, chains, failed)}
${attention(root, operations, failed)}
${section('Chains with records to send', chainTable(root, chains, 'None: every record has been sent.'), 'chains')}
${chains.length === CHAINS && html`<p class="hint">${say('The {count} that have waited longest.', { count: number(CHAINS) })}</p>`}
${history(operations.day, operations.month)}`;
  return { title: 'Overview', body };
}

const count = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function tiles(
  root: string,
  { documents, queue, verifications }: Shown,
  chains: readonly ChainState[],
  failed: number,
): Html {
  const pending = count(chains.map((chain) => chain.pending));
  const parked = count(chains.map((chain) => chain.parked));
  const oldest = chains.flatMap(({ oldestPendingAt }) => oldestPendingAt ?? []).sort()[0];
  const unsound = verifications.filter(({ findings }) => findings > 0).length;
  const givenUp = count(queue.map((task) => task.givenUp));
  const tile = (name: Content, value: number, more: Content, isBad: boolean): Html =>
    html`<div class="${isBad ? 'tile bad' : 'tile'}"><dt>${name}</dt><dd><b>${number(value)}</b>${more && html` <span class="soft">${more}</span>`}</dd></div>`;
  return html`<dl class="card tiles">
${tile(say('Records to send'), pending, oldest !== undefined && say(chains.length === CHAINS ? 'at least; oldest {time}' : 'oldest {time}', { time: age(oldest) }), false)}
${tile(html`<a href="${root}/failures">${say('Refused or flagged')}</a>`, failed, null, failed > 0)}
${tile(say('Parked|records'), parked, null, parked > 0)}
${tile(say('Chains not sound'), unsound, null, unsound > 0)}
${tile(say('Documents due'), documents.waiting, null, false)}
${tile(html`<a href="${root}/jobs">${say('Failed jobs')}</a>`, givenUp, null, givenUp > 0)}
</dl>`;
}

function attention(root: string, operations: Shown, failed: number): Html {
  const { troubled, failedRecords, parkedRecords } = operations;
  const [parked, refused] = [parkedArticles(root, parkedRecords), failedArticles(root, failedRecords)];
  const matters = [
    ...chainAlerts(root, troubled),
    ...parked.slice(0, SHOWN),
    ...refused.slice(0, SHOWN),
  ].filter((matter) => matter !== null);
  const rest = failed > SHOWN || refused.length > SHOWN || parked.length > SHOWN;
  const content =
    matters.length === 0
      ? html`<p class="card empty">${say('Nothing: all sending works, and nothing was refused.')}</p>`
      : html`${matters}${rest && html`<p><a class="button" href="${root}/failures">${say('All refused, flagged or parked records')}</a></p>`}`;
  return section('Needs attention', content, 'attention');
}
