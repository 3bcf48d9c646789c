-- Registered invoices are counted as all without those that are not, by indexes alone. An imported invoice is not, and few
-- environments have any.
CREATE INDEX invoice_imported ON invoice (environment_id) WHERE imported;
