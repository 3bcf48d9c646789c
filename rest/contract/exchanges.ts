import { z } from 'zod';
import {
  exchangeRequest,
  replacementBody,
  returnBody,
} from '../../src/subjects/rectifying/exchange-request.ts';
import { exchangeInvoices, replaceExchange, returnOnExchange } from '../exchanges.ts';
import { CORRECTED } from '../openapi/examples.ts';
import * as examples from '../openapi/exchange-examples.ts';
import { invoice } from '../response-schemas.ts';
import { CORRECTING, ISSUING } from './issuing-codes.ts';
import { operations } from './operation.ts';

const exchangeReturn = z
  .strictObject({
    rectification: invoice.describe('The rectificativa of the ticket (R5).'),
    exchanges: z.array(invoice).describe('The exchange invoice of that rectificativa (F3).'),
  })
  .meta({ id: 'ExchangeReturn' });

const exchangeReplacement = z
  .strictObject({
    exchanges: z
      .array(invoice)
      .describe('Pairs of exchange invoices: the one that takes a wrong one back, and the right one.'),
  })
  .meta({ id: 'ExchangeReplacement' });

const ids = { id: ['invoice', CORRECTED] } as const;
const codes = ['invoice_not_found', 'idempotency_conflict', ...ISSUING, ...CORRECTING] as const;

export const exchangeOperations = operations('Exchanges', [
  {
    id: 'exchangeInvoices',
    method: 'POST',
    path: '/v1/exchanges',
    field: 'exchangeInvoices',
    summary: 'Exchange tickets for a complete invoice',
    description:
      'Issues one complete invoice (F3) in exchange for simplified ones, with their lines and amounts. They remain valid; while it is in force they are corrected by `returns` alone. Needs the scope `issue`.',
    isKeyed: true,
    body: { schema: exchangeRequest, examples: examples.exchangeRequests },
    answer: { status: 201, description: 'Issued', schema: invoice, example: examples.exchange },
    codes,
    handler: exchangeInvoices,
  },
  {
    id: 'returnOnExchange',
    method: 'POST',
    path: '/v1/exchanges/{id}/returns',
    field: 'returnOnExchange',
    summary: 'Take back what is returned of an exchanged ticket',
    description:
      'Issues the rectificativa of the ticket (R5) and a further exchange invoice (F3) of that for the customer, in one transaction; they are voided together. Needs the scope `correct`.',
    ids,
    isKeyed: true,
    body: { schema: returnBody, examples: examples.returnRequests },
    answer: { status: 201, description: 'Issued', schema: exchangeReturn, example: examples.returned },
    codes,
    handler: returnOnExchange,
  },
  {
    id: 'replaceExchange',
    method: 'POST',
    path: '/v1/exchanges/{id}/replacement',
    field: 'replaceExchange',
    summary: 'Replace an exchange invoice for a wrong recipient',
    description:
      'Issues one with the same amounts in the negative and one for the right recipient, both in exchange for the same tickets, in one transaction; they are voided together. The exchange invoices of earlier returns get their pair too. Needs the scope `correct`.',
    ids,
    isKeyed: true,
    body: { schema: replacementBody, examples: examples.replacementRequests },
    answer: { status: 201, description: 'Issued', schema: exchangeReplacement, example: examples.replaced },
    codes,
    handler: replaceExchange,
  },
]);
