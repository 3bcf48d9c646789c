-- Invoices that are sent by e-mail: what was asked for is sealed, how far it has come moves.

-- CreateEnum
CREATE TYPE "email_kind" AS ENUM ('invoice', 'reminder');

-- CreateEnum
CREATE TYPE "email_status" AS ENUM ('queued', 'sent', 'failed');

-- CreateTable
CREATE TABLE "invoice_email" (
    "environment_id" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "kind" "email_kind" NOT NULL,
    "reminder" INTEGER,
    "recipients" TEXT[],
    "message" TEXT,
    "language" "document_language" NOT NULL,
    "formats" TEXT[],
    "message_id" TEXT NOT NULL,
    "requested_by" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invoice_email_pkey" PRIMARY KEY ("environment_id","id")
);

-- CreateTable
CREATE TABLE "invoice_email_state" (
    "environment_id" INTEGER NOT NULL,
    "email_id" TEXT NOT NULL,
    "status" "email_status" NOT NULL,
    "deliveries" JSONB NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "attempt_began_at" TIMESTAMPTZ(3),
    "next_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "reason" TEXT,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "invoice_email_state_pkey" PRIMARY KEY ("environment_id","email_id")
);

-- CreateTable
CREATE TABLE "email_settings" (
    "environment_id" INTEGER NOT NULL,
    "sender_name" TEXT,
    "reply_to" TEXT,

    CONSTRAINT "email_settings_pkey" PRIMARY KEY ("environment_id")
);

-- CreateIndex
CREATE INDEX "invoice_email_environment_id_invoice_id_requested_at_id_idx" ON "invoice_email"("environment_id", "invoice_id", "requested_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "invoice_email_environment_id_invoice_id_reminder_key" ON "invoice_email"("environment_id", "invoice_id", "reminder");

-- AddForeignKey
ALTER TABLE "invoice_email" ADD CONSTRAINT "invoice_email_environment_id_invoice_id_fkey" FOREIGN KEY ("environment_id", "invoice_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_email_state" ADD CONSTRAINT "invoice_email_state_environment_id_email_id_fkey" FOREIGN KEY ("environment_id", "email_id") REFERENCES "invoice_email"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "email_settings" ADD CONSTRAINT "email_settings_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Reminders are numbered, so that none is made twice; what a person sends is not.
ALTER TABLE invoice_email ADD CONSTRAINT email_reminder_numbered CHECK ((kind = 'reminder') = (reminder IS NOT NULL));
ALTER TABLE invoice_email_state ADD CONSTRAINT email_settled CHECK ((status = 'queued') = (settled_at IS NULL));

-- What waits, for whoever looks how long it does.
CREATE INDEX invoice_email_queued ON invoice_email_state (next_at) WHERE status = 'queued';

CREATE TRIGGER sealed_row BEFORE UPDATE OR DELETE ON invoice_email FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sealed_table BEFORE TRUNCATE ON invoice_email FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
