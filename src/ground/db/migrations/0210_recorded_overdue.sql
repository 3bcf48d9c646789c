-- Lists of what is overdue, and of what is to be paid and is not overdue: an account is in the part of the index that says
-- whether its invoice was recorded as overdue. Nearly all invoices of a part have the status that it says, so that a page passes
-- over few of the others.
DROP INDEX payment_account_settlement;
CREATE INDEX payment_account_settlement ON payment_account (
  environment_id, settlement, (CASE WHEN overdue_told_at IS NULL THEN 0 ELSE 1 END), listed_at, holder_id)
  INCLUDE (payable, due_on) WHERE holder_id IS NOT NULL;

-- The others of one part are found by "payment_account_untold", and of the other part by this: what was recorded as overdue and is
-- a refund now, or due later.
CREATE INDEX payment_account_no_longer_overdue ON payment_account (
  environment_id, settlement, coalesce(CASE WHEN payable > 0 THEN due_on END, 'infinity'))
  WHERE holder_id IS NOT NULL AND settlement <> 'paid' AND overdue_told_at IS NOT NULL;
