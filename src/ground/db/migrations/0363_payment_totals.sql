-- What is paid and due of the invoices of a day, of environments with many invoices: their totals need not read all accounts. The sums
-- of a day are those of the accounts that its invoices hold, and of its originals without an account. Unlike those of "day_total" they
-- change with payments and corrections: "payment_change" has each change since the sums were written, and a night adds them up.
CREATE TABLE "payment_total" (
    "environment_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "series_id" TEXT NOT NULL,
    "kind" "invoice_kind" NOT NULL,
    "paid" BIGINT NOT NULL,
    "due" BIGINT NOT NULL,

    CONSTRAINT "payment_total_pkey" PRIMARY KEY ("environment_id","day","series_id","kind")
);

CREATE TABLE "payment_change" (
    "environment_id" INTEGER NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "day" DATE NOT NULL,
    "series_id" TEXT NOT NULL,
    "kind" "invoice_kind" NOT NULL,
    "paid" BIGINT NOT NULL,
    "due" BIGINT NOT NULL,

    CONSTRAINT "payment_change_pkey" PRIMARY KEY ("environment_id","id")
);

-- Days before this one have sums in "payment_total"; null where none has.
ALTER TABLE "day_total_end" ADD COLUMN "payments_before" DATE;

ALTER TABLE "payment_total" ADD CONSTRAINT "payment_total_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payment_change" ADD CONSTRAINT "payment_change_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Whatever version of the service changes an account: one that does not know the tables may still be running, and has no rights to them.
CREATE FUNCTION note_payment_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO payment_change (environment_id, day, series_id, kind, paid, due)
  SELECT NEW.environment_id, invoice.issued_on, invoice.series_id, invoice.kind, sum(part.paid), sum(part.due)
    FROM (VALUES (OLD.holder_id, -OLD.paid, OLD.paid - OLD.payable), (NEW.holder_id, NEW.paid, NEW.payable - NEW.paid))
      AS part (id, paid, due)
    JOIN invoice ON invoice.environment_id = NEW.environment_id AND invoice.id = part.id
   GROUP BY invoice.issued_on, invoice.series_id, invoice.kind
  HAVING sum(part.paid) <> 0 OR sum(part.due) <> 0;
  RETURN NULL;
END $$;

-- Until now the whole of the original was due.
CREATE FUNCTION note_first_account() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO payment_change (environment_id, day, series_id, kind, paid, due)
  SELECT NEW.environment_id, issued_on, series_id, kind, 0, coalesce(withholding_amount, 0) - total FROM invoice
   WHERE environment_id = NEW.environment_id AND id = NEW.root_id
     AND NOT EXISTS (SELECT FROM invoice_void gone WHERE gone.environment_id = NEW.environment_id AND gone.invoice_id = NEW.root_id);
  RETURN NULL;
END $$;

CREATE TRIGGER note_payment_change AFTER UPDATE OF holder_id, payable, paid ON payment_account FOR EACH ROW
  WHEN ((OLD.holder_id, OLD.payable, OLD.paid) IS DISTINCT FROM (NEW.holder_id, NEW.payable, NEW.paid))
  EXECUTE FUNCTION note_payment_change();
-- An account that is opened with its invoice has a holder, and the invoice is of a day that has no sums yet.
CREATE TRIGGER note_first_account AFTER INSERT ON payment_account FOR EACH ROW
  WHEN (NEW.holder_id IS NULL) EXECUTE FUNCTION note_first_account();
