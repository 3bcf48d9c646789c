-- Invoices that repeat: what each is to say, and which days they are of. Periods are counted from the first day, so that the
-- end of a month stays the end of a month.
CREATE TABLE "invoice_schedule" (
    "environment_id" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "frequency" TEXT NOT NULL CHECK ("frequency" IN ('monthly', 'quarterly', 'yearly')),
    "starts_on" DATE NOT NULL,
    "ends_on" DATE,
    "count" INTEGER CHECK ("count" > 0),
    "due_in_days" INTEGER CHECK ("due_in_days" >= 0),
    "status" TEXT NOT NULL CHECK ("status" IN ('active', 'paused', 'ended')),
    "made" INTEGER NOT NULL DEFAULT 0,
    "next_period" INTEGER NOT NULL DEFAULT 0,
    "next_on" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invoice_schedule_pkey" PRIMARY KEY ("id","environment_id"),
    CONSTRAINT "invoice_schedule_next" CHECK (("status" = 'ended') = ("next_on" IS NULL))
);

CREATE INDEX "invoice_schedule_due" ON "invoice_schedule" ("next_on", "environment_id") WHERE "status" = 'active';

ALTER TABLE "invoice_schedule" ADD CONSTRAINT "invoice_schedule_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Invoices that are not issued yet. One of a schedule is made for its day, once, and issued by itself (`waits`) until that is
-- refused.
CREATE TABLE "invoice_draft" (
    "environment_id" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "due_in_days" INTEGER CHECK ("due_in_days" >= 0),
    "status" TEXT NOT NULL DEFAULT 'open' CHECK ("status" IN ('open', 'issued')),
    "version" INTEGER NOT NULL DEFAULT 1,
    "errors" JSONB NOT NULL,
    "amounts" JSONB,
    "schedule_id" TEXT,
    "period_on" DATE,
    "waits" BOOLEAN NOT NULL DEFAULT false,
    "failure" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invoice_draft_pkey" PRIMARY KEY ("id","environment_id"),
    CONSTRAINT "invoice_draft_period" CHECK (("schedule_id" IS NULL) = ("period_on" IS NULL) AND ("schedule_id" IS NOT NULL OR NOT "waits")),
    CONSTRAINT "invoice_draft_issued" CHECK ("status" = 'open' OR NOT "waits")
);

CREATE UNIQUE INDEX "invoice_draft_environment_id_schedule_id_period_on_key" ON "invoice_draft" ("environment_id", "schedule_id", "period_on");
CREATE INDEX "invoice_draft_environment_id_created_at_id_idx" ON "invoice_draft" ("environment_id", "created_at" DESC, "id" DESC);
CREATE INDEX "invoice_draft_open" ON "invoice_draft" ("environment_id") WHERE "status" = 'open' AND "schedule_id" IS NULL;
CREATE INDEX "invoice_draft_waiting" ON "invoice_draft" ("environment_id", "period_on") WHERE "waits";

ALTER TABLE "invoice_draft" ADD CONSTRAINT "invoice_draft_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "invoice_draft" ADD CONSTRAINT "invoice_draft_environment_id_schedule_id_fkey" FOREIGN KEY ("environment_id", "schedule_id") REFERENCES "invoice_schedule"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A draft is issued at most once, whoever tries.
ALTER TABLE "invoice" ADD COLUMN "draft_id" TEXT;
CREATE UNIQUE INDEX "invoice_environment_id_draft_id_key" ON "invoice" ("environment_id", "draft_id") WHERE "draft_id" IS NOT NULL;
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_environment_id_draft_id_fkey" FOREIGN KEY ("environment_id", "draft_id") REFERENCES "invoice_draft"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
