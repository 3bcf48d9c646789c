-- Lists by registration status and by payment status in the order of issue: the instant at which the invoice was issued stands
-- in the row by which it is found, and the index over both gives a page without looking at what is before or behind it.

-- Null in the row of a cancellation, and of a registration record that an amendment came after.
ALTER TABLE record_state ADD COLUMN listed_at TIMESTAMPTZ(3);
UPDATE record_state state SET listed_at = invoice.issued_at
  FROM registration_record record
  JOIN invoice ON invoice.environment_id = record.environment_id AND invoice.id = record.invoice_id
 WHERE state.status <> 'registered' AND record.environment_id = state.environment_id AND record.id = state.record_id
   AND record.kind = 'registration' AND NOT EXISTS (
     SELECT FROM registration_record newer
      WHERE newer.environment_id = record.environment_id AND newer.invoice_id = record.invoice_id
        AND newer.kind = 'registration' AND (newer.chain_id, newer.position) > (record.chain_id, record.position));
DROP INDEX record_state_by_status;
CREATE INDEX record_state_by_status ON record_state (environment_id, status, listed_at, record_id)
  WHERE status <> 'registered' AND listed_at IS NOT NULL;

-- Null where nobody holds the account.
ALTER TABLE payment_account ADD COLUMN listed_at TIMESTAMPTZ(3);
UPDATE payment_account account SET listed_at = invoice.issued_at
  FROM invoice WHERE invoice.environment_id = account.environment_id AND invoice.id = account.holder_id;
DROP INDEX payment_account_settlement;
CREATE INDEX payment_account_settlement ON payment_account (environment_id, settlement, listed_at, holder_id)
  INCLUDE (payable, due_on) WHERE holder_id IS NOT NULL;

-- Invoices that nothing but a payment gives an account (`openAccountsOf`): those that are looked through for unpaid ones.
CREATE INDEX invoice_without_terms ON invoice (environment_id, issued_at, id)
  WHERE rectifies_id IS NULL AND (imported OR due_date IS NULL AND payment IS NULL);
