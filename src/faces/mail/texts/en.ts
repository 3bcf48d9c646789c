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
    invoice: (issuer) => `${issuer} sends you this invoice.`,
    rectifying: (issuer) => `${issuer} sends you this corrective invoice, which corrects an earlier one.`,
    voided: (issuer) => `${issuer} has voided this invoice.`,
    reminder: (issuer, due) =>
      `According to the records of ${issuer}, this invoice, which was due on ${due}, has not been paid yet. If you have paid it already, please disregard this message.`,
  },
  amount: 'Amount',
  outstanding: 'Still to be paid',
  portal: 'View the invoice',
  portalNote: 'The link opens all of your invoices: do not share it.',
  pdf: 'Download the PDF',
  attached: (files) => (files === 1 ? 'Attached file' : 'Attached files'),
  answer: (issuer) => `If you reply to this message, you write to ${issuer}.`,
  noAnswer: (issuer) => `Nobody reads replies to this message. For any question, please contact ${issuer}.`,
  sentFor: (issuer, nif) => `Sent on behalf of ${issuer}, tax id ${nif}.`,
};
