-- A link opens as often as its customer likes until it expires: each opening is a visit of its own.

-- CreateTable
CREATE TABLE "portal_visit" (
    "cookie_hash" BYTEA NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "session_id" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "portal_visit_pkey" PRIMARY KEY ("cookie_hash")
);

-- CreateIndex
CREATE INDEX "portal_visit_environment_id_session_id_opened_at_idx" ON "portal_visit"("environment_id", "session_id", "opened_at" DESC);

-- AddForeignKey
ALTER TABLE "portal_visit" ADD CONSTRAINT "portal_visit_environment_id_session_id_fkey" FOREIGN KEY ("environment_id", "session_id") REFERENCES "portal_session"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Visits that are open stay so. The version before goes on with its own columns, which nobody else reads.
INSERT INTO portal_visit (cookie_hash, environment_id, session_id, opened_at)
SELECT cookie_hash, environment_id, id, used_at FROM portal_session WHERE cookie_hash IS NOT NULL;
