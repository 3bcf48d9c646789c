import type pg from 'pg';

/**
 * One row or two in every table of an environment, written with plain SQL: an invoice and its rectificativa, an
 * exchange and its ticket, records in a chain, all that hangs on them. For tests of what the database itself refuses.
 */
export async function fillEveryTable(
  client: pg.ClientBase,
  environment: { environmentId: number; chainId: number; standardSeriesId: string },
): Promise<void> {
  const { environmentId: env, chainId: chain, standardSeriesId: series } = environment;
  await client.query(`
    insert into series_counter (environment_id, series_id, year, last_number) values (${env}, '${series}', 2026, 2);
    insert into integration (id, environment_id, name, standard_series_id, rectifying_series_id)
      values ('int_1', ${env}, 'shop', '${series}', '${series}');
    insert into trusted_document (environment_id, hash, text, published_at)
      values (${env}, encode(sha256('{ __typename }'), 'hex'), '{ __typename }', now());
    insert into customer (id, environment_id, integration_id, external_customer_id)
      values ('cus_1', ${env}, 'int_1', 'c-1');
    insert into webhook_endpoint (id, environment_id, url, event_types, status, reached_sequence, created_at)
      values ('whe_1', ${env}, 'https://example.com/', '{*}', 'active', 0, now());
    insert into webhook_secret (environment_id, endpoint_id, key_name, sealed, created_at)
      values (${env}, 'whe_1', 'k', '\\x01', now());
    insert into webhook_delivery (id, environment_id, endpoint_id, sequence, event_id, event_type, status, attempts,
        attempt_log, created_at)
      values ('whd_1', ${env}, 'whe_1', 1, 'evt_1', 'ping', 'delivered', 1, '[]', now());
    insert into webhook_lane (environment_id, quick) values (${env}, true);
    insert into portal_session (id, environment_id, integration_id, external_customer_id, token_hash, created_at, expires_at)
      values ('cps_1', ${env}, 'int_1', 'c-1', '\\x01', now(), now());
    insert into invoice_schedule (environment_id, id, content, frequency, starts_on, status, next_on, created_at, updated_at)
      values (${env}, 'sch_1', '{}', 'monthly', now(), 'active', now(), now(), now());
    insert into invoice_draft (environment_id, id, content, errors, schedule_id, period_on, created_at, updated_at)
      values (${env}, 'dft_1', '{}', '[]', 'sch_1', now(), now(), now());
    insert into portal_visit (cookie_hash, environment_id, session_id, opened_at) values ('\\x01', ${env}, 'cps_1', now());
    insert into invoice (id, environment_id, series_id, series_year, series_number, number, type, kind, currency,
        subtotal, tax, total, issued_at, issued_on, integration_id, rectifies_id, issued_with, reverses_id, issuer, breakdown, imported,
        draft_id, recipient_name)
      select v.id, ${env}, '${series}', 2026, v.n, 'F-2026-' || v.n, 'complete', 'original', 'eur', 100, 21, 121,
        now(), now(), v.integration, v.rectifies, v.rectifies, v.rectifies, '{}', '[]', false, v.draft, 'Ana'
      from (values ('inv_1', 1, 'int_1', null, 'dft_1'), ('inv_2', 2, null, 'inv_1', null))
        v (id, n, integration, rectifies, draft);
    insert into invoice_line (environment_id, invoice_id, position, id, description, quantity, unit_amount, subtotal,
        tax, total, rectifies_invoice_id)
      values (${env}, 'inv_1', 1, 'ili_1', 'work', 1, 100, 100, 21, 121, 'inv_2');
    insert into tax_item (environment_id, invoice_id, line_position, position, type, name, rate_basis_points, amount)
      values (${env}, 'inv_1', 1, 1, 'vat', 'IVA 21%', 2100, 21);
    insert into registration_record (id, environment_id, chain_id, position, kind, invoice_id, previous_record_id,
        previous_fingerprint, fingerprint, generated_at, xml)
      select v.id, ${env}, ${chain}, v.position, 'registration', v.invoice, v.previous, v.link, repeat('B', 64),
        now(), '<a/>'
      from (values ('rec_1', 1, 'inv_1', null, null), ('rec_2', 2, 'inv_2', 'rec_1', repeat('B', 64)))
        v (id, position, invoice, previous, link);
    insert into submission (id, environment_id, chain_id, first_position, last_position, record_count, incident,
        started_at)
      values ('sub_1', ${env}, ${chain}, 1, 1, 1, false, now());
    insert into record_state (record_id, environment_id, chain_id, position, status, submission_id)
      values ('rec_1', ${env}, ${chain}, 1, 'pending', 'sub_1');
    insert into invoice_document (invoice_id, environment_id, state) values ('inv_1', ${env}, 'waiting');
    insert into invoice_batch (environment_id, id, size, issued, failed, created_at) values (${env}, 'bat_1', 2, 1, 0, now());
    insert into invoice_batch_item (environment_id, batch_id, position, external_id, reserved_id, request, state, invoice_id)
      values (${env}, 'bat_1', 1, 'x', 'inv_1', '{}', 'issued', 'inv_1');
    insert into invoice_metadata (environment_id, invoice_id, metadata) values (${env}, 'inv_1', '{"a": "b"}');
    insert into email_settings (environment_id, sender_name) values (${env}, 'Taller');
    insert into invoice_email (environment_id, id, invoice_id, kind, recipients, language, formats, message_id,
        requested_by, requested_at)
      values (${env}, 'eml_1', 'inv_1', 'invoice', '{a@example.com}', 'es', '{}', '<eml_1@example.com>', 'key_1', now());
    insert into invoice_email_state (environment_id, email_id, status, deliveries) values (${env}, 'eml_1', 'queued', '[]');
    insert into invoice_payment (environment_id, id, invoice_id, amount, paid_on, recorded_by, recorded_at,
        account_payable, account_paid)
      values (${env}, 'pay_1', 'inv_1', 100, current_date, 'key_1', now(), 121, 100);
    insert into invoice_payment_removal (environment_id, payment_id, invoice_id, removed_by, removed_at, account_payable,
        account_paid)
      values (${env}, 'pay_1', 'inv_1', 'key_1', now(), 121, 0);
    insert into payment_account (environment_id, root_id, holder_id, payable, paid, listed_at) values (${env}, 'inv_1', 'inv_1', 121, 0, now());
    insert into invoice_void (invoice_id, environment_id, record_id, reason, voided_by, voided_at)
      values ('inv_2', ${env}, 'rec_2', 'duplicate', 'opk_1', now());
    insert into invoice_amendment (environment_id, record_id, invoice_id, reason, amended_by, amended_at)
      values (${env}, 'rec_1', 'inv_1', 'name', 'opk_1', now());
    insert into invoice_exchange (exchange_id, ticket_id, environment_id) values ('inv_2', 'inv_1', ${env});
    insert into chain_fork (environment_id, chain_id, found_at, record_count, records, highest)
      values (${env}, ${chain}, now(), 1, '[]', '[]');
    insert into chain_comparison (environment_id, chain_id, held_at, until_day, month)
      values (${env}, ${chain}, now(), current_date, '2026-11');
    insert into counter_jump (environment_id, series_id, year, from_number, to_number, chain_id, jumped_at)
      values (${env}, '${series}', 2026, 3, 4, ${chain}, now());
    insert into chain_verification (environment_id, started_at, finished_at, records, finding_count, findings)
      values (${env}, now(), now(), 2, 0, '[]');
    insert into software_declaration (version, sha256, text, first_run_at)
      values ('1.0.0', repeat('a', 64), 'text', now());
    insert into branding (environment_id, language) values (${env}, 'ca');
    update invoice_document set look_id = (select max(id) from branding where environment_id = ${env}) where environment_id = ${env};
    insert into journal_entry (environment_id, position, type, subject_id, created_at, format, content_hash, hash)
      values (${env}, 1000, 'ping', 'x', now(), 1, '\\x00', '\\x00');
    insert into journal_checkpoint (environment_id, size, root, note, taken_at)
      values (${env}, 1000, '\\x00', 'note', now());
    insert into read_position (environment_id, wal_position) values (${env}, 1000);
    insert into day_total (environment_id, of_recipient, day, series_id, kind, type, recipient_tax_id, count, subtotal, tax, total, paid,
        due, lines, rates)
      values (${env}, true, '2026-01-01', 'ns_1', 'original', 'complete', 'B12345674', 1, 100, 21, 121, 100, 21, '[]', '[]');
    insert into day_to_add (environment_id, day) values (${env}, '2026-01-01');
    insert into journal_subtree (environment_id, place, hash) values (${env}, 1000, '\\x00');
    insert into audit_entry (id, environment_id, actor, action, subject)
      values ('aud_1', ${env}, 'opk_1', 'void', 'inv_2');
    insert into audit_webhook (id, position) values (1, 1);
    insert into approval (id, action, subject, environment_id, arguments, digest, asked_by, asked_at, expires_at)
      values ('apr_1', 'void_invoice', 'inv_1', ${env}, '{}', 'x', 'opk_1', now(), now());
    insert into environment_audit_entry (id, environment_id, actor, action, subject)
      values ('aud_2', ${env}, 'key_1', 'void', 'inv_2');
  `);
}
