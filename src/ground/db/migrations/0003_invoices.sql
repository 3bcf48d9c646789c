-- Invoices and what leads to them: schedules, drafts, batches, imports. An invoice and its parts are sealed (0010_seals.sql); what
-- may change of it stands beside it.

CREATE TYPE invoice_type AS ENUM ('complete', 'simplified');
CREATE TYPE invoice_kind AS ENUM ('original', 'rectifying_differences', 'rectifying_substitution', 'exchange');
CREATE TYPE rectification_reason AS ENUM ('correction', 'insolvency', 'uncollectible', 'other', 'volume_discount');
CREATE TYPE document_edition AS ENUM ('issued', 'voided');
CREATE TYPE document_state AS ENUM ('waiting', 'stored');
CREATE TYPE idempotency_state AS ENUM ('running', 'stored');
CREATE TYPE batch_result AS ENUM ('pending', 'issued', 'failed');

-- Invoices that repeat: what each is to say, and which days they are of. Periods are counted from the first day, so that the end of a
-- month stays the end of a month.
CREATE TABLE invoice_schedule (
  environment_id integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  id             text NOT NULL,
  content        jsonb NOT NULL,
  frequency      text NOT NULL,
  starts_on      date NOT NULL,
  ends_on        date,
  count          integer,
  due_in_days    integer,
  status         text NOT NULL,
  made           integer NOT NULL DEFAULT 0,
  next_period    integer NOT NULL DEFAULT 0,
  next_on        date,
  created_at     timestamptz(3) NOT NULL,
  updated_at     timestamptz(3) NOT NULL,
  PRIMARY KEY (id, environment_id),
  CONSTRAINT invoice_schedule_count_check CHECK (count > 0),
  CONSTRAINT invoice_schedule_due_in_days_check CHECK (due_in_days >= 0),
  CONSTRAINT invoice_schedule_frequency_check CHECK (frequency IN ('monthly', 'quarterly', 'yearly')),
  CONSTRAINT invoice_schedule_next CHECK ((status = 'ended') = (next_on IS NULL)),
  CONSTRAINT invoice_schedule_status_check CHECK (status IN ('active', 'paused', 'ended'))
);
CREATE INDEX invoice_schedule_due ON invoice_schedule (next_on, environment_id) WHERE status = 'active';

-- Invoices that are not issued yet. One of a schedule is made for its day, once, and issued by itself ("waits") until that is refused.
CREATE TABLE invoice_draft (
  environment_id integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  id             text NOT NULL,
  content        jsonb NOT NULL,
  due_in_days    integer,
  status         text NOT NULL DEFAULT 'open',
  version        integer NOT NULL DEFAULT 1,
  errors         jsonb NOT NULL,
  amounts        jsonb,
  schedule_id    text,
  period_on      date,
  waits          boolean NOT NULL DEFAULT false,
  failure        jsonb,
  created_at     timestamptz(3) NOT NULL,
  updated_at     timestamptz(3) NOT NULL,
  PRIMARY KEY (id, environment_id),
  FOREIGN KEY (environment_id, schedule_id) REFERENCES invoice_schedule (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT invoice_draft_due_in_days_check CHECK (due_in_days >= 0),
  CONSTRAINT invoice_draft_issued CHECK (status = 'open' OR NOT waits),
  CONSTRAINT invoice_draft_period CHECK ((schedule_id IS NULL) = (period_on IS NULL) AND (schedule_id IS NOT NULL OR NOT waits)),
  CONSTRAINT invoice_draft_status_check CHECK (status IN ('open', 'issued'))
);
CREATE INDEX invoice_draft_environment_id_created_at_id_idx ON invoice_draft (environment_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX invoice_draft_environment_id_schedule_id_period_on_key ON invoice_draft (environment_id, schedule_id, period_on);
CREATE INDEX invoice_draft_open ON invoice_draft (environment_id) WHERE status = 'open' AND schedule_id IS NULL;
CREATE INDEX invoice_draft_waiting ON invoice_draft (environment_id, period_on) WHERE waits;

-- What an invoice may say beyond what every one has is null where its request said nothing of it (CONTRIBUTING.md, A field of an
-- invoice): such columns are sealed with the row and hashed in the journal.
--  due_date         The day by which it is to be paid.
--  withholding_*    The income tax that the recipient keeps back: in hundredths of a percent, of what, and how much. No record
--                   declares it.
--  disbursements    What was paid in the recipient's name, and its sum (disbursed_amount). To be paid, and in no record.
--  display_currency  In which other currency its document shows the totals too, and at which rate.
--  payment          How it is to be paid; "language" that of its document, "references" what the recipient calls it, "delivery"
--                   when it was delivered.
--  prices_include_tax  Whether its lines were sent with prices that include their taxes.
--  qualified_simplified    Whether it is a simplified one that names its recipient (RD 1619/2012 art. 7.2, 7.3), and
--  recipient_unidentified  whether a complete one whose recipient needs no tax id (art. 6.1.d).
--  issued_by        Who issued it in the company's name, and "third_party" who that is if not the recipient. All invoices of a series
--                   are of one issuer (RD 1619/2012 art. 6.1.a): its first one decides.
--  request_digest   What it was asked for with, if it has an external_id: the same request sent again in a batch is told from
--                   another one.
--  imported_at      When it was taken over from another system, whose number it keeps.
--  rectifies_ids    The invoices that it corrects if they are several; rectifies_id is then the first of them, whose family it is
--                   shown with. Each of its lines, and of those that correct it, names the one whose total it changes.
--  rectified_from   The days whose sales a volume discount reduces, with rectified_to the last of them: it names no invoice
--                   (RD 1619/2012 art. 15.4).
--  issued_with      The first of the invoices that one request issued: they are voided together.
--  reverses_id      The exchange invoice that this one takes back, because it was wrong.
CREATE TABLE invoice (
  id                       text NOT NULL,
  environment_id           integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  series_id                text NOT NULL,
  series_year              integer,
  series_number            integer,
  number                   text NOT NULL,
  type                     invoice_type NOT NULL,
  kind                     invoice_kind NOT NULL,
  currency                 char(3) NOT NULL,
  subtotal                 bigint NOT NULL,
  tax                      bigint NOT NULL,
  total                    bigint NOT NULL,
  issued_at                timestamptz(3) NOT NULL,
  issued_on                date NOT NULL,
  operation_on             date,
  external_id              text,
  request_digest           text,
  external_customer_id     text,
  integration_id           text,
  order_id                 text,
  notes                    text,
  due_date                 date,
  withholding_rate         integer,
  withholding_base         bigint,
  withholding_amount       bigint,
  disbursements            jsonb,
  disbursed_amount         bigint,
  display_currency         jsonb,
  payment                  jsonb,
  language                 document_language,
  "references"             jsonb,
  delivery                 jsonb,
  prices_include_tax       boolean,
  qualified_simplified     boolean,
  recipient_unidentified   boolean,
  issued_by                text,
  third_party              jsonb,
  recipient_name           text,
  recipient_company_name   text,
  recipient_given_name     text,
  recipient_surnames       text,
  recipient_tax_id         text,
  recipient_tax_id_type    text,
  recipient_tax_id_country char(2),
  recipient_email          text,
  recipient_line1          text,
  recipient_line2          text,
  recipient_postal_code    text,
  recipient_city           text,
  recipient_country        char(2),
  recipient_evidence       jsonb,
  issuer                   jsonb NOT NULL,
  breakdown                jsonb NOT NULL,
  rectifies_id             text,
  rectifies_ids            text[],
  rectification_reason     rectification_reason,
  external_number          text,
  external_issued_on       date,
  rectified_operation_on   date,
  rectified_from           date,
  rectified_to             date,
  rectified_base           bigint,
  rectified_tax            bigint,
  rectified_surcharge      bigint,
  issued_with              text,
  reverses_id              text,
  imported                 boolean NOT NULL,
  imported_at              timestamptz(3),
  draft_id                 text,
  PRIMARY KEY (id, environment_id),
  FOREIGN KEY (environment_id, draft_id) REFERENCES invoice_draft (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, integration_id) REFERENCES integration (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, issued_with) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, rectifies_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, reverses_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, series_id) REFERENCES number_series (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT invoice_adds_up CHECK (total = subtotal + tax),
  CONSTRAINT invoice_rectifies_several CHECK (
    rectifies_ids IS NULL OR (rectifies_id IS NOT NULL AND cardinality(rectifies_ids) >= 2 AND rectifies_ids[1] = rectifies_id)),
  CONSTRAINT invoice_rectified_period CHECK (
    (rectified_from IS NULL) = (rectified_to IS NULL) AND rectified_from <= rectified_to AND (rectified_from IS NULL OR rectifies_id IS NULL)),
  CONSTRAINT invoice_numbered CHECK (imported = (series_number IS NULL) AND imported = (imported_at IS NOT NULL))
);
CREATE INDEX invoice_corrects_earlier ON invoice (environment_id) WHERE rectified_operation_on IS NOT NULL;
CREATE UNIQUE INDEX invoice_environment_id_external_id_key ON invoice (environment_id, external_id);
CREATE UNIQUE INDEX invoice_environment_id_number_key ON invoice (environment_id, number);
CREATE UNIQUE INDEX invoice_integration_id_order_id_environment_id_key ON invoice (integration_id, order_id, environment_id);
CREATE INDEX invoice_rectifies_id_idx ON invoice (rectifies_id);
-- Few invoices correct several others.
-- Whether an environment has any at all.
CREATE INDEX invoice_of_several ON invoice (environment_id) WHERE rectifies_ids IS NOT NULL;
CREATE INDEX invoice_rectifies_several ON invoice USING gin (rectifies_ids) WHERE rectifies_ids IS NOT NULL;
CREATE INDEX invoice_issued_with_idx ON invoice (issued_with) WHERE issued_with IS NOT NULL;
CREATE INDEX invoice_reverses_id_idx ON invoice (reverses_id) WHERE reverses_id IS NOT NULL;

-- A draft is issued at most once, whoever tries.
CREATE UNIQUE INDEX invoice_environment_id_draft_id_key ON invoice (environment_id, draft_id) WHERE draft_id IS NOT NULL;

-- A line that is not whole units at a net price in cents has quantity and price as decimals in plain digits (the price in cents), the
-- price with its taxes, and the unit of measure, a code of UN/ECE Recommendation 20. Its quantity is then 1 and its unit_amount its
-- subtotal. One of a correction of several invoices names the one that it changes.
CREATE TABLE invoice_line (
  environment_id      integer NOT NULL,
  invoice_id          text NOT NULL,
  position            integer NOT NULL,
  id                  text NOT NULL,
  description         text NOT NULL,
  sku                 text,
  quantity            integer NOT NULL,
  unit_amount         bigint NOT NULL,
  subtotal            bigint NOT NULL,
  tax                 bigint NOT NULL,
  total               bigint NOT NULL,
  quantity_decimal    text,
  unit_amount_decimal text,
  unit_amount_gross   bigint,
  unit                text,
  rectifies_invoice_id text,
  PRIMARY KEY (environment_id, invoice_id, position),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, rectifies_invoice_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT line_adds_up CHECK (total = subtotal + tax AND subtotal = quantity * unit_amount)
);

CREATE INDEX invoice_line_rectifies_invoice_id_idx ON invoice_line (rectifies_invoice_id) WHERE rectifies_invoice_id IS NOT NULL;

-- What a line says of its own classification is null where it says nothing of it. "classified" is how it is declared, such as '08 N2': set on all
-- lines of an invoice of which one says something.
CREATE TABLE tax_item (
  environment_id    integer NOT NULL,
  invoice_id        text NOT NULL,
  line_position     integer NOT NULL,
  position          integer NOT NULL,
  type              text NOT NULL,
  name              text NOT NULL,
  rate_basis_points integer NOT NULL,
  amount            bigint NOT NULL,
  regime_key        text,
  operation_class   text,
  exemption         text,
  classified        text,
  PRIMARY KEY (environment_id, invoice_id, line_position, position),
  FOREIGN KEY (environment_id, invoice_id, line_position)
    REFERENCES invoice_line (environment_id, invoice_id, position) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- Which tickets a complete invoice was given in exchange for.
CREATE TABLE invoice_exchange (
  exchange_id    text NOT NULL,
  ticket_id      text NOT NULL,
  environment_id integer NOT NULL,
  PRIMARY KEY (exchange_id, ticket_id, environment_id),
  FOREIGN KEY (environment_id, exchange_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, ticket_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX invoice_exchange_ticket_id_idx ON invoice_exchange (ticket_id);

-- What merchants note of an invoice for themselves. It is the one thing of it that they may change, so it stands beside the sealed
-- row. The role that the service runs as locks a row by its right to change the column.
CREATE TABLE invoice_metadata (
  environment_id integer NOT NULL,
  invoice_id     text NOT NULL,
  metadata       jsonb NOT NULL,
  PRIMARY KEY (environment_id, invoice_id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- The PDF of an invoice in each edition: which branding ("look_id") it shows, and its one place, in the row or outside the database.
-- It is rendered by one process at a time, and again when it is lost. An imported invoice has no row until somebody asks for it.
CREATE TABLE invoice_document (
  invoice_id     text NOT NULL,
  environment_id integer NOT NULL,
  edition        document_edition NOT NULL DEFAULT 'issued',
  state          document_state NOT NULL,
  bytes          bytea,
  object_key     text,
  sha256         bytea,
  rendered_at    timestamptz(3),
  renderings     integer NOT NULL DEFAULT 0,
  lease_token    text,
  lease_until    timestamptz(3),
  look_id        integer,
  PRIMARY KEY (environment_id, invoice_id, edition),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, look_id) REFERENCES branding (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT document_lease CHECK ((lease_token IS NULL) = (lease_until IS NULL)),
  CONSTRAINT stored_has_checksum CHECK (state = 'waiting' OR sha256 IS NOT NULL),
  CONSTRAINT stored_in_one_place CHECK (
    CASE state WHEN 'waiting' THEN bytes IS NULL AND object_key IS NULL
               ELSE (bytes IS NULL) <> (object_key IS NULL) END)
);
CREATE INDEX invoice_document_waiting ON invoice_document (environment_id, invoice_id) WHERE state = 'waiting';

-- Invoices that were sent together, to be issued one after the other. What was sent never changes; its counts do.
CREATE TABLE invoice_batch (
  id             text NOT NULL,
  environment_id integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  size           integer NOT NULL,
  issued         integer NOT NULL,
  failed         integer NOT NULL,
  created_at     timestamptz(3) NOT NULL,
  stalled_since  timestamptz(3),
  completed_at   timestamptz(3),
  PRIMARY KEY (environment_id, id),
  CONSTRAINT invoice_batch_counts CHECK (
    issued >= 0 AND failed >= 0 AND issued + failed <= size AND (completed_at IS NOT NULL) = (issued + failed = size))
);
CREATE INDEX invoice_batch_created_at_idx ON invoice_batch (created_at);
CREATE INDEX invoice_batch_environment_id_created_at_id_idx ON invoice_batch (environment_id, created_at DESC, id DESC);
CREATE INDEX invoice_batch_open ON invoice_batch (environment_id, created_at, id) WHERE completed_at IS NULL;

-- The request stands as text: JSON may hold characters that a value of Postgres cannot. The invoice has its id from the beginning,
-- so that one that was issued and not yet noted is known by it.
CREATE TABLE invoice_batch_item (
  environment_id integer NOT NULL,
  batch_id       text NOT NULL,
  position       integer NOT NULL,
  external_id    text NOT NULL,
  reserved_id    text NOT NULL,
  request        text NOT NULL,
  state          batch_result NOT NULL,
  invoice_id     text,
  refusal        text,
  PRIMARY KEY (environment_id, batch_id, position),
  FOREIGN KEY (environment_id, batch_id) REFERENCES invoice_batch (environment_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT invoice_batch_item_result CHECK ((state = 'issued') = (invoice_id IS NOT NULL) AND (state = 'failed') = (refusal IS NOT NULL))
);
CREATE INDEX invoice_batch_item_pending ON invoice_batch_item (environment_id, batch_id, position) WHERE state = 'pending';

CREATE TABLE import_run (
  environment_id integer NOT NULL,
  file_hash      bytea NOT NULL,
  last_line      integer NOT NULL,
  accepted       integer NOT NULL,
  refused        integer NOT NULL,
  started_at     timestamptz(3) NOT NULL,
  finished_at    timestamptz(3),
  PRIMARY KEY (environment_id, file_hash),
  CONSTRAINT import_run_counts CHECK (last_line >= 0 AND accepted >= 0 AND refused >= 0)
);

-- A request under way is held by a process ("holder") as one of its claims ("token"): what was taken over is not its own.
CREATE TABLE idempotency_key (
  environment_id integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  key            text NOT NULL,
  operation      text NOT NULL,
  request_hash   bytea NOT NULL,
  state          idempotency_state NOT NULL,
  answer         jsonb,
  created_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at     timestamptz(3) NOT NULL,
  holder         text,
  token          text,
  PRIMARY KEY (environment_id, key),
  CONSTRAINT stored_has_answer CHECK ((state = 'stored') = (answer IS NOT NULL))
);
CREATE INDEX idempotency_key_expires_at_idx ON idempotency_key (expires_at);
