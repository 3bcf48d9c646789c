import { CORRECTED, invoice } from './examples.ts';

/** What requests about exchanges look like, and their answers. */

/** The ticket that they name. */
export const TICKET = 'inv_01a1f90e2b6c7c1a8f4f0d0c2a7b9e31';

const recipient = {
  name: 'García López Ana',
  tax_id: '12345678Z',
  address: { line1: 'Gran Vía 1', postal_code: '28013', city: 'Madrid', country: 'ES' },
};

const [line] = invoice.line_items;

export const exchange = { ...invoice, kind: 'exchange' };

const takenBack = {
  ...invoice,
  ...{ subtotal: -5_000, tax: -1_050, total: -6_050 },
  line_items: [
    {
      ...line!,
      ...{ quantity: 1, unit_amount: -5_000, subtotal: -5_000, tax: -1_050, total: -6_050 },
      tax_items: [{ name: 'IVA 21%', type: 'vat', rate: 21, amount: -1_050 }],
    },
  ],
};

export const returned = {
  rectification: {
    ...takenBack,
    ...{ type: 'simplified', kind: 'rectifying_differences', number: 'R-2026-3' },
    ...{ rectifies: [{ invoice_id: CORRECTED }], recipient: null },
    ...{ recipient_name: null, recipient_tax_id: null, email: null },
  },
  exchanges: [{ ...takenBack, kind: 'exchange', number: 'F-2026-43' }],
};

export const replaced = {
  exchanges: [
    { ...takenBack, kind: 'exchange', number: 'F-2026-44' },
    { ...exchange, number: 'F-2026-45' },
  ],
};

export const exchangeRequests = {
  tickets: {
    summary: 'A customer asks for an invoice',
    value: { ticket_ids: [TICKET], recipient, external_id: 'F3-17' },
  },
};

export const returnRequests = {
  goods: {
    summary: 'One of the articles comes back',
    value: {
      ticket_id: TICKET,
      line_items: [
        {
          ...{ description: 'Chair', quantity: 1, unit_amount: -5_000 },
          tax_items: [{ type: 'vat', rate: 21 }],
        },
      ],
      reason: 'Returned within two weeks',
    },
  },
};

export const replacementRequests = {
  recipient: {
    summary: 'The customer had given the tax id of another company',
    value: { recipient, reason: 'Wrong tax id' },
  },
};
