import type { Command } from 'commander';
import { parseRequest } from '../../ground/errors/issues.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { atEnvironmentTime } from '../../subjects/accounts/entry/environment-time.ts';
import { messagesOf } from '../../subjects/exchange/store/read-messages.ts';
import { businessStatusesOf } from '../../subjects/payments/business-statuses.ts';
import { recipientStatusRequest } from '../../subjects/payments/recipient-status-request.ts';
import { isLate, recordRecipientStatus } from '../../subjects/payments/recipient-statuses.ts';
import { readMovementsOf } from '../../subjects/payments/store/read-payments.ts';
import {
  type RecipientStatus,
  readRecipientStatusesOf,
} from '../../subjects/payments/store/read-recipient-statuses.ts';
import { RECIPIENT_STATUSES } from '../../subjects/payments/types.ts';
import { type CliRuntime, changeCommand, commandGroup, queryCommand } from './command.ts';
import { choiceOperand, dayOption, operand, optionalOption, requiredDay } from './options.ts';
import { readInvoice, resourceChange } from './targets.ts';

const INVOICE = operand('the id of the invoice');

/** Statuses of invoices between businesses. */
export function statuses(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'statuses', 'what became of invoices between businesses');
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists what issuer and recipient of an invoice have to say of its payment',
    details:
      'Lists what the issuer of an invoice has to report of its payment, what its recipient has said of it, and which messages of a test invoice were exchanged with the simulator of the public solution.',
    parameters: { invoice: INVOICE },
    examples: [['Of one invoice', 'statuses list $INVOICE --json']],
    async run(context, { invoice: id }) {
      const found = await readInvoice(context, id);
      if (isRefusal(found)) return found;
      const { invoice: view } = found;
      const { db } = context;
      const { environment_id: environmentId } = view.invoice;
      const wanted = [{ key: id, within: String(environmentId), id }];
      const movements = (await readMovementsOf(db.pool, wanted)).get(id) ?? [];
      const told = (await readRecipientStatusesOf(db.pool, wanted)).get(id) ?? [];
      return {
        issuer: businessStatusesOf(view, movements),
        recipient: told.map(shown),
        messages: await messagesOf(db.pool, environmentId, id),
      };
    },
  });
  changeCommand(group, runtime, {
    name: 'record',
    description: 'records what the recipient of an invoice has said of it',
    details:
      'Records what the recipient of an invoice has said of it: that it has paid, that it rejects the invoice, or that what it said before does not hold. It is added to the journal and never changed; no payment changes by it.',
    parameters: {
      invoice: INVOICE,
      status: choiceOperand(RECIPIENT_STATUSES, 'what it has said'),
      on: requiredDay('the day in Madrid on which it paid or rejected the invoice, or withdrew that'),
      toldOn: dayOption('the day on which it said so; today without it'),
      statusReason: optionalOption(
        'text',
        'its reason, which a rejection and a withdrawal need and a payment has none of',
      ),
    },
    examples: [
      [
        'A rejection',
        'statuses record $INVOICE rejected --on $TODAY --status-reason "never ordered" --reason "e-mail of the customer"',
      ],
    ],
    preview: (context, { invoice, status }) =>
      resourceChange(context, invoice, `record that the recipient of the invoice ${invoice} said ${status}`),
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
