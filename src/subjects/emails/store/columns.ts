/** An e-mail as `shapes.ts` has it, of `invoice_email e` and its state `s`. */
export const COLUMNS = `e.id, e.invoice_id as "invoiceId", e.kind::text, e.reminder, e.recipients, e.message, e.language::text, e.formats,
  e.message_id as "messageId", e.requested_by as "requestedBy", e.requested_at as "requestedAt", s.status::text, s.deliveries,
  s.attempts, s.attempt_began_at as "attemptBeganAt", s.next_at as "nextAt", s.last_error as "lastError", s.reason,
  s.settled_at as "settledAt"`;

export const TABLES = `invoice_email e
  join invoice_email_state s on s.environment_id = e.environment_id and s.email_id = e.id`;
