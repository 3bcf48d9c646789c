-- After 01-release-keys.sql, once the extension and the workers are there (CREATE EXTENSION citus; citus_add_node).

-- Triggers of shards refuse changes of sealed rows, and write what lists and totals need into tables of the same environment, which
-- are on the same server. For every session: ALTER DATABASE … SET citus.enable_unsafe_triggers = on, and, so that limits of time hold
-- on the workers too, … SET citus.propagate_set_commands = local.
SET citus.enable_unsafe_triggers = on;

-- On every server: few rows, which everything of an environment refers to or which say whose it is.
SELECT create_reference_table('account');
SELECT create_reference_table('company');
SELECT create_reference_table('tax_catalog_entry');
SELECT create_reference_table('taken_prefix');
SELECT create_reference_table('environment');
SELECT create_reference_table('api_key');

-- By environment, all of one environment on one server.
SELECT create_distributed_table('chain', 'environment_id', colocate_with => 'none');
SELECT create_distributed_table(table_name, 'environment_id', colocate_with => 'chain')
  FROM unnest(ARRAY[
    'branding', 'chain_comparison', 'chain_dispatch', 'chain_fork', 'chain_verification', 'corrected_invoice', 'counter_jump', 'customer', 'day_to_add', 'day_total',
    'email_settings', 'environment_audit_entry',
    'idempotency_key', 'import_run', 'integration', 'invoice', 'invoice_amendment', 'invoice_batch', 'invoice_batch_item',
    'invoice_document', 'invoice_draft', 'invoice_email', 'invoice_email_state', 'invoice_exchange', 'invoice_line',
    'invoice_metadata', 'invoice_payment', 'invoice_payment_removal', 'invoice_schedule', 'invoice_void',
    'journal_checkpoint', 'journal_entry', 'journal_head', 'journal_subtree', 'number_series', 'payment_account',
    'portal_session', 'portal_visit', 'recipient_name',
    'record_state', 'registration_record', 'series_counter', 'series_default', 'submission', 'tax_item',
    'trusted_document', 'webhook_delivery', 'webhook_endpoint', 'webhook_lane', 'webhook_secret']) AS table_name;

-- What takes numbers, issues and imports in one environment runs where that is, as one remote command.
SELECT create_distributed_function(name, '$1', colocate_with => 'chain', force_delegation => true)
  FROM unnest(ARRAY[
    'take_numbers(integer, json)', 'write_invoices(integer, json, json, json, json, json, json, json)',
    'import_invoices(integer, json, json, json, json)']::regprocedure[]) AS name;

-- By what is counted: asked with every request.
SELECT create_distributed_table('rate_limit', 'key', colocate_with => 'none');

-- The rest stays on the coordinator: what operators and processes do, what tells of the server itself, and the queue.
DO $$
DECLARE
  unnamed text;
BEGIN
  SELECT string_agg(relname, ', ') INTO unnamed FROM pg_class
   WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND oid NOT IN (SELECT logicalrelid FROM pg_dist_partition)
     AND relname NOT IN ('access_suspension', 'approval', 'audit_entry', 'audit_webhook', 'client_certificate', 'console_session', 'database_lineage', 'operations_sample', 'operator_identity', 'operator_key',
       'read_position', 'schema_migration', 'service_process', 'software_declaration', 'citus_released_key');
  IF unnamed IS NOT NULL THEN
    RAISE EXCEPTION 'say where these tables belong: %', unnamed;
  END IF;
END $$;
