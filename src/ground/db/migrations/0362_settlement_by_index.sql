-- Accounts by payment status are counted by an index alone: it has the column of its expression too, without which Postgres reads
-- the row of each account.
DROP INDEX payment_account_settlement;
CREATE INDEX payment_account_settlement ON payment_account (
  environment_id, settlement, (CASE WHEN overdue_told_at IS NULL THEN 0 ELSE 1 END), listed_at, holder_id)
  INCLUDE (payable, due_on, overdue_told_at) WHERE holder_id IS NOT NULL;
