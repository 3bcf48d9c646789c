import { builder } from '../builder.ts';
import { Invoice } from './invoice.ts';

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** Of every input that issues. Shapes only: what values they take is said by the schema in issuing/request.ts. */
export const extensionInputs = (t: InputFields) => ({
  dueDate: t.string({ description: 'YYYY-MM-DD: the day by which it is to be paid.' }),
});

builder.objectFields(Invoice, (t) => ({
  dueDate: t.field({
    type: 'Date',
    nullable: true,
    description: 'The day by which it is to be paid; null when its request named none.',
    resolve: ({ invoice }) => invoice.due_date,
  }),
}));
