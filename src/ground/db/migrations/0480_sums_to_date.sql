-- What the rows of "day_total" come to in each month, that of the current one up to "months_before": totals of all invoices need not
-- read the rows of each day. "day" is the first of the month. A table of its own, which an older version of the service does not write.
CREATE TABLE "month_total" (
    "environment_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "series_id" TEXT NOT NULL,
    "kind" "invoice_kind" NOT NULL,
    "count" INTEGER NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "tax" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "lines" JSONB NOT NULL,
    "rates" JSONB NOT NULL,

    CONSTRAINT "month_total_pkey" PRIMARY KEY ("environment_id","day","series_id","kind")
);
ALTER TABLE "month_total" ADD CONSTRAINT "month_total_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What of them does not count any more, and the same by type and recipient.
CREATE TABLE "deducted_month_total" (
    "environment_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "series_id" TEXT NOT NULL,
    "kind" "invoice_kind" NOT NULL,
    "count" INTEGER NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "tax" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "lines" JSONB NOT NULL,
    "rates" JSONB NOT NULL,

    CONSTRAINT "deducted_month_total_pkey" PRIMARY KEY ("environment_id","day","series_id","kind")
);
ALTER TABLE "deducted_month_total" ADD CONSTRAINT "deducted_month_total_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE TABLE "deducted_recipient_month_total" (
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

    CONSTRAINT "deducted_recipient_month_total_pkey" PRIMARY KEY ("environment_id","day","series_id","kind","type","recipient_tax_id")
);
ALTER TABLE "deducted_recipient_month_total" ADD CONSTRAINT "deducted_recipient_month_total_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The same of "recipient_payment_total". Of "recipient_total" there is "recipient_month_total", which has the current month as well now:
-- an older version reads the months that are over alone.
CREATE TABLE "recipient_payment_month_total" (
    "environment_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "series_id" TEXT NOT NULL,
    "kind" "invoice_kind" NOT NULL,
    "type" "invoice_type" NOT NULL,
    "recipient_tax_id" TEXT NOT NULL,
    "paid" BIGINT NOT NULL,
    "due" BIGINT NOT NULL,

    CONSTRAINT "recipient_payment_month_total_pkey" PRIMARY KEY ("environment_id","day","series_id","kind","type","recipient_tax_id")
);
ALTER TABLE "recipient_payment_month_total" ADD CONSTRAINT "recipient_payment_month_total_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Rows of months count the days before these ones, those by recipient before the second; null where none is counted.
ALTER TABLE "day_total_end" ADD COLUMN "months_before" DATE, ADD COLUMN "recipient_months_before" DATE;
-- The rows of "day_total" of the day "before" are of what was issued until this instant, and those of "recipient_total" and "type_total"
-- of the day "recipients_before"; null where there are none. An older version reads earlier days alone, and deletes these rows when it
-- adds up their day.
ALTER TABLE "day_total_end" ADD COLUMN "until" TIMESTAMPTZ(3), ADD COLUMN "recipients_until" TIMESTAMPTZ(3);

-- Whatever version of the service adds up days or has them added up again: months and the part of a day end before these. This version
-- states their new ends afterwards.
CREATE FUNCTION reopen_sums_to_date() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.before <> OLD.before OR NEW.position IS NULL THEN
    NEW.until := NULL;
    NEW.recipients_until := NULL;
  END IF;
  IF NEW.before <> OLD.before AND NEW.months_before IS NOT NULL THEN
    NEW.months_before := least(NEW.months_before, date_trunc('month', least(NEW.before, OLD.before))::date);
  END IF;
  IF NEW.recipients_before IS DISTINCT FROM OLD.recipients_before THEN
    NEW.recipients_until := NULL;
    NEW.recipient_months_before := CASE WHEN NEW.recipients_before IS NOT NULL AND NEW.recipient_months_before IS NOT NULL THEN
      least(NEW.recipient_months_before, date_trunc('month', least(NEW.recipients_before, OLD.recipients_before))::date) END;
  END IF;
  RETURN NEW;
END $$;
-- After "reopen_recipient_totals", which changes what it looks at: triggers run in the order of their names.
CREATE TRIGGER reopen_sums_to_date BEFORE UPDATE ON day_total_end FOR EACH ROW
  WHEN (NEW.position IS NULL OR (OLD.before, OLD.recipients_before) IS DISTINCT FROM (NEW.before, NEW.recipients_before))
  EXECUTE FUNCTION reopen_sums_to_date();

-- What is deducted of a day changes, and what is paid and due, and an older version does not add that to the month.
CREATE FUNCTION reopen_months() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE day_total_end known SET months_before = date_trunc('month', changed.day)::date
    FROM (SELECT environment_id, min(day) AS day FROM changed_day GROUP BY environment_id) AS changed
   WHERE known.environment_id = changed.environment_id AND known.months_before > changed.day;
  RETURN NULL;
END $$;
CREATE FUNCTION reopen_recipient_months() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE day_total_end known SET recipient_months_before = date_trunc('month', changed.day)::date
    FROM (SELECT environment_id, min(day) AS day FROM changed_day GROUP BY environment_id) AS changed
   WHERE known.environment_id = changed.environment_id AND known.recipient_months_before > changed.day;
  RETURN NULL;
END $$;
CREATE TRIGGER reopen_months_of_added AFTER INSERT ON deducted_total
  REFERENCING NEW TABLE AS changed_day FOR EACH STATEMENT EXECUTE FUNCTION reopen_months();
CREATE TRIGGER reopen_months_of_deleted AFTER DELETE ON deducted_total
  REFERENCING OLD TABLE AS changed_day FOR EACH STATEMENT EXECUTE FUNCTION reopen_months();
CREATE TRIGGER reopen_months_of_added AFTER INSERT ON deducted_recipient_total
  REFERENCING NEW TABLE AS changed_day FOR EACH STATEMENT EXECUTE FUNCTION reopen_recipient_months();
CREATE TRIGGER reopen_months_of_deleted AFTER DELETE ON deducted_recipient_total
  REFERENCING OLD TABLE AS changed_day FOR EACH STATEMENT EXECUTE FUNCTION reopen_recipient_months();
CREATE TRIGGER reopen_months_of_added AFTER INSERT ON recipient_payment_total
  REFERENCING NEW TABLE AS changed_day FOR EACH STATEMENT EXECUTE FUNCTION reopen_recipient_months();
CREATE TRIGGER reopen_months_of_changed AFTER UPDATE ON recipient_payment_total
  REFERENCING NEW TABLE AS changed_day FOR EACH STATEMENT EXECUTE FUNCTION reopen_recipient_months();
