import type { Command } from 'commander';
import { parseRequest } from '../../ground/errors/issues.ts';
import { isRefusal, Refusal } from '../../ground/errors/refusal.ts';
import { PAYMENT_MEANS } from '../../subjects/extensions/types.ts';
import { recordPayment, removePayment } from '../../subjects/payments/payments.ts';
import { paymentRequest } from '../../subjects/payments/request.ts';
import type { Payment } from '../../subjects/payments/shapes.ts';
import { readPayment, readPaymentsOf } from '../../subjects/payments/store/read-payments.ts';
import { type CliRuntime, commandGroup } from './command.ts';
import { changeCommand, queryCommand } from './database-command.ts';
import { choiceOption, numberOperand, operand, optionalOption, requiredDay } from './options.ts';
import { locateInvoice, resourceChange } from './targets.ts';

const INVOICE = operand('the id of the invoice');
const UNKNOWN = new Refusal('payment_not_found', 'There is no payment with this id.');

export function payments(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'payments', 'payments of invoices');
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists the payments of an invoice that have not been removed',
    parameters: { invoice: INVOICE },
    examples: [['Of one invoice', 'payments list $INVOICE --json']],
    async run({ db }, { invoice }) {
      const location = await locateInvoice({ db }, invoice);
      if (isRefusal(location)) return location;
      const key = { key: invoice, within: String(location.environmentId), id: invoice };
      const found = await readPaymentsOf(db.pool, [key]);
      return { payments: (found.get(invoice) ?? []).map(shown) };
    },
  });
  changeCommand(group, runtime, {
    name: 'record',
    description: 'records a payment of an invoice',
    details:
      'Records a payment of an invoice, or a refund if its total is negative. At most the amount due, which rectificativas change.',
    parameters: {
      invoice: INVOICE,
      amount: numberOperand('the amount in whole cents'),
      paidOn: requiredDay('the day on which it was paid'),
      means: choiceOption(PAYMENT_MEANS, 'how'),
      reference: optionalOption('text', 'your own text, such as the bank’s reference'),
    },
    examples: [
      [
        'A transfer of 10 EUR',
        'payments record $INVOICE 1000 --paid-on $TODAY --means transfer --reason "bank statement"',
      ],
    ],
    preview: (context, { invoice, amount }) =>
      resourceChange(context, invoice, `record a payment of ${amount} cents of the invoice ${invoice}`),
    async run({ db }, { invoice, amount, paidOn, means, reference }, { actor, reason }) {
      const request = parseRequest(paymentRequest, { amount, paidOn, means, reference });
      if (isRefusal(request)) return request;
      const by = { actor, within: null, reason };
      const { outcome } = await recordPayment(db, by, invoice, request, { key: null, sent: null });
      return isRefusal(outcome) ? outcome : shown(outcome);
    },
  });
  changeCommand(group, runtime, {
    name: 'remove',
    description: 'removes a payment recorded by mistake',
    details:
      'Removes a payment recorded by mistake; the journal keeps both facts. Removing it again has no effect.',
    parameters: { payment: operand('the id of the payment') },
    examples: [['A payment of another invoice', 'payments remove $PAYMENT --reason "of another invoice"']],
    async preview(context, { payment }) {
      const found = await readPayment(context.db.pool, null, payment);
      if (found === null) return UNKNOWN;
      return resourceChange(context, found.invoiceId, `remove the payment ${payment}`);
    },
    async run({ db }, { payment }, { actor, reason }) {
      const found = await readPayment(db.pool, null, payment);
      if (found === null) return UNKNOWN;
      const by = { actor, within: null, reason };
      const removed = await removePayment(db, by, found.invoiceId, payment);
      return isRefusal(removed) ? removed : shown(removed);
    },
  });
}

function shown({ id, invoiceId, amount, paidOn, means, reference, recordedAt, removedAt }: Payment) {
  return { id, invoiceId, amount, paidOn, means, reference, recordedAt, removedAt };
}
