-- Number series of an environment with their counters, and its customers with their visits to their own page.

CREATE TYPE series_type AS ENUM ('standard', 'rectifying');

-- What another system issued belongs to a series of its own, one an environment, which issues nothing. Nobody can ask for its prefix:
-- theirs are in capitals.
CREATE TABLE number_series (
  id             text NOT NULL,
  environment_id integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  prefix         text NOT NULL,
  type           series_type NOT NULL,
  yearly         boolean NOT NULL,
  imported       boolean NOT NULL DEFAULT false,
  created_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (environment_id, id)
);
CREATE INDEX number_series_environment_id_created_at_id_idx ON number_series (environment_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX number_series_environment_id_id_type_key ON number_series (environment_id, id, type);
CREATE UNIQUE INDEX number_series_environment_id_prefix_key ON number_series (environment_id, prefix);
CREATE UNIQUE INDEX number_series_one_imported ON number_series (environment_id) WHERE imported;

-- The tax agency knows an invoice by NIF, number and day. Companies of one NIF therefore share their prefixes, in live and in test
-- each for itself.
CREATE TABLE taken_prefix (
  nif        char(9) NOT NULL,
  kind       environment_kind NOT NULL,
  prefix     text NOT NULL,
  yearly     boolean NOT NULL,
  company_id text REFERENCES company ON DELETE RESTRICT ON UPDATE CASCADE,
  PRIMARY KEY (nif, kind, prefix)
);

-- Which series is the default stands in a table of its own: the row cannot name a series that is deleted, the service may not delete
-- it, and there is no moment between two rows at which none is the default. A default is of its own environment and type.
CREATE TABLE series_default (
  environment_id integer NOT NULL,
  type           series_type NOT NULL,
  series_id      text NOT NULL,
  created_at     timestamptz(3) NOT NULL,
  PRIMARY KEY (environment_id, type),
  FOREIGN KEY (environment_id, series_id, type) REFERENCES number_series (environment_id, id, type) ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE series_counter (
  environment_id integer NOT NULL,
  series_id      text NOT NULL,
  year           integer NOT NULL,
  last_number    integer NOT NULL,
  PRIMARY KEY (series_id, year, environment_id),
  FOREIGN KEY (environment_id, series_id) REFERENCES number_series (environment_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT counter_positive CHECK (last_number > 0)
);

-- A counter only moves forward: a number once taken is never given again.
CREATE FUNCTION refuse_counter_going_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.last_number < OLD.last_number OR NEW.series_id <> OLD.series_id OR NEW.year <> OLD.year THEN
    RAISE EXCEPTION 'series_counter of % cannot go back', OLD.series_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER forward_only BEFORE UPDATE ON series_counter FOR EACH ROW EXECUTE FUNCTION refuse_counter_going_back();

CREATE TABLE integration (
  id                   text NOT NULL,
  environment_id       integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  name                 text NOT NULL,
  standard_series_id   text,
  rectifying_series_id text,
  created_at           timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id, rectifying_series_id) REFERENCES number_series (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (environment_id, standard_series_id) REFERENCES number_series (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX integration_environment_id_name_key ON integration (environment_id, name);

CREATE TABLE customer (
  id                   text NOT NULL,
  environment_id       integer NOT NULL,
  integration_id       text NOT NULL,
  external_customer_id text NOT NULL,
  name                 text,
  company_name         text,
  tax_id               text,
  tax_id_type          text,
  tax_id_country       text,
  email                text,
  line1                text,
  line2                text,
  postal_code          text,
  city                 text,
  country              text,
  created_at           timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (id, environment_id),
  FOREIGN KEY (environment_id, integration_id) REFERENCES integration (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX customer_environment_id_external_customer_id_idx ON customer (environment_id, external_customer_id);
CREATE UNIQUE INDEX customer_environment_id_integration_id_external_customer_id_key
  ON customer (environment_id, integration_id, external_customer_id);

-- A link to a customer's own page. It opens as often as the customer likes until it expires; each opening is a visit of its own.
CREATE TABLE portal_session (
  id                   text NOT NULL,
  environment_id       integer NOT NULL,
  integration_id       text NOT NULL,
  external_customer_id text NOT NULL,
  token_hash           bytea NOT NULL,
  return_url           text,
  created_at           timestamptz(3) NOT NULL,
  expires_at           timestamptz(3) NOT NULL,
  PRIMARY KEY (environment_id, id),
  CONSTRAINT portal_session_environment_id_integration_id_external_cust_fkey
    FOREIGN KEY (environment_id, integration_id, external_customer_id)
    REFERENCES customer (environment_id, integration_id, external_customer_id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX portal_session_expires_at_idx ON portal_session (expires_at);
CREATE UNIQUE INDEX portal_session_environment_id_token_hash_key ON portal_session (environment_id, token_hash);

CREATE TABLE portal_visit (
  cookie_hash    bytea NOT NULL,
  environment_id integer NOT NULL,
  session_id     text NOT NULL,
  opened_at      timestamptz(3) NOT NULL,
  PRIMARY KEY (environment_id, cookie_hash),
  FOREIGN KEY (environment_id, session_id) REFERENCES portal_session (environment_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX portal_visit_environment_id_session_id_opened_at_idx ON portal_visit (environment_id, session_id, opened_at DESC);
