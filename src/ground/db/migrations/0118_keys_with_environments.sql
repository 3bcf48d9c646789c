-- Every key of a table of environments carries the environment, so that the table can be divided by it: among partitions,
-- or among servers. What is unique stays so: a chain, a series, an integration and an invoice have one environment.
-- The environment comes last where statements ask by what stands before it.

ALTER TABLE series_counter DROP CONSTRAINT series_counter_pkey;
ALTER TABLE series_counter ADD CONSTRAINT series_counter_pkey PRIMARY KEY (series_id, year, environment_id);

CREATE UNIQUE INDEX registration_record_chain_id_position_environment_id_key ON registration_record (chain_id, position, environment_id);
DROP INDEX registration_record_chain_id_position_key;
CREATE UNIQUE INDEX registration_record_chain_id_previous_record_id_environment_key ON registration_record (chain_id, previous_record_id, environment_id);
DROP INDEX registration_record_chain_id_previous_record_id_key;

CREATE UNIQUE INDEX invoice_integration_id_order_id_environment_id_key ON invoice (integration_id, order_id, environment_id);
DROP INDEX invoice_integration_id_order_id_key;

ALTER TABLE invoice_exchange DROP CONSTRAINT invoice_exchange_pkey;
ALTER TABLE invoice_exchange ADD CONSTRAINT invoice_exchange_pkey PRIMARY KEY (exchange_id, ticket_id, environment_id);

ALTER TABLE customer DROP CONSTRAINT customer_pkey;
ALTER TABLE customer ADD CONSTRAINT customer_pkey PRIMARY KEY (id, environment_id);
-- The one with the environment says the same.
DROP INDEX customer_integration_id_external_customer_id_key;

ALTER TABLE webhook_secret DROP CONSTRAINT webhook_secret_pkey;
ALTER TABLE webhook_secret ADD CONSTRAINT webhook_secret_pkey PRIMARY KEY (id, environment_id);

DROP INDEX invoice_batch_id_key;

-- Operators ask for a chain by its id alone.
CREATE INDEX chain_id_idx ON chain (id);
