import { InvoiceRow, Money } from './documents.ts';
import { graphql } from './graphql.ts';

/** What the page asks about simplified invoices that are exchanged for a complete one. */

/** The documents of a sale, with the exchange invoice in force of each. */
const Exchanged = graphql(
  `
    fragment Exchanged on Invoice @_unmask {
      id
      ...InvoiceRow
      exchangedBy {
        id
        ...InvoiceRow
      }
    }
  `,
  [InvoiceRow],
);

const OfTickets = graphql(
  `
    fragment OfTickets on Invoice @_unmask {
      id
      family {
        id
        inForceTotal
        head {
          id
        }
        members {
          ...Exchanged
        }
      }
    }
  `,
  [Exchanged],
);

/** Of an exchange invoice its tickets, of a ticket itself; both with their returns. */
const OfExchange = graphql(
  `
    fragment OfExchange on Invoice @_unmask {
      id
      ...OfTickets
      exchanges {
        ...OfTickets
      }
    }
  `,
  [OfTickets],
);

export const ExchangeDetail = graphql(
  `
    query ExchangeDetail($id: ID!) {
      invoice(id: $id) {
        ...OfExchange
      }
    }
  `,
  [OfExchange],
);

export const ExchangeTicket = graphql(
  `
    mutation ExchangeTicket($input: ExchangeInvoicesInput!, $idempotencyKey: String!) {
      exchangeInvoices(input: $input, idempotencyKey: $idempotencyKey) {
        id
        ...InvoiceRow
        ...OfExchange
      }
    }
  `,
  [InvoiceRow, OfExchange],
);

/** Asks for what a return or a replacement changes elsewhere: what is due of the exchange invoice, and what its tickets have become. */
const ExchangeCorrected = graphql(
  `
    fragment ExchangeCorrected on ExchangeCorrection @_unmask {
      exchange {
        ...InvoiceRow
        ...Money
        ...OfExchange
      }
      exchanges {
        id
        ...InvoiceRow
      }
    }
  `,
  [InvoiceRow, Money, OfExchange],
);

export const ReturnOnExchange = graphql(
  `
    mutation ReturnOnExchange($input: ReturnOnExchangeInput!, $idempotencyKey: String!) {
      returnOnExchange(input: $input, idempotencyKey: $idempotencyKey) {
        ...ExchangeCorrected
      }
    }
  `,
  [ExchangeCorrected],
);

export const ReplaceExchange = graphql(
  `
    mutation ReplaceExchange($input: ReplaceExchangeInput!, $idempotencyKey: String!) {
      replaceExchange(input: $input, idempotencyKey: $idempotencyKey) {
        ...ExchangeCorrected
      }
    }
  `,
  [ExchangeCorrected],
);
