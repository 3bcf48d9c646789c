/** Where Citus keeps the rows of each table. Another table has no place and stops a distribution: it must be named here. */

/** On every server: few rows, which everything of an environment refers to or which say whose it is. Each refers to those before it. */
export const REFERENCE = [
  'account',
  'company',
  'tax_catalog_entry',
  'taken_prefix',
  'environment',
  'api_key',
] as const;

/** By environment, all rows of one on one server. The first decides which; the others follow it. */
export const BY_ENVIRONMENT = [
  'chain',
  ...['branding', 'chain_comparison', 'chain_dispatch', 'chain_fork', 'chain_verification'],
  ...['corrected_invoice', 'counter_jump', 'customer', 'day_to_add', 'day_total', 'email_settings'],
  ...['environment_audit_entry', 'idempotency_key', 'import_run', 'integration', 'invoice'],
  ...['invoice_amendment', 'invoice_batch', 'invoice_batch_item', 'invoice_document', 'invoice_draft'],
  ...['invoice_email', 'invoice_email_state', 'invoice_exchange', 'invoice_line', 'invoice_metadata'],
  ...['invoice_payment', 'invoice_payment_removal', 'invoice_schedule', 'invoice_text', 'invoice_void'],
  ...['journal_checkpoint', 'journal_entry', 'journal_head', 'journal_subtree', 'number_series'],
  ...['payment_account', 'portal_session', 'portal_visit', 'recipient_name', 'record_state'],
  ...['registration_record', 'series_counter', 'series_default', 'submission', 'tax_item'],
  ...['trusted_document', 'webhook_delivery', 'webhook_endpoint', 'webhook_lane', 'webhook_secret'],
] as const;

/**
 * On the coordinator, beside the queue: what operators and processes do, what tells of the server itself, and what is counted with
 * every request, which must not depend on a server that has nothing of the caller.
 */
export const LOCAL = [
  ...['access_suspension', 'approval', 'audit_entry', 'audit_webhook', 'client_certificate'],
  ...['console_session', 'database_lineage', 'operations_sample', 'operator_identity', 'operator_key'],
  ...['rate_limit', 'read_position', 'schema_migration', 'service_process', 'software_declaration'],
] as const;

/** What issues and imports runs where an environment is, as one remote command: by its first argument. Processes of 1.0.0 call the shorter `write_invoices`. */
export const BY_ENVIRONMENT_FUNCTIONS = [
  'lock_chains(integer, json, text)',
  'take_numbers(integer, json)',
  'write_invoices(integer, json, json, json, json, json, json, json, json)',
  'write_invoices(integer, json, json, json, json, json, json, json)',
  'import_invoices(integer, json, json, json, json)',
] as const;

/** What a server tells of itself, and what statements and functions call that run on it. */
export const SERVER_FUNCTIONS = [
  'append_entries(json)',
  'server_identity()',
  'server_synchronous()',
  'seconds_after(timestamptz, double precision)',
] as const;
