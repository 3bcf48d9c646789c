-- Who issues: accounts, companies with their two environments, and what belongs to them but their invoices. The tables are those of
-- schema.prisma (test/integration/data-model.test.ts compares the two); what stands only here are checks, triggers, functions,
-- views, and indexes over expressions or a part of the rows.
--
-- Every table of an environment has its number in each key, foreign or its own: no row can refer to one of another environment,
-- and the tables can be divided by environment among partitions or servers. It comes last in the key where statements ask by
-- what stands before it.

-- The time so many seconds after another, which is the same wherever it is computed: Postgres says less of what adds an interval, of which
-- days and months depend on the time zone, and Citus accepts none of it beside columns.
CREATE FUNCTION seconds_after(instant timestamptz, seconds double precision) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN instant + make_interval(secs => seconds);

CREATE TYPE environment_kind AS ENUM ('test', 'live');
CREATE TYPE document_language AS ENUM ('es', 'en', 'ca', 'gl', 'eu');
CREATE TYPE logo_type AS ENUM ('png', 'jpeg', 'svg');
CREATE TYPE certificate_kind AS ENUM ('person', 'seal');

-- Who pays for the service. One account may hold several companies.
CREATE TABLE account (
  id                  text PRIMARY KEY,
  name                text NOT NULL,
  subscription_active boolean NOT NULL,
  created_at          timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- An issuer. A NIF belongs to one company of the installation, unless an operator says that another one succeeds it. Readers keep
-- its tax catalog in memory for as long as "catalog_version" stands. It may give up VERI*FACTU with the end of a year: the agency must be
-- told before ("verifactu_end_told_at": when it answered a message that said so). Once it is closed ("left_at", unlike a chain) it has no keys and issues nothing.
CREATE TABLE company (
  id                     text PRIMARY KEY,
  account_id             text NOT NULL REFERENCES account ON DELETE RESTRICT ON UPDATE CASCADE,
  nif                    char(9) NOT NULL,
  legal_name             text NOT NULL,
  given_name             text,
  surnames               text,
  address_line1          text NOT NULL,
  address_line2          text,
  address_postal_code    text NOT NULL,
  address_city           text NOT NULL,
  address_country        char(2) NOT NULL DEFAULT 'ES',
  mandate_approved_at    timestamptz(3),
  onboarding_finished_at timestamptz(3),
  verifactu_ends_on      date,
  verifactu_end_told_at  timestamptz(3),
  left_at                timestamptz(3),
  catalog_version        integer NOT NULL DEFAULT 1,
  created_at             timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  succeeds_id            text REFERENCES company ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX company_account_id_idx ON company (account_id);
CREATE INDEX company_nif_idx ON company (nif);
CREATE UNIQUE INDEX company_succeeds_id_key ON company (succeeds_id);

-- The test or live half of a company. Browsers of web pages in "allowed_origins" may ask with access tokens; a page's first question
-- comes without one, and the origin is looked up among all environments. A test environment's time may be ahead of the machine's
-- ("clock_ahead_ms"), and be advancing ("clock_target_ms"); a live one has the one time that there is. Both environments of a company have its
-- "time_zone", by which their days and years begin.
CREATE TABLE environment (
  id                     serial PRIMARY KEY,
  company_id             text NOT NULL REFERENCES company ON DELETE RESTRICT ON UPDATE CASCADE,
  kind                   environment_kind NOT NULL,
  created_at             timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  allowed_origins        text[] DEFAULT ARRAY[]::text[],
  trusted_documents_only boolean NOT NULL DEFAULT false,
  clock_ahead_ms         bigint NOT NULL DEFAULT 0,
  clock_target_ms        bigint NOT NULL DEFAULT 0,
  time_zone              text NOT NULL DEFAULT 'Europe/Madrid',
  CONSTRAINT environment_allowed_origins_known CHECK (allowed_origins IS NOT NULL),
  CONSTRAINT environment_time_zone CHECK (time_zone IN ('Europe/Madrid', 'Atlantic/Canary')),
  CONSTRAINT environment_clock CHECK (clock_ahead_ms >= 0 AND clock_target_ms >= clock_ahead_ms AND (kind = 'test' OR clock_target_ms = 0))
);
CREATE INDEX environment_allowed_origins_idx ON environment USING gin (allowed_origins);
CREATE UNIQUE INDEX environment_company_id_kind_key ON environment (company_id, kind);

-- What keys may do, and until when.
CREATE TABLE api_key (
  id             text PRIMARY KEY,
  environment_id integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  name           text NOT NULL,
  prefix         text NOT NULL,
  hash           bytea NOT NULL,
  made_by        text,
  scopes         text[] DEFAULT ARRAY['read', 'issue', 'correct', 'manage'],
  created_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at     timestamptz(3),
  revoked_at     timestamptz(3),
  CONSTRAINT api_key_scopes_known CHECK (coalesce(cardinality(scopes), 0) > 0 AND scopes <@ ARRAY['read', 'issue', 'correct', 'manage'])
);
CREATE INDEX api_key_environment_id_idx ON api_key (environment_id);
CREATE UNIQUE INDEX api_key_hash_key ON api_key (hash);

CREATE TABLE operator_key (
  id         text PRIMARY KEY,
  name       text NOT NULL,
  prefix     text NOT NULL,
  hash       bytea NOT NULL,
  role       text NOT NULL DEFAULT 'admin',
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  CONSTRAINT operator_key_role_known CHECK (role IN ('viewer', 'operator', 'admin'))
);
CREATE UNIQUE INDEX operator_key_hash_key ON operator_key (hash);

-- Operators whom an identity provider vouches for, with what it said last.
CREATE TABLE operator_identity (
  id           text PRIMARY KEY,
  issuer       text NOT NULL,
  subject      text NOT NULL,
  name         text NOT NULL,
  role         text NOT NULL,
  created_at   timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  CONSTRAINT operator_identity_role_known CHECK (role IN ('viewer', 'operator', 'admin'))
);
CREATE UNIQUE INDEX operator_identity_issuer_subject_key ON operator_identity (issuer, subject);

-- Visits of operators to the console: with a key, or as whom a provider vouches for. Its token is encrypted under the cookie.
CREATE TABLE console_session (
  id              text PRIMARY KEY,
  operator_key_id text REFERENCES operator_key ON DELETE RESTRICT ON UPDATE CASCADE,
  identity_id     text REFERENCES operator_identity ON DELETE RESTRICT ON UPDATE CASCADE,
  sealed_token    bytea,
  checked_at      timestamptz(3),
  check_begun_at  timestamptz(3),
  cookie_hash     bytea NOT NULL,
  created_at      timestamptz(3) NOT NULL,
  expires_at      timestamptz(3) NOT NULL,
  CONSTRAINT console_session_of_one CHECK (num_nonnulls(operator_key_id, identity_id) = 1),
  CONSTRAINT console_session_checked CHECK (num_nonnulls(identity_id, sealed_token, checked_at) IN (0, 3))
);
CREATE UNIQUE INDEX console_session_cookie_hash_key ON console_session (cookie_hash);
CREATE INDEX console_session_expires_at_idx ON console_session (expires_at);

-- What an operator asked another one to approve: one act with exactly these arguments. What was asked never changes.
CREATE TABLE approval (
  id             text PRIMARY KEY,
  action         text NOT NULL,
  subject        text NOT NULL,
  environment_id integer,
  arguments      text NOT NULL,
  digest         text NOT NULL,
  asked_by       text NOT NULL,
  asked_at       timestamptz(3) NOT NULL,
  expires_at     timestamptz(3) NOT NULL,
  decision       text,
  decided_by     text,
  decided_at     timestamptz(3),
  used_at        timestamptz(3),
  CONSTRAINT approval_decision_known CHECK (decision IN ('approved', 'declined')),
  CONSTRAINT approval_decided CHECK (num_nonnulls(decision, decided_by, decided_at) IN (0, 3)),
  CONSTRAINT approval_used CHECK (used_at IS NULL OR decision = 'approved'),
  CONSTRAINT approval_by_two CHECK (decision IS DISTINCT FROM 'approved' OR decided_by <> asked_by)
);
CREATE INDEX approval_asked_by_digest_idx ON approval (asked_by, digest);
CREATE INDEX approval_asked_at_id_idx ON approval (asked_at, id);

-- GraphQL documents that front ends have published, by the hash by which browsers name them: what is asked by a hash must be what
-- was published under it.
CREATE TABLE trusted_document (
  environment_id integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  hash           char(64) NOT NULL,
  text           text NOT NULL,
  published_at   timestamptz(3) NOT NULL,
  PRIMARY KEY (environment_id, hash),
  CONSTRAINT trusted_document_hash CHECK (hash::text = encode(sha256(convert_to(text, 'UTF8')), 'hex'))
);

-- Client certificates for the agency. Not sealed: they run out and are replaced. Of one owner, the platform being one, only one is
-- in use.
CREATE TABLE client_certificate (
  id          text PRIMARY KEY,
  company_id  text REFERENCES company ON DELETE RESTRICT ON UPDATE CASCADE,
  kind        certificate_kind NOT NULL,
  holder_nif  char(9) NOT NULL,
  holder_name text NOT NULL,
  valid_from  timestamptz(3) NOT NULL,
  valid_to    timestamptz(3) NOT NULL,
  fingerprint char(64) NOT NULL,
  active      boolean NOT NULL,
  key_name    text NOT NULL,
  sealed      bytea NOT NULL,
  uploaded_by text NOT NULL,
  uploaded_at timestamptz(3) NOT NULL,
  CONSTRAINT certificate_lasts CHECK (valid_from < valid_to)
);
CREATE INDEX client_certificate_company_id_idx ON client_certificate (company_id);
CREATE UNIQUE INDEX client_certificate_one_active ON client_certificate (coalesce(company_id, '')) WHERE active;

CREATE TABLE tax_catalog_entry (
  company_id      text NOT NULL REFERENCES company ON DELETE RESTRICT ON UPDATE CASCADE,
  tax_type        text NOT NULL,
  agency_tax      char(2) NOT NULL,
  regime_key      char(2),
  operation_class char(2),
  exemption       char(2),
  label           text NOT NULL,
  legal_mention   text,
  updated_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (company_id, tax_type)
);

-- How an environment's documents look from then on. A document that is lost is rendered again as it looked: a row is followed by
-- another one, never changed.
CREATE TABLE branding (
  environment_id integer NOT NULL REFERENCES environment ON DELETE RESTRICT ON UPDATE CASCADE,
  id             serial,
  language       document_language NOT NULL,
  accent_colour  char(7),
  logo_type      logo_type,
  logo           bytea,
  logo_width     double precision,
  logo_height    double precision,
  created_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (environment_id, id),
  CONSTRAINT branding_has_colour CHECK (accent_colour ~ '^#[0-9A-F]{6}$'),
  CONSTRAINT branding_has_whole_logo CHECK (num_nulls(logo_type, logo, logo_width, logo_height) IN (0, 4))
);
