import { stored } from '../../src/faces/graphql/stored.ts';

/** The document of the endpoint of exports. */
export const exportDocuments = {
  link: stored(`query ExportInvoices($from: Date!, $to: Date!, $formats: [ExportedForm!]) {
  answer: documentExport(from: $from, to: $to, formats: $formats) {
    invoices
    download_url: downloadUrl
    expires_at: expiresAt
  }
}`),
};
