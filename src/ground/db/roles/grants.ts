/** Rights on tables and views, `update(column)` if not all columns may be updated. */
type Grants = Readonly<Record<string, readonly string[]>>;

/** Rows of these tables can only be inserted: triggers refuse everything else, and so do the grants. */
export const SEALED = [
  ...['audit_entry', 'branding', 'counter_jump', 'invoice', 'invoice_amendment', 'invoice_exchange'],
  ...[
    'environment_audit_entry',
    'invoice_email',
    'invoice_line',
    'invoice_payment',
    'invoice_payment_removal',
    'invoice_void',
    'journal_entry',
    'registration_record',
    'software_declaration',
    'tax_item',
  ],
] as const;

const READ = ['select'];
const ADD = ['select', 'insert'];
const ALL = ['select', 'insert', 'update', 'delete'];
const set = (...columns: string[]) => columns.map((column) => `update(${column})`);

const VIEWS = [
  ...[
    'certificates',
    'comparisons',
    'documents_waiting',
    'failed_by_cause',
    'pending_per_chain',
    'queue_health',
  ],
  ...['records_failed', 'records_parked', 'sending_incident', 'verification'],
];

/** The queue's own tables, all of whose rows its runner and its functions write. */
const QUEUE = ['_private_job_queues', '_private_jobs', '_private_known_crontabs', '_private_tasks'];

const tables = (schema: string, names: readonly string[], grants: readonly string[]): Grants =>
  Object.fromEntries(names.map((name) => [`${schema}.${name}`, grants]));

/**
 * The rights of the role that the service runs as, by table: what its statements need and nothing else. It cannot even read
 * a table that is not listed, so each new table must be added here. Locking a row needs the right to update a column.
 */
export const RUNTIME_GRANTS: Grants = {
  ...tables('public', SEALED, ADD),
  ...tables('ops', VIEWS, READ),
  ...tables('graphile_worker', QUEUE, ALL),
  'graphile_worker.jobs': READ,
  'graphile_worker.migrations': READ,
  'public.schema_migration': READ,
  'public.account': [...ADD, ...set('subscription_active')],
  'public.api_key': [...ADD, ...set('revoked_at')],
  'public.chain': [
    ...ADD,
    ...set('last_position', 'last_record_id', 'last_fingerprint', 'last_generated_at', 'last_invoice_number'),
    ...set('last_invoice_issued_on', 'closed_at', 'hold', 'held_at', 'issuing_ended_at'),
  ],
  'public.chain_dispatch': [
    ...ADD,
    ...set(
      'next_send_at',
      'wait_seconds',
      'consecutive_failures',
      'incident_since',
      'lease_token',
      'lease_until',
    ),
    ...set('paused_at', 'paused_reason', 'stopped_at', 'stopped_reason'),
  ],
  'public.access_suspension': [...ADD, 'delete'],
  // What was asked for is never changed, and no request is deleted.
  'public.approval': [...ADD, ...set('expires_at', 'decision', 'decided_by', 'decided_at', 'used_at')],
  'public.audit_webhook': [
    ...ADD,
    ...set('position', 'attempts', 'next_at', 'failing_since', 'last_error', 'lease', 'lease_until'),
  ],
  'public.chain_comparison': [
    ...ADD,
    ...set('after', 'compared', 'held_at', 'highest', 'missing', 'month', 'page_at', 'pages', 'records'),
    ...set('trouble', 'until_day'),
    'delete',
  ],
  'public.chain_fork': [...ADD, ...set('found_at', 'highest', 'record_count', 'records')],
  'public.chain_verification': [
    ...ADD,
    ...set('started_at', 'finished_at', 'records', 'findings', 'finding_count', 'last_sound_at'),
  ],
  'public.client_certificate': [...ADD, ...set('active', 'key_name', 'sealed'), 'delete'],
  'public.company': [
    ...ADD,
    ...set('mandate_approved_at', 'onboarding_finished_at', 'catalog_version'),
    ...set('verifactu_ends_on', 'verifactu_end_told_at', 'left_at'),
    ...set(
      'legal_name',
      'given_name',
      'surnames',
      'address_line1',
      'address_line2',
      'address_postal_code',
      'address_city',
      'address_country',
    ),
  ],
  'public.console_session': [...ADD, ...set('sealed_token', 'checked_at', 'check_begun_at'), 'delete'],
  'public.customer': [
    ...ADD,
    ...set('name', 'company_name', 'tax_id', 'tax_id_type', 'tax_id_country', 'email'),
    ...set('line1', 'line2', 'postal_code', 'city', 'country'),
    'delete',
  ],
  'public.database_lineage': [
    ...ADD,
    ...set('identity', 'beat', 'beat_at', 'awaited', 'doubt', 'examining', 'examined_since', 'synchronous'),
  ],
  // The series of one environment are ordered by the lock on its row.
  'public.environment': [
    ...ADD,
    ...set('allowed_origins', 'trusted_documents_only'),
    ...set('clock_ahead_ms', 'clock_target_ms', 'time_zone'),
  ],
  'public.email_settings': [
    ...ADD,
    ...set('sender_name', 'reply_to', 'reminder_days', 'reminder_language', 'reminder_message'),
    ...set('reminders_since', 'copy_to'),
  ],
  'public.idempotency_key': [
    ...ADD,
    ...set('operation', 'request_hash', 'state', 'answer', 'token', 'holder', 'created_at', 'expires_at'),
    'delete',
  ],
  'public.import_run': [...ADD, ...set('last_line', 'accepted', 'refused', 'finished_at')],
  'public.integration': ADD,
  'public.invoice_batch': [...ADD, ...set('issued', 'failed', 'stalled_since', 'completed_at'), 'delete'],
  'public.invoice_batch_item': [...ADD, ...set('state', 'invoice_id', 'refusal')],
  'public.invoice_draft': [
    ...ADD,
    ...set(
      'content',
      'amounts',
      'due_in_days',
      'errors',
      'failure',
      'status',
      'updated_at',
      'version',
      'waits',
    ),
    'delete',
  ],
  'public.invoice_document': [
    ...ADD,
    ...set('edition', 'state', 'look_id', 'sha256', 'bytes', 'object_key', 'rendered_at', 'renderings'),
    ...set('lease_token', 'lease_until'),
  ],
  'public.invoice_email_state': [
    ...ADD,
    ...set('status', 'deliveries', 'attempts', 'attempt_began_at', 'next_at', 'last_error', 'reason'),
    ...set('settled_at'),
  ],
  'public.invoice_metadata': [...ADD, ...set('metadata')],
  'public.invoice_schedule': [
    ...ADD,
    ...set(
      'content',
      'count',
      'due_in_days',
      'ends_on',
      'made',
      'next_on',
      'next_period',
      'status',
      'updated_at',
    ),
  ],
  'public.journal_checkpoint': ADD,
  'public.journal_head': [...ADD, ...set('position', 'hash', 'last_at')],
  'public.journal_subtree': ADD,
  'public.corrected_invoice': READ,
  'public.day_to_add': [...ADD, 'delete'],
  'public.day_total': [...ADD, 'delete'],
  'public.number_series': [...ADD, 'delete'],
  'public.operations_sample': [...ADD, 'delete'],
  'public.operator_identity': [...ADD, ...set('name', 'role', 'last_seen_at')],
  'public.operator_key': [...ADD, ...set('revoked_at')],
  'public.payment_account': [
    ...ADD,
    ...set('holder_id', 'payable', 'paid', 'due_on', 'overdue_told_at', 'listed_at', 'owed'),
  ],
  'public.portal_session': [...ADD, 'delete'],
  'public.portal_visit': [...ADD, 'delete'],
  'public.rate_limit': [...ADD, ...set('points', 'expire'), 'delete'],
  'public.read_position': [...ADD, ...set('wal_position')],
  'public.invoice_text': READ,
  'public.recipient_name': READ,
  'public.record_state': [
    ...ADD,
    ...set('status', 'error_code', 'error_message', 'receipt', 'attempts', 'late', 'parked_reason'),
    ...set('submission_id', 'settled_at', 'listed_at'),
  ],
  // Without a right to delete: an environment that has a default keeps one.
  'public.series_default': [...ADD, ...set('series_id')],
  'public.series_counter': [...ADD, ...set('last_number')],
  'public.service_process': [...ADD, ...set('beat_at', 'worker_pools', 'known_secrets'), 'delete'],
  'public.submission': [
    ...ADD,
    ...set('finished_at', 'outcome', 'fault_code', 'message', 'receipt', 'wait_seconds', 'answer'),
  ],
  'public.taken_prefix': [...ADD, 'delete'],
  'public.tax_catalog_entry': [
    ...ADD,
    ...set('tax_type', 'agency_tax', 'regime_key', 'operation_class', 'exemption', 'label', 'legal_mention'),
    ...set('updated_at'),
    'delete',
  ],
  ...tables(
    'public',
    ['chain_id_seq', 'branding_id_seq', 'environment_id_seq', 'webhook_secret_id_seq'],
    ['usage'],
  ),
  'public.trusted_document': [...ADD, ...set('published_at'), 'delete'],
  'public.webhook_delivery': [...ADD, ...set('status', 'attempts', 'attempt_log', 'next_at'), 'delete'],
  'public.webhook_endpoint': [
    ...ADD,
    ...set('url', 'description', 'event_types', 'status', 'disabled_reason', 'failing_since', 'held_until'),
    ...set('quick', 'reached_sequence'),
    'delete',
  ],
  'public.webhook_lane': [...ADD, ...set('taken_until')],
  'public.webhook_secret': [...ADD, ...set('expires_at', 'key_name', 'sealed'), 'delete'],
};

/** The views for operators who query with SQL. They run with the rights of their owner. */
export const READER_GRANTS: Grants = tables('ops', VIEWS, READ);

/** The schemas of the service. */
export const SCHEMAS = ['graphile_worker', 'ops', 'public'];
export const READER_SCHEMAS = ['ops'];
