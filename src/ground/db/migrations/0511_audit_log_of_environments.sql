-- What a merchant's keys and the customers in its portal do is recorded in its environment, in whose audit journal each row has
-- an entry; operators' acts stay in `audit_entry`, which the installation's journal covers.
CREATE TABLE "environment_audit_entry" (
    "environment_id" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "reason" TEXT,
    "details" JSONB,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "environment_audit_entry_pkey" PRIMARY KEY ("environment_id","id")
);
ALTER TABLE "environment_audit_entry" ADD CONSTRAINT "environment_audit_entry_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- The log of an environment, newest first; and that of all of them, which operators read.
CREATE INDEX "environment_audit_entry_environment_id_at_id_idx" ON "environment_audit_entry"("environment_id", "at" DESC, "id" DESC);
CREATE INDEX "environment_audit_entry_at_id_idx" ON "environment_audit_entry"("at" DESC, "id" DESC);

CREATE TRIGGER sealed_row BEFORE UPDATE OR DELETE ON environment_audit_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sealed_table BEFORE TRUNCATE ON environment_audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
