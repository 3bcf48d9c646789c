/** Descriptions of arguments and input fields whose meaning depends on their place. */
export const INPUTS: Readonly<Record<string, string>> = {
  'CompanyFlagsInput.mandateApproved': 'Whether it has approved the mandate to send records in its name.',
  'CompanyFlagsInput.onboardingFinished': 'Whether onboarding for issuing live is finished.',
  'Invoice.document(format)': 'The format.',
  'Mutation.recordPayment(idempotencyKey)':
    'An idempotency key: repeating the request with the same key returns the stored answer and records nothing more.',
  'Mutation.recordRecipientStatus(idempotencyKey)':
    'An idempotency key: repeating the request with the same key returns the stored answer and records nothing more.',
  'Mutation.removePayment(paymentId)': 'The id.',
  'Mutation.sendInvoice(idempotencyKey)':
    'An idempotency key: repeating the request with the same key returns the stored answer and sends nothing more.',
  'Mutation.createNumberSeries(idempotencyKey)':
    'An idempotency key: 1 to 255 printable ASCII characters, kept for 24 hours. Equivalent to the header `Idempotency-Key`.',
  'Mutation.setCompanyFlags(flags)': 'The flags to set.',
  'Operations.history(span)': 'The period.',
  'Operations.chainList(troubled)': 'Only those that need attention.',
  'Query.chainRecords(first)': 'Number of records.',
  'Query.invoiceFile(token)': 'The token of the signed link.',
  'Query.numberSeries(type)': 'Only series of this type.',
  'UploadCertificateInput.password': 'The password of the file.',
};
