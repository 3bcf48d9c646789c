import { KEPT } from './kept.ts';

/** What is what in the archive of a company, for whoever opens it without this service. */
export function readmeOf(companyId: string, at: Date): string {
  const kept = KEPT.map(({ what, howLong, law }) => `- ${what}\n  ${howLong}\n  ${law}\n`).join('');
  return `Company ${companyId}, archived ${at.toISOString()}
${'='.repeat(40)}

settings.json      the company, its account, its tax catalog and what operators did with it
live/, test/       the two environments, each with:
  records.xml      the sealed registration records of VERI*FACTU (RegistroAlta, RegistroAnulacion), byte for byte, with their state
                   at the tax agency; "lacre records schema" prints its schema
  documents/       the PDF of each invoice, by its number
  rows/*.jsonl     the rows of one table each, one JSON object a line. Amounts are in cents of euro (quantities and rates as named),
                   times in UTC, days where the issuer is; bytes are hexadecimal after "\\x"
    invoice, invoice_line, tax_item, invoice_exchange, invoice_void, invoice_amendment     invoices and their corrections
    invoice_payment, invoice_payment_removal, invoice_email, invoice_email_state           payments and messages
    customer, integration, invoice_draft, invoice_schedule, invoice_batch                  customers, drafts, subscriptions
    journal_entry, journal_head, journal_checkpoint, environment_audit_entry               the journal: each event, and its proof
    number_series, series_counter, chain, record_state, submission                         numbering and registration
    branding, email_settings, webhook_endpoint, environment and others                      settings
SHA256SUMS         checksums of all other files: sha256sum --check SHA256SUMS

Not in it: keys and secrets of any kind, and what is computed from these rows (totals, lists).

What must be kept, and how long
${'-'.repeat(31)}
${kept}`;
}
