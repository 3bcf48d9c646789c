-- The e-mails of an environment that are due, in their order: one job for each environment delivers them.
CREATE INDEX invoice_email_due ON invoice_email_state (environment_id, next_at, email_id) WHERE status = 'queued';
