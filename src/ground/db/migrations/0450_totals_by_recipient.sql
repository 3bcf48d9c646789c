-- Sums of the days of environments with many invoices by type of invoice and by recipient, so that totals of a type, and of each
-- recipient, need not read all invoices. Tables of their own beside "day_total" and "deducted_total": an older version of the
-- service writes, reads and verifies those, and knows nothing of these. "recipient_tax_id" is empty where an invoice names none.
CREATE TABLE "recipient_total" (
    "environment_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "series_id" TEXT NOT NULL,
    "kind" "invoice_kind" NOT NULL,
    "type" "invoice_type" NOT NULL,
    "recipient_tax_id" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "tax" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "lines" JSONB NOT NULL,
    "rates" JSONB NOT NULL,

    CONSTRAINT "recipient_total_pkey" PRIMARY KEY ("environment_id","day","series_id","kind","type","recipient_tax_id")
);

-- What the rows of "recipient_total" come to in each month that is over: totals of a long time need not read the recipients of each
-- day. "day" is the first of the month.
CREATE TABLE "recipient_month_total" (
    "environment_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "series_id" TEXT NOT NULL,
    "kind" "invoice_kind" NOT NULL,
    "type" "invoice_type" NOT NULL,
    "recipient_tax_id" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "tax" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "lines" JSONB NOT NULL,
    "rates" JSONB NOT NULL,

    CONSTRAINT "recipient_month_total_pkey" PRIMARY KEY ("environment_id","day","series_id","kind","type","recipient_tax_id")
);
ALTER TABLE "recipient_month_total" ADD CONSTRAINT "recipient_month_total_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the rows of "recipient_total" come to by type alone.
CREATE TABLE "type_total" (
    "environment_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "series_id" TEXT NOT NULL,
    "kind" "invoice_kind" NOT NULL,
    "type" "invoice_type" NOT NULL,
    "count" INTEGER NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "tax" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "lines" JSONB NOT NULL,
    "rates" JSONB NOT NULL,

    CONSTRAINT "type_total_pkey" PRIMARY KEY ("environment_id","day","series_id","kind","type")
);

-- What of both does not count any more.
CREATE TABLE "deducted_recipient_total" (
    "environment_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "series_id" TEXT NOT NULL,
    "kind" "invoice_kind" NOT NULL,
    "type" "invoice_type" NOT NULL,
    "recipient_tax_id" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "tax" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "lines" JSONB NOT NULL,
    "rates" JSONB NOT NULL,

    CONSTRAINT "deducted_recipient_total_pkey" PRIMARY KEY ("environment_id","day","series_id","kind","type","recipient_tax_id")
);

ALTER TABLE "recipient_total" ADD CONSTRAINT "recipient_total_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "type_total" ADD CONSTRAINT "type_total_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "deducted_recipient_total" ADD CONSTRAINT "deducted_recipient_total_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A mark of its own, because an older version that sets "deducted" does not write "deducted_recipient_total".
ALTER TABLE "corrected_invoice" ADD COLUMN "deducted_by_recipient" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "corrected_invoice_to_deduct_by_recipient" ON "corrected_invoice"("environment_id", "listed_at", "invoice_id")
  WHERE NOT deducted_by_recipient;

-- Days before this one have sums by type and recipient; null where none has. Never after "before".
ALTER TABLE "day_total_end" ADD COLUMN "recipients_before" DATE;

-- An import of older invoices sets "before" back, whatever version of the service runs it: these sums lack them as well.
CREATE FUNCTION reopen_recipient_totals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.recipients_before := least(NEW.recipients_before, NEW.before);
  RETURN NEW;
END $$;
CREATE TRIGGER reopen_recipient_totals BEFORE UPDATE OF before ON day_total_end FOR EACH ROW
  WHEN (NEW.before < NEW.recipients_before) EXECUTE FUNCTION reopen_recipient_totals();

-- What is paid and due of the invoices of a day by type of invoice and recipient, with the changes since, beside "payment_total" and
-- "payment_change", which an older version of the service writes. They are of the same days as "recipient_total", which are added up
-- again with them.
CREATE TABLE "recipient_payment_total" (
    "environment_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "series_id" TEXT NOT NULL,
    "kind" "invoice_kind" NOT NULL,
    "type" "invoice_type" NOT NULL,
    "recipient_tax_id" TEXT NOT NULL,
    "paid" BIGINT NOT NULL,
    "due" BIGINT NOT NULL,

    CONSTRAINT "recipient_payment_total_pkey" PRIMARY KEY ("environment_id","day","series_id","kind","type","recipient_tax_id")
);

CREATE TABLE "recipient_payment_change" (
    "environment_id" INTEGER NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "day" DATE NOT NULL,
    "series_id" TEXT NOT NULL,
    "kind" "invoice_kind" NOT NULL,
    "type" "invoice_type" NOT NULL,
    "recipient_tax_id" TEXT NOT NULL,
    "paid" BIGINT NOT NULL,
    "due" BIGINT NOT NULL,

    CONSTRAINT "recipient_payment_change_pkey" PRIMARY KEY ("environment_id","id")
);

ALTER TABLE "recipient_payment_total" ADD CONSTRAINT "recipient_payment_total_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "recipient_payment_change" ADD CONSTRAINT "recipient_payment_change_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE OR REPLACE FUNCTION note_payment_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  WITH changed AS (
    SELECT invoice.issued_on AS day, invoice.series_id, invoice.kind, invoice.type, coalesce(invoice.recipient_tax_id, '') AS recipient,
           sum(part.paid) AS paid, sum(part.due) AS due
      FROM (VALUES (OLD.holder_id, -OLD.paid, OLD.paid - OLD.payable), (NEW.holder_id, NEW.paid, NEW.payable - NEW.paid))
        AS part (id, paid, due)
      JOIN invoice ON invoice.environment_id = NEW.environment_id AND invoice.id = part.id
     GROUP BY 1, 2, 3, 4, 5
    HAVING sum(part.paid) <> 0 OR sum(part.due) <> 0
  ), noted AS (
    INSERT INTO recipient_payment_change (environment_id, day, series_id, kind, type, recipient_tax_id, paid, due)
    SELECT NEW.environment_id, day, series_id, kind, type, recipient, paid, due FROM changed
  )
  INSERT INTO payment_change (environment_id, day, series_id, kind, paid, due)
  SELECT NEW.environment_id, day, series_id, kind, paid, due FROM changed;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_first_account() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  WITH changed AS (
    SELECT issued_on AS day, series_id, kind, type, coalesce(recipient_tax_id, '') AS recipient, coalesce(withholding_amount, 0) - total AS due
      FROM invoice
     WHERE environment_id = NEW.environment_id AND id = NEW.root_id
       AND NOT EXISTS (SELECT FROM invoice_void gone WHERE gone.environment_id = NEW.environment_id AND gone.invoice_id = NEW.root_id)
  ), noted AS (
    INSERT INTO recipient_payment_change (environment_id, day, series_id, kind, type, recipient_tax_id, paid, due)
    SELECT NEW.environment_id, day, series_id, kind, type, recipient, 0, due FROM changed
  )
  INSERT INTO payment_change (environment_id, day, series_id, kind, paid, due)
  SELECT NEW.environment_id, day, series_id, kind, 0, due FROM changed;
  RETURN NULL;
END $$;
