import type { MailTexts } from './texts.ts';

/** English. */
export const en: MailTexts = {
  subject: {
    invoice: (number, issuer) => `Invoice ${number} from ${issuer}`,
    rectifying: (number, issuer) => `Corrective invoice ${number} from ${issuer}`,
    voided: (number, issuer) => `Invoice ${number} from ${issuer}: voided`,
    reminder: (number, issuer) => `Payment reminder: invoice ${number} from ${issuer}`,
  },
  test: 'TEST',
  testNote: 'Test message: the document has no fiscal validity.',
  greeting: (name) => (name === null ? 'Hello,' : `Hello ${name},`),
  lead: {
    invoice: (issuer) => `${issuer} has sent you this invoice.`,
    rectifying: (issuer) => `${issuer} has sent you this corrective invoice. It corrects an earlier one.`,
    voided: (issuer) => `${issuer} has voided this invoice: it is no longer valid.`,
    reminder: (issuer, due) =>
      `According to the records of ${issuer}, this invoice, which was due on ${due}, has not been paid yet. If you have paid it already, please disregard this message.`,
  },
  amount: 'Amount',
  outstanding: 'Amount due',
  corrections: 'Corrections',
  paid: 'Paid',
  portal: 'View the invoice',
  portalNote: 'The link gives access to all of your invoices: please do not share it.',
  pdf: 'Download the PDF',
  attached: (files) => (files === 1 ? 'Attachment' : 'Attachments'),
  answer: (issuer) => `Replies to this message reach ${issuer}.`,
  noAnswer: (issuer) =>
    `Replies to this message are not read. If you have any questions, please contact ${issuer}.`,
  sentFor: (issuer, nif) => `Sent on behalf of ${issuer}, tax ID ${nif}.`,
};
