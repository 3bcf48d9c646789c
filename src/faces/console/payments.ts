import { bdi, type Content, type Html, html } from '../web/html.ts';
import { badge } from './components.ts';
import { dayOf, money } from './format.ts';
import { say, sayWith, wordOf } from './words.ts';

/** What an invoice’s page asks of its payments. */
export const PAYMENT_FIELDS = `payments(first: 100) { edges { node { id amount paidOn means reference } } }
    businessStatuses { status on recipientTellsBy }
    recipientStatuses { status on toldOn isLate statusReason }` as const;

type Payment = {
  readonly id: string;
  readonly amount: number;
  readonly paidOn: string;
  readonly means: string | null;
  readonly reference: string | null;
};

export type ShownPayments = {
  readonly paymentStatus: 'unpaid' | 'partially_paid' | 'paid' | 'overdue' | 'credited' | null;
  readonly amountPaid: number | null;
  readonly amountDue: number | null;
  readonly payments: { readonly edges: readonly { readonly node: Payment }[] };
  readonly type: string;
  readonly recipient: { readonly taxIdType: string | null } | null;
  readonly recipientStatuses: readonly {
    readonly status: keyof typeof RECIPIENT_STATUS_NAMES;
    readonly on: string;
    readonly toldOn: string;
    readonly isLate: boolean;
    readonly statusReason: string | null;
  }[];
  readonly businessStatuses: readonly {
    readonly status: keyof typeof BUSINESS_STATUS_NAMES;
    readonly on: string | null;
    readonly recipientTellsBy: string | null;
  }[];
};

const RECIPIENT_STATUS_NAMES = {
  paid: 'Has paid',
  rejected: 'Rejects the invoice',
  withdrawn: 'Withdrawn',
} as const;

/** The statuses reported by the recipient, with a link to record one; nothing for invoices whose recipients report none. */
function recipientStatuses(
  address: string,
  { recipientStatuses: statuses, type, recipient }: ShownPayments,
): Content {
  if (type !== 'complete' || recipient?.taxIdType !== 'es_nif') return false;
  return html`<h3>${say('Statuses reported by the recipient')}</h3>
${
  statuses.length === 0
    ? html`<p class="soft">${say('Nothing yet.')}</p>`
    : html`<ul>${statuses.map(
        ({ status, on, toldOn, isLate, statusReason }) =>
          html`<li>${sayWith('{what} on {day}, reported on {reported}', { what: say(RECIPIENT_STATUS_NAMES[status]), day: dayOf(on), reported: dayOf(toldOn) })}${isLate && `, ${say('late')}`}${statusReason !== null && html`: ${bdi(statusReason)}`}</li>`,
      )}</ul>`
}
<p class="ways"><a class="button small" href="${address}">${say('Record a status…')}</a></p>`;
}

/** The names of the statuses that issuers report between businesses. */
const BUSINESS_STATUS_NAMES = {
  settled: 'Settled',
  settlement_cancelled: 'No longer settled',
  not_paid: 'Not paid by the due date',
  not_paid_cancelled: 'No longer unpaid',
} as const;

/** Statuses between businesses; nothing where there are none. */
function businessStatuses(statuses: ShownPayments['businessStatuses']): Content {
  if (statuses.length === 0) return false;
  return html`<h3>${say('Statuses between businesses')}</h3><p class="soft">${say('The statuses that the issuer would have to report under Orden HAC/1028/2026. Nothing is sent: the public solution is not published yet.')}</p>
<ul>${statuses.map(
    ({ status, on, recipientTellsBy }) =>
      html`<li>${say(BUSINESS_STATUS_NAMES[status])}${on !== null && html` ${sayWith('on {day}', { day: dayOf(on) })}`}${recipientTellsBy !== null && html`; ${sayWith('to be confirmed by the recipient by {day}', { day: dayOf(recipientTellsBy) })}`}</li>`,
  )}</ul>`;
}

const STATUS = {
  unpaid: 'Unpaid',
  partially_paid: 'Partially paid',
  paid: 'Paid',
  overdue: 'Overdue',
  credited: 'Credited',
} as const;

/** Where the payment of an invoice stands, its payments, and the ways to record and remove them. */
export function paymentList(root: string, full: ShownPayments & { readonly id: string }): Html {
  const { id, paymentStatus: status, amountPaid, amountDue, payments } = full;
  const address = `${root}/invoices/${id}/payments`;
  const rows = payments.edges.map(
    ({
      node,
    }) => html`<li>${sayWith('{amount} on {day}', { amount: html`<strong>${money(node.amount)}</strong>`, day: dayOf(node.paidOn) })}${node.means !== null && `, ${wordOf(node.means)}`}${node.reference !== null && html` · ${bdi(node.reference)}`}
 <a class="button small" href="${address}/${node.id}/remove">${say('Remove…')}</a></li>`,
  );
  const standing =
    status === null
      ? html`<p>${say('It is not payable: the invoice in force states the amount due.')}</p>`
      : html`<p>${badge(status, STATUS[status])} ${say('paid {paid} · amount due {due}', { paid: money(amountPaid ?? 0), due: money(amountDue ?? 0) })}</p>`;
  return html`<div class="card">${standing}
${rows.length > 0 && html`<ul>${rows}</ul>`}
<p class="ways"><a class="button small" href="${address}/record">${say('Record…')}</a></p>
${businessStatuses(full.businessStatuses)}${recipientStatuses(`${root}/invoices/${id}/recipient-status`, full)}</div>`;
}
