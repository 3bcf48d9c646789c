-- The chain of registration records, their sending to the agency, and what operators are to know of it.

CREATE TYPE record_kind AS ENUM ('registration', 'cancellation');
CREATE TYPE registration_status AS ENUM ('pending', 'registered', 'registered_with_errors', 'rejected', 'skipped');
CREATE TYPE chain_hold AS ENUM ('restored', 'forked');

-- Its tail is in its row, which issuing locks. Nothing is issued once its company was succeeded ("issuing_ended_at"): set under the
-- same lock, so that what was issued before is issued and nothing is afterwards. Nor while it is held, after a restore or a
-- fail-over. Operators ask for a chain by its id alone.
CREATE TABLE chain (
  id                     serial,
  environment_id         integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  installation_number    text NOT NULL,
  last_position          integer NOT NULL DEFAULT 0,
  last_record_id         text,
  last_fingerprint       char(64),
  last_generated_at      timestamptz(3),
  last_invoice_number    text,
  last_invoice_issued_on date,
  created_at             timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  closed_at              timestamptz(3),
  hold                   chain_hold,
  held_at                timestamptz(3),
  issuing_ended_at       timestamptz(3),
  PRIMARY KEY (environment_id, id),
  CONSTRAINT chain_held_since CHECK ((hold IS NULL) = (held_at IS NULL)),
  CONSTRAINT chain_tail_whole CHECK (
    (last_position = 0 AND last_record_id IS NULL AND last_fingerprint IS NULL)
    OR (last_position > 0 AND last_record_id IS NOT NULL AND last_fingerprint IS NOT NULL
        AND last_generated_at IS NOT NULL AND last_invoice_number IS NOT NULL AND last_invoice_issued_on IS NOT NULL))
);
CREATE INDEX chain_id_idx ON chain (id);
CREATE UNIQUE INDEX chain_installation_number_key ON chain (installation_number);
CREATE UNIQUE INDEX chain_one_open ON chain (environment_id) WHERE closed_at IS NULL;

-- When it may send next, who sends, and what hinders it.
CREATE TABLE chain_dispatch (
  chain_id             integer NOT NULL,
  environment_id       integer NOT NULL,
  wait_seconds         integer NOT NULL DEFAULT 60,
  next_send_at         timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  lease_token          text,
  lease_until          timestamptz(3),
  consecutive_failures integer NOT NULL DEFAULT 0,
  incident_since       timestamptz(3),
  stopped_at           timestamptz(3),
  stopped_reason       text,
  paused_at            timestamptz(3),
  paused_reason        text,
  PRIMARY KEY (environment_id, chain_id),
  FOREIGN KEY (environment_id, chain_id) REFERENCES chain (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT dispatch_paused_for CHECK ((paused_at IS NULL) = (paused_reason IS NULL))
);

-- The chains that stopped because the agency has suspended our access, which is asked before each envelope of any chain: a table of
-- the installation, so that the question does not visit every environment.
CREATE TABLE access_suspension (
  environment_id integer NOT NULL,
  chain_id       integer NOT NULL,
  PRIMARY KEY (environment_id, chain_id)
);

CREATE TABLE registration_record (
  id                   text NOT NULL,
  environment_id       integer NOT NULL,
  chain_id             integer NOT NULL,
  position             integer NOT NULL,
  kind                 record_kind NOT NULL,
  invoice_id           text NOT NULL,
  previous_record_id   text,
  previous_fingerprint char(64),
  fingerprint          char(64) NOT NULL,
  generated_at         timestamptz(3) NOT NULL,
  xml                  text NOT NULL,
  PRIMARY KEY (id, environment_id),
  FOREIGN KEY (environment_id, chain_id) REFERENCES chain (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, previous_record_id) REFERENCES registration_record (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT record_linked CHECK (
    position > 0 AND (position = 1) = (previous_record_id IS NULL) AND (position = 1) = (previous_fingerprint IS NULL))
);
CREATE UNIQUE INDEX registration_record_chain_id_position_environment_id_key ON registration_record (chain_id, position, environment_id);
CREATE UNIQUE INDEX registration_record_chain_id_previous_record_id_environment_key
  ON registration_record (chain_id, previous_record_id, environment_id);
CREATE INDEX registration_record_invoice_id_position_idx ON registration_record (invoice_id, position);

-- One envelope and its answer. It is found by its id alone, as GraphQL's `node` has it: where tables are divided by environment none
-- can be unique.
CREATE TABLE submission (
  id             text NOT NULL,
  environment_id integer NOT NULL,
  chain_id       integer NOT NULL,
  first_position integer NOT NULL,
  last_position  integer NOT NULL,
  record_count   integer NOT NULL,
  incident       boolean NOT NULL,
  started_at     timestamptz(3) NOT NULL,
  finished_at    timestamptz(3),
  outcome        text,
  fault_code     text,
  message        text,
  receipt        text,
  wait_seconds   integer,
  answer         text,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id, chain_id) REFERENCES chain (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX submission_chain_id_started_at_idx ON submission (chain_id, started_at DESC);
CREATE INDEX submission_id_idx ON submission (id);

-- The status of a record at the agency. "trace_parent" says where in a trace it was issued, for its registration to show there.
-- "listed_at" is the instant of issue of its invoice, in the row by which lists of a status find it: that of the record that decides
-- the invoice's status, which is the newest that the agency accepted (an amendment under way, or refused, changes nothing there).
CREATE TABLE record_state (
  record_id      text NOT NULL,
  environment_id integer NOT NULL,
  chain_id       integer NOT NULL,
  position       integer NOT NULL,
  status         registration_status NOT NULL,
  error_code     text,
  error_message  text,
  receipt        text,
  attempts       integer NOT NULL DEFAULT 0,
  late           boolean NOT NULL DEFAULT false,
  parked_reason  text,
  submission_id  text,
  settled_at     timestamptz(3),
  trace_parent   text,
  listed_at      timestamptz(3),
  PRIMARY KEY (environment_id, record_id),
  FOREIGN KEY (environment_id, record_id) REFERENCES registration_record (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, submission_id) REFERENCES submission (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX record_state_failed ON record_state (status, error_code) WHERE status IN ('rejected', 'registered_with_errors');
CREATE INDEX record_state_parked ON record_state (chain_id, position) WHERE status = 'pending' AND parked_reason IS NOT NULL;
CREATE INDEX record_state_waiting ON record_state (chain_id, position) WHERE status = 'pending';

CREATE TABLE invoice_amendment (
  environment_id           integer NOT NULL,
  record_id                text NOT NULL,
  invoice_id               text NOT NULL,
  recipient_name           text,
  recipient_tax_id         text,
  recipient_tax_id_type    text,
  recipient_tax_id_country char(2),
  description              text,
  breakdown                jsonb,
  reason                   text NOT NULL,
  amended_by               text NOT NULL,
  amended_at               timestamptz(3) NOT NULL,
  PRIMARY KEY (environment_id, record_id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, record_id) REFERENCES registration_record (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX invoice_amendment_invoice_id_amended_at_idx ON invoice_amendment (invoice_id, amended_at);

CREATE TABLE invoice_void (
  invoice_id     text NOT NULL,
  environment_id integer NOT NULL,
  record_id      text NOT NULL,
  reason         text NOT NULL,
  voided_by      text NOT NULL,
  voided_at      timestamptz(3) NOT NULL,
  PRIMARY KEY (environment_id, invoice_id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, record_id) REFERENCES registration_record (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- Why numbers are missing: a counter that jumped after a restore.
CREATE TABLE counter_jump (
  environment_id integer NOT NULL,
  series_id      text NOT NULL,
  year           integer NOT NULL,
  from_number    integer NOT NULL,
  to_number      integer NOT NULL,
  chain_id       integer NOT NULL,
  jumped_at      timestamptz(3) NOT NULL,
  PRIMARY KEY (environment_id, series_id, year, from_number),
  FOREIGN KEY (environment_id, chain_id) REFERENCES chain (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, series_id) REFERENCES number_series (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT counter_jump_forward CHECK (from_number > 0 AND to_number >= from_number)
);

-- What the agency has of a chain and we have not.
CREATE TABLE chain_fork (
  environment_id integer NOT NULL,
  chain_id       integer NOT NULL,
  found_at       timestamptz(3) NOT NULL,
  record_count   integer NOT NULL,
  records        jsonb NOT NULL,
  highest        jsonb NOT NULL,
  PRIMARY KEY (environment_id, chain_id),
  FOREIGN KEY (environment_id, chain_id) REFERENCES chain (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- How far the comparison of a held chain with the agency has come: a restart goes on from there, page by page.
CREATE TABLE chain_comparison (
  environment_id integer NOT NULL,
  chain_id       integer NOT NULL,
  held_at        timestamptz(3) NOT NULL,
  until_day      date NOT NULL,
  month          text NOT NULL,
  after          jsonb,
  pages          integer NOT NULL DEFAULT 0,
  compared       integer NOT NULL DEFAULT 0,
  missing        integer NOT NULL DEFAULT 0,
  records        jsonb NOT NULL DEFAULT '[]',
  highest        jsonb NOT NULL DEFAULT '[]',
  page_at        timestamptz(3),
  trouble        text,
  PRIMARY KEY (environment_id, chain_id),
  FOREIGN KEY (environment_id, chain_id) REFERENCES chain (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE chain_verification (
  environment_id integer PRIMARY KEY REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  started_at     timestamptz(3) NOT NULL,
  finished_at    timestamptz(3) NOT NULL,
  records        integer NOT NULL,
  finding_count  integer NOT NULL,
  findings       jsonb NOT NULL,
  last_sound_at  timestamptz(3)
);
