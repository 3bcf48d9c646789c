-- The branding of documents belongs to an environment: what a test key sets changes no live document. Every version that a
-- company had becomes one of both of its environments, under its number, which documents have. `company_look` remains as what
-- the installation's journal covers.
CREATE TABLE "branding" (
    "environment_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "language" "document_language" NOT NULL,
    "accent_colour" CHAR(7),
    "logo_type" "logo_type",
    "logo" BYTEA,
    "logo_width" DOUBLE PRECISION,
    "logo_height" DOUBLE PRECISION,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "branding_pkey" PRIMARY KEY ("environment_id","id")
);
ALTER TABLE "branding" ADD CONSTRAINT "branding_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE branding ADD CONSTRAINT branding_has_whole_logo CHECK (
  num_nulls(logo_type, logo, logo_width, logo_height) IN (0, 4));
ALTER TABLE branding ADD CONSTRAINT branding_has_colour CHECK (accent_colour ~ '^#[0-9A-F]{6}$');

INSERT INTO branding (environment_id, id, language, accent_colour, logo_type, logo, logo_width, logo_height, created_at)
SELECT e.id, l.id, l.language, l.accent_colour, l.logo_type, l.logo, l.logo_width, l.logo_height, l.created_at
  FROM company_look l JOIN environment e ON e.company_id = l.company_id;
SELECT setval(pg_get_serial_sequence('branding', 'id'), coalesce(max(id), 0) + 1, false) FROM company_look;

CREATE TRIGGER sealed_row BEFORE UPDATE OR DELETE ON branding FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sealed_table BEFORE TRUNCATE ON branding FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE "invoice_document" DROP CONSTRAINT "invoice_document_look_id_fkey";
ALTER TABLE "invoice_document" ADD CONSTRAINT "invoice_document_environment_id_look_id_fkey" FOREIGN KEY ("environment_id", "look_id") REFERENCES "branding"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Beside its journal, whose entries are its events, an environment has one of what is done with its keys, its audit log. It has the environment's number
-- with a minus sign. What is copied above is written into it by the service, like all data older than a journal.
INSERT INTO journal_head (environment_id, origin, adopted_at)
SELECT -e.id, e.company_id || '/' || e.kind || '/audit',
       CASE WHEN EXISTS (SELECT FROM branding b WHERE b.environment_id = e.id) THEN NULL ELSE now() END
  FROM environment e;
CREATE OR REPLACE FUNCTION open_journal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO journal_head (environment_id, origin, adopted_at)
  VALUES (NEW.id, NEW.company_id || '/' || NEW.kind, now()), (-NEW.id, NEW.company_id || '/' || NEW.kind || '/audit', now());
  RETURN NULL;
END $$;
