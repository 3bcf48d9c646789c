-- Payments of invoices as merchants record them. A payment never changes; one that was recorded wrongly is removed by a
-- row that says so. Both are sealed, and each says what its account came to by it: what was to be paid, and what was paid.
CREATE TYPE "payment_means" AS ENUM ('transfer', 'direct_debit', 'card', 'cash', 'other');

CREATE TABLE "invoice_payment" (
    "environment_id" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "paid_on" DATE NOT NULL,
    "means" "payment_means",
    "reference" TEXT,
    "recorded_by" TEXT NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,
    "account_payable" BIGINT NOT NULL,
    "account_paid" BIGINT NOT NULL,

    CONSTRAINT "invoice_payment_pkey" PRIMARY KEY ("id","environment_id")
);

CREATE TABLE "invoice_payment_removal" (
    "environment_id" INTEGER NOT NULL,
    "payment_id" TEXT NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "removed_by" TEXT NOT NULL,
    "removed_at" TIMESTAMPTZ(3) NOT NULL,
    "account_payable" BIGINT NOT NULL,
    "account_paid" BIGINT NOT NULL,

    CONSTRAINT "invoice_payment_removal_pkey" PRIMARY KEY ("environment_id","payment_id")
);

-- What is to be paid and was, of an invoice together with what corrects it: made of the sealed rows again whenever one of
-- them is added. There is none of an original of which nothing but its total says what is to be paid.
CREATE TABLE "payment_account" (
    "environment_id" INTEGER NOT NULL,
    "root_id" TEXT NOT NULL,
    "holder_id" TEXT,
    "payable" BIGINT NOT NULL DEFAULT 0,
    "paid" BIGINT NOT NULL DEFAULT 0,
    "due_on" DATE,
    "overdue_told_at" TIMESTAMPTZ(3),
    "settlement" TEXT NOT NULL GENERATED ALWAYS AS (
      CASE WHEN payable >= 0 AND paid >= payable OR payable < 0 AND paid <= payable THEN 'paid'
           WHEN paid <> 0 AND (paid > 0) = (payable > 0) THEN 'partially_paid'
           ELSE 'unpaid' END) STORED,

    CONSTRAINT "payment_account_pkey" PRIMARY KEY ("environment_id","root_id")
);

CREATE INDEX "invoice_payment_environment_id_invoice_id_recorded_at_id_idx" ON "invoice_payment"("environment_id", "invoice_id", "recorded_at", "id");
CREATE UNIQUE INDEX "payment_account_environment_id_holder_id_key" ON "payment_account"("environment_id", "holder_id");

ALTER TABLE "invoice_payment" ADD CONSTRAINT "invoice_payment_environment_id_invoice_id_fkey" FOREIGN KEY ("environment_id", "invoice_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "invoice_payment_removal" ADD CONSTRAINT "invoice_payment_removal_environment_id_payment_id_fkey" FOREIGN KEY ("environment_id", "payment_id") REFERENCES "invoice_payment"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payment_account" ADD CONSTRAINT "payment_account_environment_id_root_id_fkey" FOREIGN KEY ("environment_id", "root_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payment_account" ADD CONSTRAINT "payment_account_environment_id_holder_id_fkey" FOREIGN KEY ("environment_id", "holder_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE invoice_payment ADD CONSTRAINT invoice_payment_amount CHECK (amount > 0);

-- What one asks lists for, and what nobody was told yet.
CREATE INDEX payment_account_settlement ON payment_account (environment_id, settlement, due_on) INCLUDE (holder_id)
  WHERE holder_id IS NOT NULL;
CREATE INDEX payment_account_untold ON payment_account (environment_id, due_on)
  WHERE holder_id IS NOT NULL AND payable > 0 AND settlement <> 'paid' AND due_on IS NOT NULL AND overdue_told_at IS NULL;

CREATE TRIGGER sealed_row BEFORE UPDATE OR DELETE ON invoice_payment FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sealed_table BEFORE TRUNCATE ON invoice_payment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sealed_row BEFORE UPDATE OR DELETE ON invoice_payment_removal FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sealed_table BEFORE TRUNCATE ON invoice_payment_removal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The account of the invoices behind a root, from the sealed rows. In force is the last live statement of the whole and the
-- differences behind it; whoever is that statement holds the account. Of what was voided or exchanged nobody owes anything.
-- What was paid is what was recorded of any invoice of the family, and of the tickets that the root was given in exchange for.
CREATE FUNCTION payment_account_of(environment integer, root text)
  RETURNS TABLE (holder_id text, payable bigint, paid bigint, due_on date) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE live AS (
    SELECT id, kind, total - coalesce(withholding_amount, 0) AS payable, due_date, 0 AS step
      FROM invoice WHERE environment_id = environment AND id = root
       AND NOT EXISTS (SELECT FROM invoice_void v WHERE v.environment_id = environment AND v.invoice_id = root)
    UNION ALL
    SELECT later.id, later.kind, later.total - coalesce(later.withholding_amount, 0), later.due_date, live.step + 1
      FROM live JOIN invoice later ON later.environment_id = environment AND later.rectifies_id = live.id
     WHERE NOT EXISTS (SELECT FROM invoice_void v WHERE v.environment_id = environment AND v.invoice_id = later.id)
  ), in_force AS (
    SELECT * FROM live
     WHERE step >= (SELECT coalesce(max(step) FILTER (WHERE kind <> 'rectifying_differences'), 0) FROM live)
       AND NOT EXISTS (
         SELECT FROM live AS ticket JOIN invoice_exchange x ON x.environment_id = environment AND x.ticket_id = ticket.id
          WHERE NOT EXISTS (SELECT FROM invoice_void v WHERE v.environment_id = environment AND v.invoice_id = x.exchange_id))
  ), exchanged AS (
    SELECT ticket.id, ticket.rectifies_id FROM live
      JOIN invoice_exchange x ON x.environment_id = environment AND x.exchange_id = live.id
      JOIN invoice ticket ON ticket.environment_id = environment AND ticket.id = x.ticket_id
     WHERE live.kind = 'exchange'
    UNION ALL
    SELECT before.id, before.rectifies_id FROM exchanged
      JOIN invoice before ON before.environment_id = environment AND before.id = exchanged.rectifies_id
  ), family AS (
    SELECT root AS id UNION SELECT id FROM exchanged WHERE rectifies_id IS NULL
    UNION
    SELECT later.id FROM family JOIN invoice later ON later.environment_id = environment AND later.rectifies_id = family.id
  )
  SELECT (SELECT id FROM in_force ORDER BY step LIMIT 1),
         (SELECT coalesce(sum(in_force.payable), 0)::bigint FROM in_force),
         (SELECT coalesce(sum(CASE WHEN invoice.total < coalesce(invoice.withholding_amount, 0) THEN -payment.amount ELSE payment.amount END), 0)::bigint
            FROM family
            JOIN invoice_payment payment ON payment.environment_id = environment AND payment.invoice_id = family.id
            JOIN invoice ON invoice.environment_id = environment AND invoice.id = family.id
           WHERE NOT EXISTS (SELECT FROM invoice_payment_removal gone
                              WHERE gone.environment_id = environment AND gone.payment_id = payment.id)),
         (SELECT max(due_date) FROM in_force)
$$;

-- What was issued before this. Nobody is told now of days that are past.
INSERT INTO payment_account (environment_id, root_id, holder_id, payable, paid, due_on, overdue_told_at)
SELECT root.environment_id, root.id, account.holder_id, account.payable, account.paid, account.due_on,
       CASE WHEN account.due_on < (now() AT TIME ZONE 'Europe/Madrid')::date THEN now() END
  FROM invoice root, LATERAL payment_account_of(root.environment_id, root.id) AS account
 WHERE root.rectifies_id IS NULL
   AND (root.due_date IS NOT NULL OR root.payment IS NOT NULL OR root.kind <> 'original'
        OR root.total <= coalesce(root.withholding_amount, 0)
        OR EXISTS (SELECT FROM invoice later WHERE later.environment_id = root.environment_id AND later.rectifies_id = root.id)
        OR EXISTS (SELECT FROM invoice_exchange x WHERE x.environment_id = root.environment_id AND x.ticket_id = root.id));
