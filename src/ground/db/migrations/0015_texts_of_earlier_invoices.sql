-- compatible
-- The texts of invoices that were issued before 0014, in a transaction of its own: it holds back nobody who issues.
INSERT INTO invoice_text (environment_id, listed_at, invoice_id, tax_id, content)
SELECT invoice.environment_id, invoice.issued_at, invoice.id, invoice.recipient_tax_id,
       searched_text(invoice.number, invoice.order_id, invoice.external_id,
         coalesce(invoice.recipient_company_name, invoice.recipient_name), line.descriptions)
  FROM invoice JOIN (
    SELECT environment_id, invoice_id, string_agg(DISTINCT without_accents(description) COLLATE "C", E'\n') AS descriptions
      FROM invoice_line GROUP BY environment_id, invoice_id) AS line
    ON line.environment_id = invoice.environment_id AND line.invoice_id = invoice.id
ON CONFLICT DO NOTHING;
