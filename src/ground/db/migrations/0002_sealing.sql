-- What the database itself guards: issued things never change, tails and defaults are single, enumerations are closed.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % refused: its rows are sealed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

DO $$
DECLARE sealed text;
BEGIN
  -- RD 1007/2023 art. 8.2.a: what was issued can only be followed by something further, never altered.
  FOREACH sealed IN ARRAY ARRAY[
    'invoice', 'invoice_line', 'tax_item', 'registration_record', 'invoice_amendment', 'invoice_void', 'invoice_exchange',
    'audit_entry'
  ] LOOP
    EXECUTE format('CREATE TRIGGER sealed_row BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()', sealed);
    EXECUTE format('CREATE TRIGGER sealed_table BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', sealed);
  END LOOP;
END $$;

-- A series is immutable; it may only be deleted, and the foreign keys refuse that once it is in use.
CREATE TRIGGER immutable_row BEFORE UPDATE ON number_series FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A counter only moves forward: a number once taken is never given again.
CREATE FUNCTION refuse_counter_going_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.last_number < OLD.last_number OR NEW.series_id <> OLD.series_id OR NEW.year <> OLD.year THEN
    RAISE EXCEPTION 'series_counter of % cannot go back', OLD.series_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER forward_only BEFORE UPDATE ON series_counter FOR EACH ROW EXECUTE FUNCTION refuse_counter_going_back();

-- Readers keep a company's tax catalog in memory for as long as its version stands.
CREATE FUNCTION renew_catalog_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE company SET catalog_version = catalog_version + 1 WHERE id IN (OLD.company_id, NEW.company_id);
  RETURN NULL;
END $$;
CREATE TRIGGER renew_version AFTER INSERT OR UPDATE OR DELETE ON tax_catalog_entry
  FOR EACH ROW EXECUTE FUNCTION renew_catalog_version();

CREATE UNIQUE INDEX number_series_one_default ON number_series (environment_id, type) WHERE is_default;
CREATE UNIQUE INDEX chain_one_open ON chain (environment_id) WHERE closed_at IS NULL;

-- What is waiting for the agency, in the order in which it must be sent.
CREATE INDEX record_state_waiting ON record_state (chain_id, position) WHERE status = 'pending';

-- The list's exact, case-insensitive filters.
CREATE INDEX invoice_number_ci ON invoice (environment_id, upper(number));
CREATE INDEX invoice_email_ci ON invoice (environment_id, lower(recipient_email), issued_at DESC, id DESC)
  WHERE recipient_email IS NOT NULL;

ALTER TABLE chain ADD CONSTRAINT chain_tail_whole CHECK (
  (last_position = 0 AND last_record_id IS NULL AND last_fingerprint IS NULL)
  OR (last_position > 0 AND last_record_id IS NOT NULL AND last_fingerprint IS NOT NULL
      AND last_generated_at IS NOT NULL AND last_invoice_number IS NOT NULL AND last_invoice_issued_on IS NOT NULL));
ALTER TABLE registration_record ADD CONSTRAINT record_linked CHECK (
  position > 0 AND (position = 1) = (previous_record_id IS NULL) AND (position = 1) = (previous_fingerprint IS NULL));
ALTER TABLE invoice ADD CONSTRAINT invoice_adds_up CHECK (total = subtotal + tax);
ALTER TABLE invoice ADD CONSTRAINT invoice_numbered CHECK (
  imported = (series_number IS NULL) AND (series_number IS NULL) = (series_id IS NULL));
ALTER TABLE invoice_line ADD CONSTRAINT line_adds_up CHECK (
  total = subtotal + tax AND (subtotal = quantity * unit_amount));
ALTER TABLE series_counter ADD CONSTRAINT counter_positive CHECK (last_number > 0);
ALTER TABLE idempotency_key ADD CONSTRAINT stored_has_answer CHECK ((state = 'stored') = (answer IS NOT NULL));
ALTER TABLE invoice_document ADD CONSTRAINT stored_has_checksum CHECK (state = 'waiting' OR sha256 IS NOT NULL);
