-- Sums of the days and months of environments with many invoices, so that totals need not read all of them.
-- What sealed rows come to. Rows are made of sealed rows alone and may be deleted at any time; those of days from "before" of
-- "day_total_end" on do not count.
CREATE TABLE day_total (
  environment_id integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  day            date NOT NULL,
  series_id      text NOT NULL,
  kind           invoice_kind NOT NULL,
  count          integer NOT NULL,
  subtotal       bigint NOT NULL,
  tax            bigint NOT NULL,
  total          bigint NOT NULL,
  lines          jsonb NOT NULL,
  rates          jsonb NOT NULL,
  PRIMARY KEY (environment_id, day, series_id, kind)
);

-- What the rows of "day_total" come to in each month, that of the current one up to "months_before". "day" is the first of the month.
CREATE TABLE month_total (LIKE day_total INCLUDING ALL,
  FOREIGN KEY (environment_id) REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE);

-- What of both does not count any more, of invoices that were voided, exchanged or substituted: those that "corrected_invoice" marks as
-- "deducted". An invoice whose force has changed since is looked at when totals are read, until the sums of its day are made again.
CREATE TABLE deducted_total (LIKE day_total INCLUDING ALL,
  FOREIGN KEY (environment_id) REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE);
CREATE TABLE deducted_month_total (LIKE day_total INCLUDING ALL,
  FOREIGN KEY (environment_id) REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE);

-- The same by type of invoice and by recipient, and by type alone. "recipient_tax_id" is empty where an invoice names none.
CREATE TABLE recipient_total (
  environment_id   integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  day              date NOT NULL,
  series_id        text NOT NULL,
  kind             invoice_kind NOT NULL,
  type             invoice_type NOT NULL,
  recipient_tax_id text NOT NULL,
  count            integer NOT NULL,
  subtotal         bigint NOT NULL,
  tax              bigint NOT NULL,
  total            bigint NOT NULL,
  lines            jsonb NOT NULL,
  rates            jsonb NOT NULL,
  PRIMARY KEY (environment_id, day, series_id, kind, type, recipient_tax_id)
);
CREATE TABLE recipient_month_total (LIKE recipient_total INCLUDING ALL,
  FOREIGN KEY (environment_id) REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE);
CREATE TABLE deducted_recipient_total (LIKE recipient_total INCLUDING ALL,
  FOREIGN KEY (environment_id) REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE);
CREATE TABLE deducted_recipient_month_total (LIKE recipient_total INCLUDING ALL,
  FOREIGN KEY (environment_id) REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE);
CREATE TABLE type_total (
  environment_id integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  day            date NOT NULL,
  series_id      text NOT NULL,
  kind           invoice_kind NOT NULL,
  type           invoice_type NOT NULL,
  count          integer NOT NULL,
  subtotal       bigint NOT NULL,
  tax            bigint NOT NULL,
  total          bigint NOT NULL,
  lines          jsonb NOT NULL,
  rates          jsonb NOT NULL,
  PRIMARY KEY (environment_id, day, series_id, kind, type)
);

-- What is paid and due of the invoices of a day: of the accounts that its invoices hold, and of its originals without an account. These
-- sums change with payments and corrections: "payment_change" has each change since the sums were written, and a night adds them up.
CREATE TABLE payment_total (
  environment_id integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  day            date NOT NULL,
  series_id      text NOT NULL,
  kind           invoice_kind NOT NULL,
  paid           bigint NOT NULL,
  due            bigint NOT NULL,
  PRIMARY KEY (environment_id, day, series_id, kind)
);
CREATE TABLE payment_change (
  environment_id integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  id             uuid NOT NULL DEFAULT gen_random_uuid(),
  day            date NOT NULL,
  series_id      text NOT NULL,
  kind           invoice_kind NOT NULL,
  paid           bigint NOT NULL,
  due            bigint NOT NULL,
  PRIMARY KEY (environment_id, id)
);

-- The same by type of invoice and recipient.
CREATE TABLE recipient_payment_total (
  environment_id   integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  day              date NOT NULL,
  series_id        text NOT NULL,
  kind             invoice_kind NOT NULL,
  type             invoice_type NOT NULL,
  recipient_tax_id text NOT NULL,
  paid             bigint NOT NULL,
  due              bigint NOT NULL,
  PRIMARY KEY (environment_id, day, series_id, kind, type, recipient_tax_id)
);
CREATE TABLE recipient_payment_month_total (LIKE recipient_payment_total INCLUDING ALL,
  FOREIGN KEY (environment_id) REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE);
CREATE TABLE recipient_payment_change (
  environment_id   integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  day              date NOT NULL,
  series_id        text NOT NULL,
  kind             invoice_kind NOT NULL,
  type             invoice_type NOT NULL,
  recipient_tax_id text NOT NULL,
  paid             bigint NOT NULL,
  due              bigint NOT NULL,
  PRIMARY KEY (environment_id, id)
);

-- Until where days are added up.
--  before                   Days before this one are added up, and the rows of this day are of what was issued until "until".
--  position                 Counts the records of the environment's chains then; null where an import has brought older invoices since.
--  revision                 Tells of any change.
--  payments_before          Days before this one have sums in "payment_total"; null where none has.
--  recipients_before        Days before this one have sums by type and recipient, never after "before"; those of this day are of what was
--                           issued until "recipients_until".
--  months_before            Rows of months count the days before this one, those by recipient the days before
--                           "recipient_months_before"; null where none is counted.
CREATE TABLE day_total_end (
  environment_id          integer PRIMARY KEY REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  before                  date NOT NULL,
  payments_before         date,
  recipients_before       date,
  months_before           date,
  recipient_months_before date,
  until                   timestamptz(3),
  recipients_until        timestamptz(3),
  position                bigint,
  revision                integer NOT NULL DEFAULT 1
);

-- An import of older invoices sets "before" back: these sums lack them as well.
CREATE FUNCTION reopen_recipient_totals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.recipients_before := least(NEW.recipients_before, NEW.before);
  RETURN NEW;
END $$;
CREATE TRIGGER reopen_recipient_totals BEFORE UPDATE OF before ON day_total_end FOR EACH ROW
  WHEN (NEW.before < NEW.recipients_before) EXECUTE FUNCTION reopen_recipient_totals();

-- Whoever adds up days or has them added up again: months and the part of a day end before these, until new ends are stated.
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

-- Changes of accounts, for the totals of payments.
CREATE FUNCTION note_payment_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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

-- Until now the whole of the original was due.
CREATE FUNCTION note_first_account() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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

CREATE TRIGGER note_payment_change AFTER UPDATE OF holder_id, payable, paid ON payment_account FOR EACH ROW
  WHEN ((OLD.holder_id, OLD.payable, OLD.paid) IS DISTINCT FROM (NEW.holder_id, NEW.payable, NEW.paid))
  EXECUTE FUNCTION note_payment_change();
-- An account that is opened with its invoice has a holder, and the invoice is of a day that has no sums yet.
CREATE TRIGGER note_first_account AFTER INSERT ON payment_account FOR EACH ROW
  WHEN (NEW.holder_id IS NULL) EXECUTE FUNCTION note_first_account();
