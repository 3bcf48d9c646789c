-- What the invoices in force of a day come to, and what of that is paid and due, of environments with many invoices: totals need not read
-- all of them. Each invoice is in two rows: in that of its recipient ("of_recipient"; an empty tax id where it names none), and in that of
-- all recipients. Sums alone: all rows may be deleted at any time.
CREATE TABLE day_total (
  environment_id   integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  of_recipient     boolean NOT NULL,
  day              date NOT NULL,
  series_id        text NOT NULL,
  kind             invoice_kind NOT NULL,
  type             invoice_type NOT NULL,
  recipient_tax_id text NOT NULL,
  count            integer NOT NULL,
  subtotal         bigint NOT NULL,
  tax              bigint NOT NULL,
  total            bigint NOT NULL,
  paid             bigint NOT NULL,
  due              bigint NOT NULL,
  lines            jsonb NOT NULL,
  rates            jsonb NOT NULL,
  PRIMARY KEY (environment_id, of_recipient, day, series_id, kind, type, recipient_tax_id)
);

-- Days with invoices that were corrected, paid or imported since their sums were made, a row for each time: totals read these days from
-- their invoices until they are added up again, which deletes the rows that it has seen.
CREATE TABLE day_to_add (
  environment_id integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  day            date NOT NULL,
  id             uuid NOT NULL DEFAULT gen_random_uuid(),
  PRIMARY KEY (environment_id, day, id)
);

CREATE FUNCTION add_paid_day_again() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO day_to_add (environment_id, day)
  SELECT DISTINCT environment_id, issued_on FROM invoice
   WHERE environment_id = NEW.environment_id AND id IN (NEW.root_id, OLD.holder_id, NEW.holder_id);
  RETURN NULL;
END $$;
CREATE TRIGGER add_paid_day_again AFTER UPDATE OF holder_id, payable, paid ON payment_account FOR EACH ROW
  WHEN ((OLD.holder_id, OLD.payable, OLD.paid) IS DISTINCT FROM (NEW.holder_id, NEW.payable, NEW.paid))
  EXECUTE FUNCTION add_paid_day_again();
-- An account that is opened with its invoice has a holder, and the invoice is of a day that has no sums yet.
CREATE TRIGGER add_first_paid_day_again AFTER INSERT ON payment_account FOR EACH ROW
  WHEN (NEW.holder_id IS NULL) EXECUTE FUNCTION add_paid_day_again();
