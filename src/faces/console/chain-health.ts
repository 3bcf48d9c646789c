import { bdi, type Content, type Html, html } from '../web/html.ts';
import { agencyMessage, badge, envelopeMessage, remediationSteps, table } from './components.ts';
import { groupedByCause, suchAs } from './failures.ts';
import { age, moment, number, until } from './format.ts';
import { outcomeRemediation, splitReason, stopRemediation } from './remediation.ts';
import { type Label, said, say, sayWith, type Text } from './words.ts';

/** How a live chain stands, as GraphQL gives it. */
export type ChainState = {
  readonly chainId: number;
  readonly environmentId: number;
  readonly companyId: string;
  readonly legalName: string;
  readonly installationNumber: string;
  readonly pending: number;
  readonly parked: number;
  readonly oldestPendingAt: string | null;
  readonly nextSendAt: string;
  readonly consecutiveFailures: number;
  readonly sending: boolean;
  readonly stoppedAt: string | null;
  readonly stoppedReason: string | null;
  readonly pausedAt: string | null;
  readonly pausedReason: string | null;
  readonly incidentSince: string | null;
  readonly hold: 'restored' | 'forked' | null;
  readonly heldAt: string | null;
  readonly closedAt: string | null;
};

/** The same with what explains its problems, each read by a statement of its own. */
export type Chain = ChainState & {
  readonly comparison: {
    readonly month: string;
    readonly compared: number;
    readonly missing: number;
    readonly trouble: string | null;
  } | null;
  readonly lastSubmission: {
    readonly outcome: string | null;
    readonly faultCode: string | null;
    readonly message: string | null;
    readonly startedAt: string;
  } | null;
};

/** The fields of both, for the documents of pages that show chains. */
export const CHAIN_STATE_FIELDS = `chainId environmentId companyId legalName installationNumber pending parked
  oldestPendingAt nextSendAt consecutiveFailures sending stoppedAt stoppedReason pausedAt pausedReason incidentSince
  hold heldAt closedAt`;
export const CHAIN_FIELDS = `${CHAIN_STATE_FIELDS} comparison { month compared missing trouble }
  lastSubmission { outcome faultCode message startedAt }`;

/** What is the matter with a chain, in a word each. */
export function chainBadges(chain: ChainState): Html {
  const found: Html[] = [];
  if (chain.stoppedAt !== null) found.push(badge('stopped', 'Stopped'));
  if (chain.pausedAt !== null) found.push(badge('paused', 'Paused'));
  if (chain.hold === 'forked') found.push(badge('forked', 'Forked'));
  if (chain.hold === 'restored') found.push(badge('held', 'Held'));
  if (chain.incidentSince !== null) found.push(badge('incident', 'Incident'));
  if (chain.parked > 0) found.push(badge('parked', said('{count} parked', { count: number(chain.parked) })));
  if (chain.sending) found.push(badge('sending', 'Sending'));
  if (chain.closedAt !== null) found.push(badge('closed', 'Closed'));
  if (found.length === 0)
    found.push(
      badge(chain.pending === 0 ? 'registered' : 'pending', chain.pending === 0 ? 'In order' : 'Waiting'),
    );
  return html`${found.map((one, index) => html`${index > 0 && ' '}${one}`)}`;
}

/** Chains with what waits in them, and until when. */
export function chainTable(root: string, chains: readonly ChainState[], empty: Label): Html {
  return table(
    'Chains',
    [
      {
        head: 'Company',
        cell: ({ companyId, legalName, chainId }) =>
          html`<a href="${root}/companies/${companyId}">${bdi(legalName)}</a> <span class="under"><a href="${root}/chains/${chainId}">${say('Chain {chain}', { chain: chainId })}</a></span>`,
      },
      { head: 'State', cell: chainBadges },
      { head: 'Pending|records', kind: 'amount', cell: ({ pending }) => number(pending) },
      {
        head: 'Oldest waiting',
        kind: 'amount',
        cell: ({ oldestPendingAt }) => (oldestPendingAt === null ? '—' : age(oldestPendingAt)),
      },
      { head: 'Next sending', kind: 'amount', cell: nextSending },
    ],
    chains,
    empty,
  );
}

function nextSending({ stoppedAt, pausedAt, pending, parked, nextSendAt }: ChainState): Content {
  if (stoppedAt !== null || pausedAt !== null) return say('not automatically');
  if (pending === 0) return '—';
  return pending === parked ? say('nothing to send') : until(nextSendAt);
}

function comparisonProgress(comparison: Chain['comparison']): string {
  if (comparison === null) return ` ${say('It has not started yet.')}`;
  const { month, compared, missing, trouble } = comparison;
  const progress = ` ${say('So far, up to {month}: {compared} records compared, {missing} missing here.', { month, compared, missing })}`;
  return trouble === null
    ? progress
    : `${progress} ${say('The last attempt failed: {trouble}.', { trouble })}`;
}

const strong = (text: Text): Html => html`<strong>${say(text)}</strong>`;

/** The problems of a chain with their remedies; null if there are none. On the chain's own page its name is omitted. */
export function chainAlert(root: string, chain: Chain, isNamed = true): Html | null {
  const address = `${root}/chains/${chain.chainId}`;
  const step = (name: string) => (name === 'retry' || name === 'resume' ? `${address}/${name}` : null);
  const alerts: Html[] = [];
  if (chain.stoppedAt !== null) {
    const { code, text } = splitReason(chain.stoppedReason ?? '');
    alerts.push(html`<p>${sayWith('{stopped} {time} ago.', { stopped: strong('Stopped'), time: age(chain.stoppedAt) })} ${sayWith('The agency: {message}', { message: agencyMessage(code, text) })}</p>
${remediationSteps(stopRemediation(code), step)}`);
  }
  if (chain.pausedAt !== null) {
    alerts.push(html`<p>${sayWith('{paused} by an operator {time} ago: {reason}', { paused: strong('Paused'), time: age(chain.pausedAt), reason: bdi(chain.pausedReason ?? '') })}</p>
${remediationSteps({ text: 'No records are sent until it is resumed.', steps: ['resume'] }, step)}`);
  }
  if (chain.hold === 'forked') {
    alerts.push(html`<p><strong>${say('Forked.')}</strong> ${say('The agency holds records of this chain that were lost here, so the chain accepts no new records and issuing is refused.')}</p>
<p class="ways"><a class="button small" href="${root}/environments/${chain.environmentId}/open-installation">${say('Open a new installation…')}</a></p>`);
  }
  if (chain.hold === 'restored') {
    alerts.push(
      html`<p><strong>${say('Held after a restore or promotion.')}</strong> ${say('It is being compared with the agency’s records; the hold ends automatically if nothing is missing.')}${comparisonProgress(chain.comparison)}</p>`,
    );
  }
  const { lastSubmission: last } = chain;
  if (chain.stoppedAt === null && chain.consecutiveFailures > 0 && last !== null) {
    const times =
      chain.consecutiveFailures === 1
        ? say('Sending failed')
        : say('Sending failed {count} times in a row', { count: number(chain.consecutiveFailures) });
    alerts.push(html`<p><strong>${times}</strong>, ${sayWith('last {when}: {message}', { when: moment(last.startedAt), message: envelopeMessage(last) })}</p>
${remediationSteps(outcomeRemediation(last.outcome), step)}`);
  }
  if (alerts.length === 0) return null;
  const head =
    isNamed &&
    html`<h3><a href="${root}/companies/${chain.companyId}">${bdi(chain.legalName)}</a> <a class="soft" href="${address}">${say('Chain {chain}', { chain: chain.chainId })}</a></h3>`;
  return html`<article class=\"card matter\">${head}${alerts}</article>`;
}

/** The problems of chains; of more than two that stopped for the same reason one article, with what may be done to all. */
export function chainAlerts(root: string, chains: readonly Chain[]): (Html | null)[] {
  return groupedByCause(chains, {
    // Two that stopped for the same reason and are held for others are no less two to be looked at.
    cause: ({ chainId, stoppedReason, pausedAt, hold }) =>
      stoppedReason === null || pausedAt !== null || hold !== null ? `chain ${chainId}` : stoppedReason,
    one: (chain) => chainAlert(root, chain),
    many: ({ stoppedReason }, all) => {
      const { code, text } = splitReason(stoppedReason ?? '');
      const address = `${root}/failures/retry-chains?cause=${encodeURIComponent((stoppedReason ?? '').slice(0, 300))}`;
      return html`<article class="card matter"><h3>${say('{count} chains', { count: number(all.length) })} ${badge('stopped', 'Stopped')}</h3>
<p class="soft">${suchAs(all, ({ chainId }) => `${root}/chains/${chainId}`)}</p>
<p>${sayWith('The agency: {message}', { message: agencyMessage(code, text) })}</p>
<p class="remediation">${say(stopRemediation(code).text)}</p>
<p class="ways"><a class="button small" href="${address}">${say('Retry all…')}</a></p></article>`;
    },
  });
}
