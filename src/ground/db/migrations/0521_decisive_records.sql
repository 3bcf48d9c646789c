-- The registration status of an invoice is that of the newest record that the agency accepted: an amendment that is under way or was
-- refused changes nothing there. Lists find it by the row that has "listed_at": moved to the decisive record of each invoice that was amended.
WITH decisive AS (
  SELECT DISTINCT ON (record.environment_id, record.invoice_id)
         record.environment_id, record.invoice_id, record.id AS record_id, invoice.issued_at
    FROM (SELECT DISTINCT environment_id, invoice_id FROM invoice_amendment) AS amended
    JOIN registration_record record
      ON record.environment_id = amended.environment_id AND record.invoice_id = amended.invoice_id AND record.kind = 'registration'
    JOIN record_state state ON state.environment_id = record.environment_id AND state.record_id = record.id
    JOIN invoice ON invoice.environment_id = record.environment_id AND invoice.id = record.invoice_id
   ORDER BY record.environment_id, record.invoice_id, (state.status IN ('registered', 'registered_with_errors')) DESC,
            (state.status <> 'skipped') DESC, record.chain_id DESC, record.position DESC)
UPDATE record_state state
   SET listed_at = CASE WHEN state.record_id = decisive.record_id THEN decisive.issued_at END
  FROM decisive JOIN registration_record record
    ON record.environment_id = decisive.environment_id AND record.invoice_id = decisive.invoice_id AND record.kind = 'registration'
 WHERE state.environment_id = record.environment_id AND state.record_id = record.id
   AND (state.listed_at IS NOT NULL) <> (state.record_id = decisive.record_id);
