-- Payments of invoices as merchants record them, and invoices that are sent by e-mail.

CREATE TYPE payment_means AS ENUM ('transfer', 'direct_debit', 'card', 'cash', 'other');
CREATE TYPE email_kind AS ENUM ('invoice', 'reminder');
CREATE TYPE email_status AS ENUM ('queued', 'sent', 'failed');

-- A payment never changes; one that was recorded wrongly is removed by a row that says so. Both are sealed, and each says what its
-- account came to by it: what was to be paid, and what was paid.
CREATE TABLE invoice_payment (
  environment_id  integer NOT NULL,
  id              text NOT NULL,
  invoice_id      text NOT NULL,
  amount          bigint NOT NULL,
  paid_on         date NOT NULL,
  means           payment_means,
  reference       text,
  recorded_by     text NOT NULL,
  recorded_at     timestamptz(3) NOT NULL,
  account_payable bigint NOT NULL,
  account_paid    bigint NOT NULL,
  PRIMARY KEY (id, environment_id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT invoice_payment_amount CHECK (amount > 0)
);
CREATE INDEX invoice_payment_environment_id_invoice_id_recorded_at_id_idx ON invoice_payment (environment_id, invoice_id, recorded_at, id);

CREATE TABLE invoice_payment_removal (
  environment_id  integer NOT NULL,
  payment_id      text NOT NULL,
  invoice_id      text NOT NULL,
  removed_by      text NOT NULL,
  removed_at      timestamptz(3) NOT NULL,
  account_payable bigint NOT NULL,
  account_paid    bigint NOT NULL,
  PRIMARY KEY (environment_id, payment_id),
  FOREIGN KEY (environment_id, payment_id) REFERENCES invoice_payment (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- What is to be paid and was, of an invoice together with what corrects it: made of the sealed rows again whenever one of them is
-- added. There is none of an original of which nothing but its total says what is to be paid. An invoice that was credited in full
-- without having been paid is "credited", not "paid"; one whose own amount is zero asked for nothing, and is "paid": "owed" says
-- whether the first invoice of the account is any other. "listed_at" is the instant of issue of the holder; null where nobody holds it.
CREATE TABLE payment_account (
  environment_id  integer NOT NULL,
  root_id         text NOT NULL,
  holder_id       text,
  payable         bigint NOT NULL DEFAULT 0,
  paid            bigint NOT NULL DEFAULT 0,
  due_on          date,
  overdue_told_at timestamptz(3),
  listed_at       timestamptz(3),
  owed            boolean NOT NULL DEFAULT true,
  settlement      text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN payable = 0 AND paid = 0 AND owed THEN 'credited'
         WHEN payable >= 0 AND paid >= payable OR payable < 0 AND paid <= payable THEN 'paid'
         WHEN paid <> 0 AND (paid > 0) = (payable > 0) THEN 'partially_paid'
         ELSE 'unpaid' END) STORED,
  PRIMARY KEY (environment_id, root_id),
  FOREIGN KEY (environment_id, holder_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, root_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX payment_account_environment_id_holder_id_key ON payment_account (environment_id, holder_id);

-- Lists in the order of what is due.
CREATE INDEX payment_account_by_amount_due ON payment_account (environment_id, (payable - paid), listed_at, holder_id)
  WHERE holder_id IS NOT NULL;

-- Lists by payment status in the order of issue. An account is in the part of the index that says whether its invoice was recorded as
-- overdue: nearly all invoices of a part have the status that it says, so that a page passes over few of the others. The columns of
-- its expression are included: without them Postgres would read the row of each account to count them.
CREATE INDEX payment_account_settlement ON payment_account (
  environment_id, settlement, (CASE WHEN overdue_told_at IS NULL THEN 0 ELSE 1 END), listed_at, holder_id)
  INCLUDE (payable, due_on, overdue_told_at) WHERE holder_id IS NOT NULL;
-- The others of one part: what nobody was told yet. And of the other part: what was recorded as overdue and is a refund now, or due
-- later.
CREATE INDEX payment_account_untold ON payment_account (environment_id, due_on)
  WHERE holder_id IS NOT NULL AND payable > 0 AND settlement <> 'paid' AND due_on IS NOT NULL AND overdue_told_at IS NULL;
CREATE INDEX payment_account_no_longer_overdue ON payment_account (
  environment_id, settlement, coalesce(CASE WHEN payable > 0 THEN due_on END, 'infinity'))
  WHERE holder_id IS NOT NULL AND settlement <> 'paid' AND overdue_told_at IS NOT NULL;

-- The account of the invoices behind a root, from the sealed rows. In force is the last live statement of the whole and the
-- differences behind it; whoever is that statement holds the account. Of what was voided or exchanged nobody owes anything.
-- What was paid is what was recorded of any invoice of the family, of the tickets that the root was given in exchange for, and of the
-- exchange invoices that it replaces. Of an exchange invoice that was replaced, that takes another back, or that is of a return nobody
-- owes anything: that of the sale owes what is left of all of them. A correction of several invoices changes each by the lines that name
-- it, and so do those that correct it.
CREATE FUNCTION payment_account_of(environment integer, root text)
  RETURNS TABLE (holder_id text, payable bigint, paid bigint, due_on date) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH RECURSIVE live AS (
    SELECT id, kind, total - coalesce(withholding_amount, 0) + coalesce(disbursed_amount, 0) AS payable, due_date, 0 AS step
      FROM invoice WHERE environment_id = environment AND id = root
       AND NOT EXISTS (SELECT 1 FROM invoice_void v WHERE v.environment_id = environment AND v.invoice_id = root)
       AND reverses_id IS NULL
       AND NOT EXISTS (
         SELECT 1 FROM invoice reversal WHERE reversal.environment_id = environment AND reversal.reverses_id = root
            AND NOT EXISTS (SELECT 1 FROM invoice_void v WHERE v.environment_id = environment AND v.invoice_id = reversal.id))
       AND NOT EXISTS (
         SELECT 1 FROM invoice_exchange x JOIN invoice given ON given.environment_id = environment AND given.id = x.ticket_id
          WHERE x.environment_id = environment AND x.exchange_id = root AND given.issued_with IS NOT NULL)
    UNION ALL
    SELECT later.id, later.kind, later.total - coalesce(later.withholding_amount, 0) + coalesce(later.disbursed_amount, 0), later.due_date, live.step + 1
      FROM live JOIN invoice later ON later.environment_id = environment AND later.rectifies_id = live.id AND later.rectifies_ids IS NULL
     WHERE NOT EXISTS (SELECT 1 FROM invoice_void v WHERE v.environment_id = environment AND v.invoice_id = later.id)
  ), in_force AS (
    SELECT * FROM live
     WHERE step >= (SELECT coalesce(max(step) FILTER (WHERE kind <> 'rectifying_differences'), 0) FROM live)
       AND NOT EXISTS (
         SELECT 1 FROM live AS ticket JOIN invoice_exchange x ON x.environment_id = environment AND x.ticket_id = ticket.id
          WHERE NOT EXISTS (SELECT 1 FROM invoice_void v WHERE v.environment_id = environment AND v.invoice_id = x.exchange_id))
  ), credited AS (
    SELECT line.total FROM live
      JOIN invoice_line line ON line.environment_id = environment AND line.rectifies_invoice_id = live.id
     WHERE NOT EXISTS (SELECT 1 FROM invoice_void v WHERE v.environment_id = environment AND v.invoice_id = line.invoice_id)
  ), exchanged AS (
    SELECT ticket.id, ticket.rectifies_id FROM live
      JOIN invoice_exchange x ON x.environment_id = environment AND x.exchange_id = live.id
      JOIN invoice ticket ON ticket.environment_id = environment AND ticket.id = x.ticket_id
     WHERE live.kind = 'exchange'
    UNION ALL
    SELECT before.id, before.rectifies_id FROM exchanged
      JOIN invoice before ON before.environment_id = environment AND before.id = exchanged.rectifies_id
  ), replaced AS (
    SELECT id FROM live WHERE kind = 'exchange'
    UNION
    SELECT reversal.reverses_id FROM replaced
      JOIN invoice replacing ON replacing.environment_id = environment AND replacing.id = replaced.id
      JOIN invoice reversal ON reversal.environment_id = environment AND reversal.issued_with = replacing.issued_with
     WHERE reversal.reverses_id IS NOT NULL
  ), family AS (
    SELECT root AS id UNION SELECT id FROM exchanged WHERE rectifies_id IS NULL UNION SELECT id FROM replaced
    UNION
    SELECT later.id FROM family JOIN invoice later ON later.environment_id = environment AND later.rectifies_id = family.id
  ), returned AS (
    SELECT DISTINCT further.id, further.total FROM family
      JOIN invoice given ON given.environment_id = environment AND given.id = family.id AND given.issued_with IS NOT NULL
      JOIN invoice_exchange x ON x.environment_id = environment AND x.ticket_id = given.id
      JOIN invoice further ON further.environment_id = environment AND further.id = x.exchange_id AND further.reverses_id IS NULL
     WHERE EXISTS (SELECT 1 FROM live WHERE kind = 'exchange')
       AND NOT EXISTS (SELECT 1 FROM invoice_void v WHERE v.environment_id = environment AND v.invoice_id = further.id)
       AND NOT EXISTS (
         SELECT 1 FROM invoice reversal WHERE reversal.environment_id = environment AND reversal.reverses_id = further.id
            AND NOT EXISTS (SELECT 1 FROM invoice_void v WHERE v.environment_id = environment AND v.invoice_id = reversal.id))
  )
  SELECT (SELECT id FROM in_force ORDER BY step LIMIT 1),
         (SELECT coalesce(sum(in_force.payable), 0)::bigint FROM in_force) + (SELECT coalesce(sum(returned.total), 0)::bigint FROM returned)
           + (SELECT coalesce(sum(credited.total), 0)::bigint FROM credited),
         (SELECT coalesce(sum(CASE WHEN invoice.total + coalesce(invoice.disbursed_amount, 0) < coalesce(invoice.withholding_amount, 0) THEN -payment.amount ELSE payment.amount END), 0)::bigint
            FROM family
            JOIN invoice_payment payment ON payment.environment_id = environment AND payment.invoice_id = family.id
            JOIN invoice ON invoice.environment_id = environment AND invoice.id = family.id
           WHERE NOT EXISTS (SELECT 1 FROM invoice_payment_removal gone
                              WHERE gone.environment_id = environment AND gone.payment_id = payment.id)),
         (SELECT max(due_date) FROM in_force);
END $$;

-- Invoices that nothing but a payment gives an account (`openAccountsOf`): those that are looked through for unpaid ones.
CREATE INDEX invoice_without_terms ON invoice (environment_id, issued_at, id)
  WHERE rectifies_id IS NULL AND (imported OR due_date IS NULL AND payment IS NULL);

-- Of most of these the total is due, and an index has invoices by their totals; of those with a withheld tax or disbursements it is not.
CREATE INDEX invoice_without_terms_by_payable ON invoice (
  environment_id, (total - coalesce(withholding_amount, 0) + coalesce(disbursed_amount, 0)), issued_at, id)
  WHERE rectifies_id IS NULL AND (imported OR due_date IS NULL AND payment IS NULL)
    AND NOT (withholding_amount IS NULL AND disbursed_amount IS NULL);

-- What was asked for of an e-mail is sealed. Reminders are numbered, so that none is made twice; what a person sends is not. An e-mail
-- is found by its id alone, as a report on it names it and GraphQL's `node` has it.
CREATE TABLE invoice_email (
  environment_id integer NOT NULL,
  id             text NOT NULL,
  invoice_id     text NOT NULL,
  kind           email_kind NOT NULL,
  reminder       integer,
  recipients     text[],
  message        text,
  language       document_language NOT NULL,
  formats        text[],
  message_id     text NOT NULL,
  requested_by   text NOT NULL,
  requested_at   timestamptz(3) NOT NULL,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT email_reminder_numbered CHECK ((kind = 'reminder') = (reminder IS NOT NULL))
);
CREATE UNIQUE INDEX invoice_email_environment_id_invoice_id_reminder_key ON invoice_email (environment_id, invoice_id, reminder);
CREATE INDEX invoice_email_environment_id_invoice_id_requested_at_id_idx ON invoice_email (environment_id, invoice_id, requested_at, id);
CREATE INDEX invoice_email_id_idx ON invoice_email (id);

-- How far it has come moves. One job for each environment delivers what is due, in its order; and what waits is known to whoever
-- looks how long it does.
CREATE TABLE invoice_email_state (
  environment_id   integer NOT NULL,
  email_id         text NOT NULL,
  status           email_status NOT NULL,
  deliveries       jsonb NOT NULL,
  attempts         integer NOT NULL DEFAULT 0,
  attempt_began_at timestamptz(3),
  next_at          timestamptz(3),
  last_error       text,
  reason           text,
  settled_at       timestamptz(3),
  PRIMARY KEY (environment_id, email_id),
  FOREIGN KEY (environment_id, email_id) REFERENCES invoice_email (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT email_settled CHECK ((status = 'queued') = (settled_at IS NULL))
);
CREATE INDEX invoice_email_due ON invoice_email_state (environment_id, next_at, email_id) WHERE status = 'queued';
CREATE INDEX invoice_email_queued ON invoice_email_state (next_at) WHERE status = 'queued';

-- When an environment reminds of overdue invoices by itself: so many days after each is due, of days from "reminders_since" on.
-- "copy_to" is an address of the company's own that gets a copy of each e-mail with an invoice.
CREATE TABLE email_settings (
  environment_id    integer PRIMARY KEY REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  sender_name       text,
  reply_to          text,
  copy_to           text,
  reminder_days     integer[] DEFAULT ARRAY[]::integer[],
  reminder_language document_language,
  reminder_message  text,
  reminders_since   date,
  CONSTRAINT email_reminders_since CHECK (reminder_days IS NOT NULL AND (reminder_days = '{}' OR reminders_since IS NOT NULL))
);
