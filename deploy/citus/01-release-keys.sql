-- For a database of one server that is to become the coordinator of a Citus cluster (docs/decisions/16-many-primaries.md):
-- first this, then 02-divide-tables.sql and 03-restore-keys.sql, as the role that everything belongs to, with the service
-- stopped. Each runs in a transaction of its own: psql --single-transaction --set ON_ERROR_STOP=1 --file.

-- Citus divides no table that foreign keys hold. They are kept here meanwhile, without what they say of updates: where the
-- distribution column is part of a key Citus knows no ON UPDATE CASCADE, and no environment ever changes its number.
CREATE TABLE citus_released_key AS
SELECT conrelid::regclass::text AS table_name, conname::text AS key_name,
       replace(pg_get_constraintdef(oid), ' ON UPDATE CASCADE', '') AS definition
  FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace;

DO $$
DECLARE
  released record;
BEGIN
  FOR released IN SELECT * FROM citus_released_key LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', released.table_name, released.key_name);
  END LOOP;
END $$;

-- What is unique by being random stays so within an environment: a shard sees no other.
DROP INDEX chain_installation_number_key;
CREATE UNIQUE INDEX chain_installation_number_key ON chain (installation_number, environment_id);
DROP INDEX portal_session_token_hash_key;
CREATE UNIQUE INDEX portal_session_token_hash_key ON portal_session (token_hash, environment_id);
ALTER TABLE portal_visit DROP CONSTRAINT portal_visit_pkey;
ALTER TABLE portal_visit ADD CONSTRAINT portal_visit_pkey PRIMARY KEY (cookie_hash, environment_id);
