-- All rectificativas of an invoice issued elsewhere are one family, known by issuer, number and day: asked whenever one is
-- issued, and again under the chain's lock.
CREATE INDEX invoice_external_original ON invoice (environment_id, upper(external_number), external_issued_on)
  WHERE external_number IS NOT NULL;
