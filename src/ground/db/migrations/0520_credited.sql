-- An invoice that was credited in full without having been paid is "credited", not "paid". One whose own amount is zero asked for nothing,
-- and stays "paid": "owed" says whether the first invoice of the account is any other.
ALTER TABLE payment_account ADD COLUMN owed BOOLEAN NOT NULL DEFAULT true;
UPDATE payment_account account SET owed = false
  FROM invoice
 WHERE invoice.environment_id = account.environment_id AND invoice.id = account.root_id
   AND invoice.kind IN ('original', 'exchange') AND invoice.total = coalesce(invoice.withholding_amount, 0);

DROP INDEX payment_account_settlement;
DROP INDEX payment_account_no_longer_overdue;
DROP INDEX payment_account_untold;
ALTER TABLE payment_account DROP COLUMN settlement;
ALTER TABLE payment_account ADD COLUMN settlement TEXT GENERATED ALWAYS AS (
  CASE WHEN payable = 0 AND paid = 0 AND owed THEN 'credited'
       WHEN payable >= 0 AND paid >= payable OR payable < 0 AND paid <= payable THEN 'paid'
       WHEN paid <> 0 AND (paid > 0) = (payable > 0) THEN 'partially_paid'
       ELSE 'unpaid' END) STORED;
ALTER TABLE payment_account ALTER COLUMN settlement SET NOT NULL;
CREATE INDEX payment_account_settlement ON payment_account (
  environment_id, settlement, (CASE WHEN overdue_told_at IS NULL THEN 0 ELSE 1 END), listed_at, holder_id)
  INCLUDE (payable, due_on, overdue_told_at) WHERE holder_id IS NOT NULL;
CREATE INDEX payment_account_no_longer_overdue ON payment_account (
  environment_id, settlement, coalesce(CASE WHEN payable > 0 THEN due_on END, 'infinity'))
  WHERE holder_id IS NOT NULL AND settlement <> 'paid' AND overdue_told_at IS NOT NULL;
CREATE INDEX payment_account_untold ON payment_account (environment_id, due_on)
  WHERE holder_id IS NOT NULL AND payable > 0 AND settlement <> 'paid' AND due_on IS NOT NULL AND overdue_told_at IS NULL;
