-- A process rehearses its work before it accepts requests, in transactions that are rolled back. Each inserts here first, so that
-- Postgres itself refuses to commit it, whatever the process sends. The table is therefore always empty. One row for each
-- invoice, because the server counts inserted rows whether or not they were committed: what was rehearsed is subtracted.
CREATE TABLE "rehearsal" (
    "id" UUID NOT NULL,

    CONSTRAINT "rehearsal_pkey" PRIMARY KEY ("id")
);

CREATE FUNCTION refuse_commit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a rehearsal is never committed' USING ERRCODE = 'restrict_violation';
END $$;
CREATE CONSTRAINT TRIGGER never_committed AFTER INSERT ON rehearsal
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_commit();
