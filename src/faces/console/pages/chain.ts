import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, type Content, type Html, html } from '../../web/html.ts';
import { chainOwner, wholeNumber } from '../chain.ts';
import { CHAIN_FIELDS, type Chain, chainAlert, chainBadges } from '../chain-health.ts';
import { checks, type Step } from '../chain-steps.ts';
import { badge, envelopeMessage, facts, kindNames, section, table } from '../components.ts';
import { age, moment, number, until } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { nodesOf, stored } from '../query.ts';
import { given, said, say, wordOf } from '../words.ts';

type Stretch = {
  readonly chainId: number;
  readonly environmentId: number;
  readonly installationNumber: string;
  readonly lastPosition: number;
  readonly closedAt: string | null;
  readonly records: readonly Step[];
};

type Envelope = {
  readonly id: string;
  readonly firstPosition: number;
  readonly lastPosition: number;
  readonly recordCount: number;
  readonly incident: boolean;
  readonly startedAt: string;
  readonly outcome: string | null;
  readonly faultCode: string | null;
  readonly message: string | null;
  readonly receipt: string | null;
};

const STEP_FIELDS = `recordId position kind invoiceId number status generatedAt hash previousHash linkHolds
  fingerprintHolds timeHolds findings { what expected found }`;

const QUERY = stored(`query ConsoleChain($id: Int!, $from: Int!, $first: Int!, $companyId: ID!) {
  chainRecords(chainId: $id, from: $from, first: $first) {
    chainId environmentId installationNumber lastPosition closedAt records { ${STEP_FIELDS} }
  }
  operations {
    chainList(companyId: $companyId) { edges { node { ${CHAIN_FIELDS} } } }
    submissionList(chainId: $id, first: 10) { edges { node {
      id firstPosition lastPosition recordCount incident startedAt outcome faultCode message receipt
    } } }
  }
}`);

/** As many records as fit a screen without losing one's place. */
const STRETCH = 20;

/** A chain: how it stands with the agency, and its records forwards and backwards with what holds of each. */
export async function chain(context: OperatorContext): Promise<Outcome<PageContent>> {
  const { root } = context;
  const owner = await chainOwner(context);
  if (isRefusal(owner)) return owner;
  const { chainId: id, lastPosition, companyScope } = owner;
  const { from, note } = beginning(context.query('from'), lastPosition);
  const found = await QUERY(context, { id, from, first: STRETCH, companyId: companyScope.companyId });
  if (isRefusal(found)) return found;
  const { chainRecords: stretch, operations } = found;
  const submissions = nodesOf(operations.submissionList);
  const health = nodesOf(operations.chainList).find(({ chainId }) => chainId === id);
  const body = html`<h1>${say('Chain {chain}', { chain: id })}</h1>
${health !== undefined && chainState(root, health)}
${health !== undefined && chainAlert(root, health, false)}
${section('Records', stretchPages(root, stretch, from, note), 'records')}
${submissions.length > 0 && section('Last envelopes', envelopes(root, id, submissions), 'envelopes')}`;
  return { title: said('Chain {chain}', { chain: id }), companyScope: companyScope, body };
}

/** Where the stretch begins: where the address states, else so that it ends with the newest. */
function beginning(requested: string, last: number): { readonly from: number; readonly note: string | null } {
  const newest = Math.max(1, last - STRETCH + 1);
  if (requested === '') return { from: newest, note: null };
  const from = wholeNumber(requested);
  if (from !== null && from <= Math.max(last, 1)) return { from, note: null };
  return {
    from: newest,
    note: say('Position {position} does not exist: the newest records are shown.', {
      position: requested.slice(0, 20),
    }),
  };
}

function chainState(root: string, health: Chain): Html {
  const { chainId, pending, parked, oldestPendingAt, nextSendAt, pausedAt, closedAt, installationNumber } =
    health;
  const address = `${root}/chains/${chainId}`;
  return html`<div class="card">${facts([
    ['State', chainBadges(health)],
    ['Pending|records', number(pending)],
    ['Parked|records', parked > 0 && number(parked)],
    ['Oldest waiting', oldestPendingAt !== null && age(oldestPendingAt)],
    [
      'Next sending',
      pending > 0 && html`${until(nextSendAt)} <span class="soft">(${moment(nextSendAt)})</span>`,
    ],
    ['Installation', html`<code>${installationNumber}</code>`],
  ])}
<p class="ways"><a class="button small" href="${address}/retry">${say('Retry…')}</a> ${
    pausedAt === null
      ? closedAt === null && html`<a class="button small" href="${address}/pause">${say('Pause…')}</a>`
      : html`<a class="button small" href="${address}/resume">${say('Resume…')}</a>`
  }</p></div>`;
}

function stretchPages(root: string, stretch: Stretch, from: number, note: string | null): Html {
  const { chainId, lastPosition, records } = stretch;
  if (lastPosition === 0) return html`<p class="card empty">${say('The chain has no records yet.')}</p>`;
  const address = (position: number) => `${root}/chains/${chainId}?from=${position}#records`;
  const last = records.at(-1)?.position ?? lastPosition;
  const wrong = records.filter(({ findings }) => findings.length > 0).length;
  const link = (name: string, position: number, can: boolean) =>
    can ? html`<a class="button small" href="${address(position)}">${name}</a> ` : null;
  const newest = Math.max(1, lastPosition - STRETCH + 1);
  return html`${note !== null && html`<p class="said" role="status">${note}</p>`}
<div class="walk"><p>${link(say('« First'), 1, from > 1)}${link(say('‹ Earlier'), Math.max(1, from - STRETCH), from > 1)}${link(say('Later ›'), last + 1, last < lastPosition)}${link(say('Newest »'), newest, last < lastPosition)}</p>
<form class="find" method="get" action="${root}/chains/${chainId}"><label for="from">${say('Position')}</label>
<input type="text" inputmode="numeric" id="from" name="from" value="${from}" maxlength="9" autocomplete="off"> <button>${say('Go')}</button></form></div>
<p class="lead">${say('Positions {from} to {last} of {count}.', { from: number(from), last: number(last), count: number(lastPosition) })} ${say('Each record has just been verified from its own XML:')} ${wrong === 0 ? say('no findings.') : html`<strong class="wrong">${wrong === 1 ? say('1 record has findings.') : say('{count} records have findings.', { count: number(wrong) })}</strong>`}</p>
${table(
  'Records',
  [
    {
      head: 'Position',
      cell: ({ position, recordId, kind }) =>
        html`<a href="${root}/records/${recordId}">${number(position)}</a> <span class="under">${say(kindNames[kind])}</span>`,
    },
    {
      head: 'Invoice',
      cell: ({ invoiceId, number: name }) =>
        html`<a href="${root}/invoices/${invoiceId}">${bdi(name ?? invoiceId)}</a>`,
    },
    {
      head: 'State',
      cell: ({ status }) => (status === null ? badge('rejected', 'No state') : badge(status)),
    },
    { head: 'Created', cell: ({ generatedAt }) => moment(generatedAt) },
    {
      head: 'Fingerprint',
      cell: ({ hash }) => html`<code class="glance" title="${hash}">${hash.slice(0, 8)}…</code>`,
    },
    { head: 'Link, fingerprint, time', cell: checks },
  ],
  records,
  'No record.',
)}`;
}

function envelopes(root: string, chainId: number, sent: readonly Envelope[]): Html {
  return table(
    'Last envelopes',
    [
      { head: 'Sent', cell: ({ startedAt }) => moment(startedAt) },
      {
        head: 'Records',
        cell: ({ firstPosition, lastPosition, recordCount }) =>
          html`<a href="${root}/chains/${chainId}?from=${firstPosition}#records">${number(firstPosition)}–${number(lastPosition)}</a> <span class="soft">(${number(recordCount)})</span>`,
      },
      {
        head: 'Outcome',
        cell: ({ outcome, incident }) =>
          html`${badge(outcome === 'processed' ? 'registered' : 'pending', given(wordOf(outcome ?? 'on its way')))}${incident && html` ${badge('incident', 'Incident')}`}`,
      },
      {
        head: 'Answer',
        cell: (sent) => answer(sent),
      },
    ],
    sent,
    'No envelopes yet.',
  );
}

function answer(envelope: Envelope): Content {
  const { receipt, outcome } = envelope;
  if (receipt !== null) return html`CSV <code>${receipt}</code>`;
  return outcome === 'processed' ? say('Every record was refused.') : envelopeMessage(envelope);
}
