import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { bdi, type Html, html } from '../../web/html.ts';
import { checks, type Step } from '../chain-steps.ts';
import {
  agencyMessage,
  badge,
  envelopeMessage,
  facts,
  kindNames,
  remediationSteps,
  section,
  timesSent,
} from '../components.ts';
import { stepAddress } from '../failures.ts';
import { moment, number } from '../format.ts';
import { briefInvoice } from '../invoice.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { stored } from '../query.ts';
import { parkedRemediation, recordRemediation, splitReason } from '../remediation.ts';
import { given, say, sayWith, wordOf } from '../words.ts';

export type ChainRecord = {
  readonly id: string;
  readonly kind: 'registration' | 'cancellation';
  readonly chainId: number;
  readonly position: number;
  readonly invoiceId: string;
  readonly xml: string;
  readonly generatedAt: string;
  readonly status: string;
  readonly attempts: number;
  readonly parkedReason: string | null;
  readonly receipt: string | null;
  readonly settledAt: string | null;
  readonly error: { readonly code: string | null; readonly message: string | null } | null;
  readonly submission: {
    readonly startedAt: string;
    readonly outcome: string | null;
    readonly faultCode: string | null;
    readonly message: string | null;
  } | null;
};

const QUERY = stored(`query ConsoleRecord($id: ID!) {
  registrationRecord(id: $id) {
    id kind chainId position invoiceId xml generatedAt status attempts parkedReason receipt settledAt
    error { code message } submission { startedAt outcome faultCode message }
  }
}`);

const AROUND = stored(
  `query ConsoleRecordAround($chainId: Int!, $from: Int!) {
    chainRecords(chainId: $chainId, from: $from, first: 3) {
      lastPosition
      records {
        recordId position kind invoiceId number status generatedAt hash previousHash linkHolds fingerprintHolds
        timeHolds findings { what expected found }
      }
    }
  }`,
);

/** One record: what holds of it, what the agency answered, its text, and the ways to its neighbours. */
export async function record(context: OperatorContext): Promise<Outcome<PageContent>> {
  const { root } = context;
  const found = await QUERY(context, { id: context.param('id') });
  if (isRefusal(found)) return found;
  const { registrationRecord: one } = found;
  const [brief, around] = await Promise.all([
    briefInvoice(context, one.invoiceId),
    AROUND(context, { chainId: one.chainId, from: Math.max(1, one.position - 1) }),
  ]);
  if (isRefusal(brief)) return brief;
  if (isRefusal(around)) return around;
  const { records } = around.chainRecords;
  const at = (position: number) => records.find((step) => step.position === position);
  const title = say('{kind} of {number}', { kind: say(kindNames[one.kind]), number: brief.invoice.number });
  const body = html`<p class="soft">${sayWith('Position {position} of {last} in {chain}', { position: number(one.position), last: number(around.chainRecords.lastPosition), chain: html`<a href="${root}/chains/${one.chainId}?from=${one.position}#records">${say('chain {chain}', { chain: one.chainId })}</a>` })}</p>
<h1>${title} ${badge(one.status)}</h1>
${neighbours(root, at(one.position - 1), at(one.position + 1))}
${section('Checks', holding(at(one.position)), 'holds')}
${section('At the agency', agency(root, one), 'agency')}
${section('Text', html`<pre class="card xml" tabindex="0"><code>${indented(one.xml)}</code></pre>`, 'xml')}`;
  return { title: given(title), companyScope: brief.companyScope, body };
}

function neighbours(root: string, before: Step | undefined, after: Step | undefined): Html {
  const link = (step: Step, name: Html) =>
    html`<a class="button small" href="${root}/records/${step.recordId}">${name}</a>`;
  return html`<nav class="pages" aria-label="${say('Along the chain')}">${
    before !== undefined &&
    link(before, html`<span aria-hidden="true">‹</span> ${before.position}: ${bdi(before.number ?? '')}`)
  }${
    after !== undefined &&
    html`<span class="next">${link(after, html`${after.position}: ${bdi(after.number ?? '')} <span aria-hidden="true">›</span>`)}</span>`
  }</nav>`;
}

function holding(step: Step | undefined): Html {
  if (step === undefined)
    return html`<p class="card empty">${say('The chain has no such record at this position.')}</p>`;
  const { hash, previousHash, findings, generatedAt } = step;
  return html`<div class="card">${checks(step)}
${facts([
  ['Fingerprint', html`<code class="hash">${hash}</code>`],
  [
    'Previous fingerprint',
    previousHash === null ? say('It is the first record.') : html`<code class="hash">${previousHash}</code>`,
  ],
  ['Created', moment(generatedAt)],
])}
${
  findings.length > 0 &&
  html`<h3>${say('Findings')}</h3><ul>${findings.map(
    ({ what, expected, found }) =>
      html`<li><strong>${wordOf(what)}</strong>: ${sayWith('expected {expected}, found {found}', { expected: html`<code>${expected ?? say('nothing')}</code>`, found: html`<code>${found ?? say('nothing')}</code>` })}</li>`,
  )}</ul>`
}</div>`;
}

function agency(root: string, one: ChainRecord): Html {
  const { status, error, parkedReason, attempts, receipt, settledAt, submission } = one;
  const step = stepAddress(root, { recordId: one.id, invoiceId: one.invoiceId });
  const parked = parkedReason === null ? null : splitReason(parkedReason);
  const failed = submission !== null && submission.outcome !== 'processed';
  return html`<div class="card">${facts([
    ['State', badge(status)],
    ['Settled|record', settledAt !== null && moment(settledAt)],
    ['Sent', timesSent(attempts)],
    ['CSV', receipt !== null && html`<code>${receipt}</code>`],
    [
      'Last envelope',
      submission !== null &&
        html`${moment(submission.startedAt)} <span class="soft">${wordOf(submission.outcome ?? 'on its way')}</span>`,
    ],
  ])}
${error !== null && html`<p>${sayWith('The agency: {message}', { message: agencyMessage(error.code, error.message) })}</p>${remediationSteps(recordRemediation(status, error.code), step)}`}
${status === 'pending' && failed && parked === null && html`<p>${sayWith('Last answer: {message}', { message: envelopeMessage(submission) })}</p>`}
${parked !== null && html`<p>${parked.code === null ? sayWith('Parked by an operator: {reason}', { reason: bdi(parked.text) }) : sayWith('Parked. The agency: {message}', { message: agencyMessage(parked.code, parked.text) })}</p>${remediationSteps(parkedRemediation(parked.code), step)}`}
${status === 'pending' && parked === null && html`<p class="ways"><a class="button small" href="${root}/records/${one.id}/park">${say('Park…')}</a> <a class="button small" href="${root}/records/${one.id}/skip">${say('Skip…')}</a></p>`}</div>`;
}

/** The record's text with a line for each element, for people: the text itself has none. */
function indented(xml: string): string {
  let depth = 0;
  return xml
    .replaceAll('><', '>\n<')
    .split('\n')
    .map((line) => {
      if (line.startsWith('</')) depth -= 1;
      const written = '  '.repeat(Math.max(0, depth)) + line;
      if (/^<[^/!?]/.test(line) && !line.includes('</') && !line.endsWith('/>')) depth += 1;
      return written;
    })
    .join('\n');
}
