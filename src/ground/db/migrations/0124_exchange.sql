-- What test environments exchange with a simulator of the public solution of electronic invoices: how far each has come, and
-- the messages that wait, were taken or were refused. A message has the id under which it is sent again and again.
CREATE TABLE "exchange_position" (
    "environment_id" INTEGER NOT NULL,
    "told" INTEGER NOT NULL DEFAULT 0,
    "received" BIGINT NOT NULL DEFAULT 0,
    "looked_at" TIMESTAMPTZ(3),

    CONSTRAINT "exchange_position_pkey" PRIMARY KEY ("environment_id")
);

CREATE TABLE "exchange_message" (
    "environment_id" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "on_day" DATE,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "next_at" TIMESTAMPTZ(3),
    "why" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "exchange_message_pkey" PRIMARY KEY ("environment_id","id")
);

CREATE UNIQUE INDEX "exchange_message_environment_id_invoice_id_ordinal_key" ON "exchange_message"("environment_id", "invoice_id", "ordinal");
CREATE INDEX "exchange_message_waiting" ON "exchange_message"("environment_id", "next_at") WHERE status = 'waiting';

ALTER TABLE "exchange_position" ADD CONSTRAINT "exchange_position_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "exchange_message" ADD CONSTRAINT "exchange_message_environment_id_invoice_id_fkey" FOREIGN KEY ("environment_id", "invoice_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE exchange_message ADD CONSTRAINT exchange_message_waits CHECK ((status = 'waiting') = (next_at IS NOT NULL));
ALTER TABLE exchange_message ADD CONSTRAINT exchange_message_status CHECK (status IN ('waiting', 'taken', 'refused'));
