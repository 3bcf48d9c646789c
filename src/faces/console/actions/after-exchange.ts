import { isRefusal } from '../../../ground/errors/refusal.ts';
import type { AnswerOf } from '../../graphql/typed-documents.ts';
import { money } from '../format.ts';
import { briefInvoice } from '../invoice.ts';
import type { Action, ActionField } from '../page.ts';
import { stored } from '../query.ts';
import { given, said } from '../words.ts';
import { RECIPIENT, recipientOf, subjectOf } from './invoices.ts';
import { centsOf } from './payments.ts';

/** What may follow an exchange: a return, and the right recipient. */

const SOLD_TEXT = `query ConsoleSold($id: ID!) {
  invoice(id: $id) {
    exchanges { id number }
    lineItems { description subtotal taxItems { type rate regimeKey operationClass exemption } }
  }
}`;
const SOLD = stored(SOLD_TEXT);

const RETURN = stored(`mutation ConsoleReturn($input: ReturnOnExchangeInput!) {
  returnOnExchange(input: $input) { exchanges { id number } }
}`);

const REPLACE = stored(`mutation ConsoleReplace($input: ReplaceExchangeInput!) {
  replaceExchange(input: $input) { exchanges { id number } }
}`);

type Sold = AnswerOf<typeof SOLD_TEXT>['invoice'];

const fieldsOf = ({ exchanges, lineItems }: Sold): readonly ActionField[] => [
  // Of a single ticket there is nothing to choose.
  ...(exchanges.length < 2
    ? []
    : [
        {
          name: 'ticket',
          label: 'Ticket' as const,
          choices: exchanges.map(({ id, number }) => [id, given(number)] as const),
        },
      ]),
  {
    ...({ name: 'line', label: 'What is taken back' } as const),
    choices: lineItems.map(({ description, subtotal }, index) => {
      return [String(index), given(`${description} (${money(subtotal)})`)] as const;
    }),
  },
  {
    ...({ name: 'amount', label: 'Net amount in EUR', max: 20, width: 'half' } as const),
    hint: 'Without taxes, such as 120.50. The tax is that of the line.' as const,
  },
];

/** A line that takes something of another one back, at its tax; the server adds the equivalence surcharge itself. */
function takenBack({ lineItems }: Sold, index: string, amount: number) {
  const { description, taxItems } = lineItems[Number(index)] ?? lineItems[0]!;
  return { description, quantity: 1, unitAmount: 0 - amount, taxItems: taxItems.slice(0, 1) };
}

/** A rectificativa of an exchanged ticket (R5), and the exchange invoice of that (F3). */
export const returnOnExchange: Action = {
  async prepare(context) {
    const id = context.param('id');
    const found = await briefInvoice(context, id);
    if (isRefusal(found)) return found;
    const sold = await SOLD(context, { id });
    if (isRefusal(sold)) return sold;
    const { invoice, companyScope } = found;
    return {
      title: said('Take something of {number} back', { number: invoice.number }),
      companyScope,
      lead: 'Two invoices are issued: a rectificativa of the ticket (R5) with what is taken back, and an exchange invoice of it (F3) for the recipient. They can only be voided together.',
      subject: subjectOf(invoice),
      fields: fieldsOf(sold.invoice),
      submit: 'Issue both invoices',
      back: `/invoices/${invoice.id}`,
    };
  },
  async perform(context, entries) {
    const id = context.param('id');
    const sold = await SOLD(context, { id });
    if (isRefusal(sold)) return sold;
    const input = {
      ...{ exchangeInvoiceId: id, ticketId: entries('ticket') || null, reason: entries('reason') },
      lineItems: [takenBack(sold.invoice, entries('line'), centsOf(entries('amount')))],
    };
    const done = await RETURN(context, { input });
    if (isRefusal(done)) return done;
    const [issued] = done.returnOnExchange.exchanges;
    return {
      flash: said('{number} was issued for the return.', { number: issued!.number }),
      to: `/invoices/${issued!.id}`,
    };
  },
};

/** The negative of a wrong exchange invoice, and the one for the right recipient (both F3). */
export const replaceExchange: Action = {
  async prepare(context) {
    const found = await briefInvoice(context, context.param('id'));
    if (isRefusal(found)) return found;
    const { invoice, companyScope } = found;
    return {
      title: said('Make {number} out to another recipient', { number: invoice.number }),
      companyScope,
      lead: 'Two invoices are issued: one with the same amounts in the negative, and one for the right recipient, both in exchange for the same tickets (F3); those of earlier returns get theirs too. The recipient is checked against its register.',
      subject: subjectOf(invoice),
      fields: RECIPIENT,
      submit: 'Issue the invoices',
      back: `/invoices/${invoice.id}`,
    };
  },
  async perform(context, entries) {
    const input = {
      ...{ exchangeInvoiceId: context.param('id'), reason: entries('reason') },
      recipient: recipientOf(entries),
    };
    const done = await REPLACE(context, { input });
    if (isRefusal(done)) return done;
    const right = done.replaceExchange.exchanges[1]!;
    return {
      flash: said('{number} was issued to the right recipient.', { number: right.number }),
      to: `/invoices/${right.id}`,
    };
  },
};
