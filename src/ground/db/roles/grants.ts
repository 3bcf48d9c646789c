/** Of tables and views: what may be done, `update(column)` where not all columns may be updated. */
type Grants = Readonly<Record<string, readonly string[]>>;

/** Nothing may be done to their rows but adding some: triggers refuse the rest, and so do the grants. */
export const SEALED = [
  ...['audit_entry', 'company_look', 'counter_jump', 'invoice', 'invoice_amendment', 'invoice_exchange'],
  ...[
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
 * What the role that the service runs as may do, by table: what its statements need and nothing else. A table that is not
 * named it cannot even read, so whoever adds one decides here. Locking a row needs the right to update a column.
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
    ...set('last_invoice_issued_on', 'closed_at', 'hold', 'held_at'),
  ],
  'public.chain_dispatch': [...ADD, 'update'],
  'public.chain_comparison': ALL,
  'public.chain_fork': [...ADD, 'update'],
  'public.chain_verification': [...ADD, 'update'],
  'public.client_certificate': [...ADD, ...set('active', 'key_name', 'sealed'), 'delete'],
  'public.company': [...ADD, ...set('mandate_approved_at', 'onboarding_finished_at', 'catalog_version')],
  'public.console_session': [...ADD, 'delete'],
  'public.customer': [...ADD, ...set('name', 'email')],
  'public.database_lineage': [...ADD, 'update'],
  // Series of one environment follow one another on its row's lock.
  'public.environment': [
    ...ADD,
    ...set('allowed_origins', 'trusted_documents_only'),
    ...set('clock_ahead_ms', 'clock_target_ms'),
  ],
  'public.email_settings': [...ADD, 'update'],
  'public.idempotency_key': ALL,
  'public.import_run': [...ADD, 'update'],
  'public.integration': ADD,
  'public.invoice_batch': [...ADD, ...set('issued', 'failed', 'stalled_since', 'completed_at'), 'delete'],
  'public.invoice_batch_item': [...ADD, ...set('state', 'invoice_id', 'refusal'), 'delete'],
  'public.invoice_draft': ALL,
  'public.invoice_document': [...ADD, 'update'],
  'public.invoice_email_state': [
    ...ADD,
    ...set('status', 'deliveries', 'attempts', 'attempt_began_at', 'next_at', 'last_error', 'reason'),
    ...set('settled_at'),
  ],
  'public.invoice_metadata': [...ADD, ...set('metadata')],
  'public.invoice_schedule': ALL,
  'public.journal_checkpoint': ADD,
  'public.journal_head': [...ADD, ...set('position', 'hash', 'last_at', 'adopted_at')],
  'public.journal_subtree': ADD,
  'public.number_series': [...ADD, ...set('is_default'), 'delete'],
  'public.operations_sample': [...ADD, 'delete'],
  'public.operator_key': [...ADD, ...set('revoked_at')],
  'public.payment_account': [...ADD, ...set('holder_id', 'payable', 'paid', 'due_on', 'overdue_told_at')],
  'public.portal_session': [...ADD, ...set('used_at', 'cookie_hash'), 'delete'],
  'public.portal_visit': [...ADD, 'delete'],
  'public.rate_limit': ALL,
  'public.read_position': [...ADD, ...set('wal_position')],
  'public.record_state': [
    ...ADD,
    ...set('status', 'error_code', 'error_message', 'receipt', 'attempts', 'late', 'parked_reason'),
    ...set('submission_id', 'settled_at'),
  ],
  'public.series_counter': [...ADD, ...set('last_number')],
  'public.service_process': ALL,
  'public.submission': [
    ...ADD,
    ...set('finished_at', 'outcome', 'fault_code', 'message', 'receipt', 'wait_seconds', 'answer'),
  ],
  'public.tax_catalog_entry': ALL,
  ...tables(
    'public',
    ['chain_id_seq', 'company_look_id_seq', 'environment_id_seq', 'webhook_secret_id_seq'],
    ['usage'],
  ),
  'public.trusted_document': ALL,
  'public.webhook_delivery': ALL,
  'public.webhook_endpoint': ALL,
  'public.webhook_lane': ALL,
  'public.webhook_secret': ALL,
};

/** What operators see who ask by SQL: the views that are made for it. They look with their owner's eyes. */
export const READER_GRANTS: Grants = tables('ops', VIEWS, READ);

/** The service's schemas, all of which it works in. */
export const SCHEMAS = ['graphile_worker', 'ops', 'public'];
export const READER_SCHEMAS = ['ops'];
