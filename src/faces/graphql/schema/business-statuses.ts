import {
  type BusinessStatus,
  businessStatusesOf,
  isBetweenBusinesses,
} from '../../../subjects/payments/business-statuses.ts';
import { BUSINESS_STATUSES } from '../../../subjects/payments/types.ts';
import { builder } from '../builder.ts';
import { charged } from '../charged-rows.ts';
import { loadersOf } from '../loaders.ts';
import { Invoice } from './invoice.ts';

/** What has to be stated between businesses of the payment of an invoice. */

const BusinessStatusEnum = builder.enumType('BusinessStatusKind', {
  description:
    'A payment status that the issuer of an invoice has to report between businesses (Orden HAC/1028/2026).',
  values: BUSINESS_STATUSES,
});

const BusinessStatusType = builder.objectRef<BusinessStatus>('BusinessStatus').implement({
  description:
    'A status of an invoice between businesses. Nothing is sent: the public solution is not published yet.',
  fields: (t) => ({
    status: t.expose('status', { type: BusinessStatusEnum, description: 'The status.' }),
    on: t.expose('on', {
      type: 'Date',
      nullable: true,
      description: 'Date of the payment; null if a correction of the invoice caused the status.',
    }),
    recipientTellsBy: t.expose('recipientTellsBy', {
      type: 'Date',
      nullable: true,
      description:
        'For `settled`: the last day on which the recipient has to confirm the payment, four days later without weekends and national holidays; otherwise null.',
    }),
  }),
});

builder.objectField(Invoice, 'businessStatuses', (t) =>
  t.field({
    type: [BusinessStatusType],
    complexity: { field: 20, multiplier: 5 },
    description:
      'The payment statuses that its issuer has to report between businesses, in chronological order, computed from the payments. Empty for simplified invoices, for recipients without a Spanish tax id, and for invoices that are not payable.',
    resolve: async (view, _args, context) => {
      const { invoice, pdfToken } = view;
      if (!isBetweenBusinesses(view)) return [];
      // Nothing was paid of what is issued this moment.
      const isIssued = pdfToken !== undefined;
      const movements = isIssued
        ? []
        : await loadersOf(context).movements(invoice.environment_id, invoice.id);
      return charged(context, businessStatusesOf(view, movements));
    },
  }),
);
