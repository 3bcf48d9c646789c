import { stored } from '../../src/faces/graphql/stored.ts';

/** The stored query of the endpoint of exports. */
export const exportOperations = {
  link: stored(`query ExportInvoices($from: Date!, $to: Date!, $formats: [ExportedForm!]) {
  answer: documentExport(from: $from, to: $to, formats: $formats) {
    invoices
    download_url: downloadUrl
    expires_at: expiresAt
  }
}`),
};
