-- RD 1007/2023 art. 8.2.a: what was issued can only be followed by something further, never altered.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % refused: its rows are sealed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

DO $$
DECLARE sealed text;
BEGIN
  FOREACH sealed IN ARRAY ARRAY[
    'invoice', 'invoice_line', 'tax_item', 'invoice_exchange',
    'registration_record', 'invoice_amendment', 'invoice_void',
    -- Why numbers are missing, and what the producer once declared.
    'counter_jump', 'software_declaration',
    'invoice_payment', 'invoice_payment_removal', 'invoice_email',
    'branding', 'journal_entry', 'audit_entry', 'environment_audit_entry'
  ] LOOP
    EXECUTE format('CREATE TRIGGER sealed_row BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()', sealed);
    EXECUTE format('CREATE TRIGGER sealed_table BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', sealed);
  END LOOP;
END $$;

-- A series is immutable; it may only be deleted, and the foreign keys refuse that once it is in use.
CREATE TRIGGER immutable_row BEFORE UPDATE ON number_series FOR EACH ROW EXECUTE FUNCTION refuse_change();
