import { amountPayable, withholdingOf } from '../../../subjects/invoices/payable.ts';
import { builder } from '../builder.ts';
import { Invoice } from './invoice.ts';
import { WithholdingInput, WithholdingType } from './withholding.ts';

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** Of every input that issues. Shapes only: what values they take is said by the schema in issuing/request.ts. */
export const extensionInputs = (t: InputFields) => ({
  dueDate: t.string({ description: 'YYYY-MM-DD: the day by which it is to be paid.' }),
  withholding: t.field({
    type: WithholdingInput,
    description: 'The income tax (IRPF) that the recipient keeps back; on complete invoices only.',
  }),
});

builder.objectFields(Invoice, (t) => ({
  dueDate: t.field({
    type: 'Date',
    nullable: true,
    description: 'The day by which it is to be paid; null when its request named none.',
    resolve: ({ invoice }) => invoice.due_date,
  }),
  withholding: t.field({
    type: WithholdingType,
    nullable: true,
    description: 'What the recipient keeps back; null when nothing is. No part of `total`.',
    resolve: ({ invoice }) => withholdingOf(invoice),
  }),
  amountPayable: t.field({
    type: 'SafeInt',
    nullable: true,
    description: '`total` less what is withheld; null when nothing is.',
    resolve: ({ invoice }) => (withholdingOf(invoice) === null ? null : amountPayable(invoice)),
  }),
}));
