-- After 02-divide-tables.sql: the foreign keys again, each within an environment or towards a table that every server has.
DO $$
DECLARE
  released record;
BEGIN
  FOR released IN SELECT * FROM citus_released_key LOOP
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', released.table_name, released.key_name, released.definition);
  END LOOP;
END $$;

DROP TABLE citus_released_key;
