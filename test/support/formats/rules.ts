/** The published schemas and rules of structured invoices, when EINVOICE_SCHEMAS names their folder. */
export const EINVOICE_SCHEMAS = process.env['EINVOICE_SCHEMAS'] || undefined;
