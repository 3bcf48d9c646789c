-- An e-mail is found by its id alone, as a report on it names it and GraphQL's `node` has it.
CREATE INDEX "invoice_email_id_idx" ON "invoice_email"("id");
