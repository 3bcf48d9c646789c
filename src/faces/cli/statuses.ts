import type { Command } from 'commander';
import { parseRequest } from '../../ground/errors/issues.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { atEnvironmentTime } from '../../subjects/accounts/entry/environment-time.ts';
import { businessStatusesOf } from '../../subjects/payments/business-statuses.ts';
import { recipientStatusRequest } from '../../subjects/payments/recipient-status-request.ts';
import { isLate, recordRecipientStatus } from '../../subjects/payments/recipient-statuses.ts';
import { readMovementsOf } from '../../subjects/payments/store/read-payments.ts';
import {
  type RecipientStatus,
  readRecipientStatusesOf,
} from '../../subjects/payments/store/read-recipient-statuses.ts';
import { RECIPIENT_STATUSES } from '../../subjects/payments/types.ts';
import { type CliRuntime, commandGroup } from './command.ts';
import { changeCommand, queryCommand } from './database-command.ts';
import { choiceOperand, dayOption, operand, optionalOption, requiredDay } from './options.ts';
import { readInvoice, resourceChange } from './targets.ts';

const INVOICE = operand('the id of the invoice');

/** Statuses of invoices between businesses. */
export function statuses(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'statuses', 'statuses of invoices between businesses');
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists the statuses that issuer and recipient of an invoice report',
    details:
      'Lists the payment statuses that the issuer of an invoice has to report, and the statuses reported by its recipient.',
    parameters: { invoice: INVOICE },
    examples: [['Of one invoice', 'statuses list $INVOICE --json']],
    async run(context, { invoice: id }) {
      const found = await readInvoice(context, id);
      if (isRefusal(found)) return found;
      const { invoice: view } = found;
      const { db } = context;
      const keys = [{ key: id, within: String(view.invoice.environment_id), id }];
      const movements = (await readMovementsOf(db.pool, keys)).get(id) ?? [];
      const statuses = (await readRecipientStatusesOf(db.pool, keys)).get(id) ?? [];
      return {
        issuer: businessStatusesOf(view, movements),
        recipient: statuses.map(shown),
      };
    },
  });
  changeCommand(group, runtime, {
    name: 'record',
    description: 'records a status reported by the recipient of an invoice',
    details:
      'Records a status reported by the recipient of an invoice: that it has paid, that it rejects the invoice, or that an earlier status is withdrawn. It is added to the journal and never changed, and does not change payments.',
    parameters: {
      invoice: INVOICE,
      status: choiceOperand(RECIPIENT_STATUSES, 'the reported status'),
      on: requiredDay('the day of the payment, rejection or withdrawal'),
      toldOn: dayOption('the day on which it was reported; today by default'),
      statusReason: optionalOption(
        'text',
        'the recipient’s reason; required for a rejection or a withdrawal, refused for a payment',
      ),
    },
    examples: [
      [
        'A rejection',
        'statuses record $INVOICE rejected --on $TODAY --status-reason "never ordered" --reason "e-mail of the customer"',
      ],
    ],
    preview: (context, { invoice, status }) =>
      resourceChange(
        context,
        invoice,
        `record the status ${status} reported by the recipient of the invoice ${invoice}`,
      ),
    async run(context, { invoice: id, status, on, toldOn, statusReason }, { actor, reason }) {
      const found = await readInvoice(context, id);
      if (isRefusal(found)) return found;
      const { invoice: view } = found;
      const sent = { status, on, toldOn, statusReason };
      const request = atEnvironmentTime(view.owner, () => parseRequest(recipientStatusRequest, sent));
      if (isRefusal(request)) return request;
      const by = { actor, within: null, reason };
      const unkeyed = { key: null, sent: null };
      const { outcome } = await recordRecipientStatus(context.db, by, id, request, unkeyed);
      return isRefusal(outcome) ? outcome : shown(outcome.recorded);
    },
  });
}

function shown(recorded: RecipientStatus) {
  const { status, on, toldOn, toldBy, statusReason, createdAt } = recorded;
  return { status, on, toldOn, toldBy, isLate: isLate(recorded), statusReason, createdAt };
}
