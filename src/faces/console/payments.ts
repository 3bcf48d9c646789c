import { bdi, type Html, html } from '../web/html.ts';
import { dayOf, money } from './format.ts';
import { badge } from './parts.ts';

/** What an invoice’s page asks of its payments. */
export const PAYMENT_FIELDS =
  `payments(first: 100) { edges { node { id amount paidOn means reference } } }` as const;

type Payment = {
  readonly id: string;
  readonly amount: number;
  readonly paidOn: string;
  readonly means: string | null;
  readonly reference: string | null;
};

export type ShownPayments = {
  readonly paymentStatus: 'unpaid' | 'partially_paid' | 'paid' | 'overdue' | null;
  readonly amountPaid: number | null;
  readonly amountDue: number | null;
  readonly payments: { readonly edges: readonly { readonly node: Payment }[] };
};

const STATUS = {
  unpaid: 'Unpaid',
  partially_paid: 'Partially paid',
  paid: 'Paid',
  overdue: 'Overdue',
} as const;

/** Where the payment of an invoice stands, its payments, and the ways to record and remove them. */
export function paymentList(root: string, full: ShownPayments & { readonly id: string }): Html {
  const { id, paymentStatus: status, amountPaid, amountDue, payments } = full;
  const address = `${root}/invoices/${id}/payments`;
  const rows = payments.edges.map(
    ({
      node,
    }) => html`<li><strong>${money(node.amount)}</strong> on ${dayOf(node.paidOn)}${node.means !== null && html`, ${node.means.replace('_', ' ')}`}${node.reference !== null && html` · ${bdi(node.reference)}`}
 <a class="button small" href="${address}/${node.id}/remove">Remove…</a></li>`,
  );
  const standing =
    status === null
      ? html`<p>Nobody owes it: what is to be paid is told by the invoice that is in force.</p>`
      : html`<p>${badge(status, STATUS[status])} paid ${money(amountPaid ?? 0)} · left to be paid ${money(amountDue ?? 0)}</p>`;
  return html`<div class="card">${standing}
${rows.length > 0 && html`<ul>${rows}</ul>`}
<p class="ways"><a class="button small" href="${address}/record">Record…</a></p></div>`;
}
