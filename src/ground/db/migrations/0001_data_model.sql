-- The tables of schema.prisma. Written the way Prisma writes them: test/integration/data-model.test.ts compares the two.

CREATE TYPE "environment_kind" AS ENUM ('test', 'live');

CREATE TYPE "invoice_type" AS ENUM ('complete', 'simplified');

CREATE TYPE "invoice_kind" AS ENUM ('original', 'rectifying_differences', 'rectifying_substitution', 'exchange');

CREATE TYPE "series_type" AS ENUM ('standard', 'rectifying');

CREATE TYPE "rectification_reason" AS ENUM ('correction', 'insolvency', 'uncollectible', 'other');

CREATE TYPE "record_kind" AS ENUM ('registration', 'cancellation');

CREATE TYPE "registration_status" AS ENUM ('pending', 'registered', 'registered_with_errors', 'rejected', 'skipped');

CREATE TYPE "idempotency_state" AS ENUM ('running', 'stored');

CREATE TYPE "document_state" AS ENUM ('waiting', 'stored');

CREATE TABLE "account" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "subscription_active" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "company" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "nif" CHAR(9) NOT NULL,
    "legal_name" TEXT NOT NULL,
    "address_line1" TEXT NOT NULL,
    "address_line2" TEXT,
    "address_postal_code" TEXT NOT NULL,
    "address_city" TEXT NOT NULL,
    "address_country" CHAR(2) NOT NULL DEFAULT 'ES',
    "mandate_approved_at" TIMESTAMPTZ(3),
    "onboarding_finished_at" TIMESTAMPTZ(3),
    "catalog_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "company_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "environment" (
    "id" SERIAL NOT NULL,
    "company_id" TEXT NOT NULL,
    "kind" "environment_kind" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "environment_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "operator_key" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "operator_key_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "tax_catalog_entry" (
    "company_id" TEXT NOT NULL,
    "tax_type" TEXT NOT NULL,
    "agency_tax" CHAR(2) NOT NULL,
    "regime_key" CHAR(2),
    "operation_class" CHAR(2),
    "exemption" CHAR(2),
    "label" TEXT NOT NULL,
    "legal_mention" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tax_catalog_entry_pkey" PRIMARY KEY ("company_id","tax_type")
);

CREATE TABLE "number_series" (
    "id" TEXT NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "prefix" TEXT NOT NULL,
    "type" "series_type" NOT NULL,
    "yearly" BOOLEAN NOT NULL,
    "is_default" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "number_series_pkey" PRIMARY KEY ("environment_id","id")
);

CREATE TABLE "series_counter" (
    "environment_id" INTEGER NOT NULL,
    "series_id" TEXT NOT NULL,
    "year" INTEGER NOT NULL,
    "last_number" INTEGER NOT NULL,

    CONSTRAINT "series_counter_pkey" PRIMARY KEY ("series_id","year")
);

CREATE TABLE "chain" (
    "id" SERIAL NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "installation_number" TEXT NOT NULL,
    "last_position" INTEGER NOT NULL DEFAULT 0,
    "last_record_id" TEXT,
    "last_fingerprint" CHAR(64),
    "last_generated_at" TIMESTAMPTZ(3),
    "last_invoice_number" TEXT,
    "last_invoice_issued_on" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "chain_pkey" PRIMARY KEY ("environment_id","id")
);

CREATE TABLE "chain_dispatch" (
    "chain_id" INTEGER NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "wait_seconds" INTEGER NOT NULL DEFAULT 60,
    "next_send_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_token" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "incident_since" TIMESTAMPTZ(3),
    "stopped_at" TIMESTAMPTZ(3),
    "stopped_reason" TEXT,

    CONSTRAINT "chain_dispatch_pkey" PRIMARY KEY ("environment_id","chain_id")
);

CREATE TABLE "integration" (
    "id" TEXT NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "standard_series_id" TEXT,
    "rectifying_series_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "integration_pkey" PRIMARY KEY ("environment_id","id")
);

CREATE TABLE "customer" (
    "id" TEXT NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "integration_id" TEXT NOT NULL,
    "external_customer_id" TEXT NOT NULL,
    "name" TEXT,
    "email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "customer_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "invoice" (
    "id" TEXT NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "series_id" TEXT,
    "series_year" INTEGER,
    "series_number" INTEGER,
    "number" TEXT NOT NULL,
    "type" "invoice_type" NOT NULL,
    "kind" "invoice_kind" NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "tax" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "issued_on" DATE NOT NULL,
    "operation_on" DATE,
    "external_id" TEXT,
    "external_customer_id" TEXT,
    "integration_id" TEXT,
    "order_id" TEXT,
    "notes" TEXT,
    "recipient_name" TEXT,
    "recipient_company_name" TEXT,
    "recipient_tax_id" TEXT,
    "recipient_tax_id_type" TEXT,
    "recipient_tax_id_country" CHAR(2),
    "recipient_email" TEXT,
    "recipient_line1" TEXT,
    "recipient_line2" TEXT,
    "recipient_postal_code" TEXT,
    "recipient_city" TEXT,
    "recipient_country" CHAR(2),
    "recipient_evidence" JSONB,
    "issuer" JSONB NOT NULL,
    "breakdown" JSONB NOT NULL,
    "rectifies_id" TEXT,
    "rectification_reason" "rectification_reason",
    "external_number" TEXT,
    "external_issued_on" DATE,
    "rectified_base" BIGINT,
    "rectified_tax" BIGINT,
    "rectified_surcharge" BIGINT,
    "imported" BOOLEAN NOT NULL,

    CONSTRAINT "invoice_pkey" PRIMARY KEY ("id","environment_id")
);

CREATE TABLE "invoice_line" (
    "environment_id" INTEGER NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "sku" TEXT,
    "quantity" INTEGER NOT NULL,
    "unit_amount" BIGINT NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "tax" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,

    CONSTRAINT "invoice_line_pkey" PRIMARY KEY ("environment_id","invoice_id","position")
);

CREATE TABLE "tax_item" (
    "environment_id" INTEGER NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "line_position" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "rate_basis_points" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "tax_item_pkey" PRIMARY KEY ("environment_id","invoice_id","line_position","position")
);

CREATE TABLE "registration_record" (
    "id" TEXT NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "chain_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "kind" "record_kind" NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "previous_record_id" TEXT,
    "previous_fingerprint" CHAR(64),
    "fingerprint" CHAR(64) NOT NULL,
    "generated_at" TIMESTAMPTZ(3) NOT NULL,
    "xml" TEXT NOT NULL,

    CONSTRAINT "registration_record_pkey" PRIMARY KEY ("id","environment_id")
);

CREATE TABLE "record_state" (
    "record_id" TEXT NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "chain_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "status" "registration_status" NOT NULL,
    "error_code" TEXT,
    "error_message" TEXT,
    "receipt" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "late" BOOLEAN NOT NULL DEFAULT false,
    "parked_reason" TEXT,
    "submission_id" TEXT,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "record_state_pkey" PRIMARY KEY ("environment_id","record_id")
);

CREATE TABLE "submission" (
    "id" TEXT NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "chain_id" INTEGER NOT NULL,
    "first_position" INTEGER NOT NULL,
    "last_position" INTEGER NOT NULL,
    "record_count" INTEGER NOT NULL,
    "incident" BOOLEAN NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "fault_code" TEXT,
    "message" TEXT,
    "receipt" TEXT,
    "wait_seconds" INTEGER,
    "answer" TEXT,

    CONSTRAINT "submission_pkey" PRIMARY KEY ("environment_id","id")
);

CREATE TABLE "invoice_document" (
    "invoice_id" TEXT NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "state" "document_state" NOT NULL,
    "bytes" BYTEA,
    "sha256" BYTEA,
    "rendered_at" TIMESTAMPTZ(3),

    CONSTRAINT "invoice_document_pkey" PRIMARY KEY ("environment_id","invoice_id")
);

CREATE TABLE "invoice_void" (
    "invoice_id" TEXT NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "record_id" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "voided_by" TEXT NOT NULL,
    "voided_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invoice_void_pkey" PRIMARY KEY ("environment_id","invoice_id")
);

CREATE TABLE "invoice_amendment" (
    "environment_id" INTEGER NOT NULL,
    "record_id" TEXT NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "recipient_name" TEXT,
    "recipient_tax_id" TEXT,
    "recipient_tax_id_type" TEXT,
    "recipient_tax_id_country" CHAR(2),
    "description" TEXT,
    "breakdown" JSONB,
    "reason" TEXT NOT NULL,
    "amended_by" TEXT NOT NULL,
    "amended_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invoice_amendment_pkey" PRIMARY KEY ("environment_id","record_id")
);

CREATE TABLE "import_run" (
    "environment_id" INTEGER NOT NULL,
    "file_hash" BYTEA NOT NULL,
    "last_line" INTEGER NOT NULL,
    "accepted" INTEGER NOT NULL,
    "refused" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "import_run_pkey" PRIMARY KEY ("environment_id","file_hash")
);

CREATE TABLE "invoice_exchange" (
    "exchange_id" TEXT NOT NULL,
    "ticket_id" TEXT NOT NULL,
    "environment_id" INTEGER NOT NULL,

    CONSTRAINT "invoice_exchange_pkey" PRIMARY KEY ("exchange_id","ticket_id")
);

CREATE TABLE "idempotency_key" (
    "environment_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "state" "idempotency_state" NOT NULL,
    "answer" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("environment_id","key")
);

CREATE TABLE "audit_entry" (
    "id" TEXT NOT NULL,
    "environment_id" INTEGER,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "reason" TEXT,
    "details" JSONB,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "rate_limit" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

CREATE INDEX "company_account_id_idx" ON "company"("account_id");

CREATE UNIQUE INDEX "environment_company_id_kind_key" ON "environment"("company_id", "kind");

CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

CREATE INDEX "api_key_environment_id_idx" ON "api_key"("environment_id");

CREATE UNIQUE INDEX "operator_key_hash_key" ON "operator_key"("hash");

CREATE INDEX "number_series_environment_id_created_at_id_idx" ON "number_series"("environment_id", "created_at" DESC, "id" DESC);

CREATE UNIQUE INDEX "number_series_environment_id_prefix_key" ON "number_series"("environment_id", "prefix");

CREATE UNIQUE INDEX "chain_installation_number_key" ON "chain"("installation_number");

CREATE UNIQUE INDEX "integration_environment_id_name_key" ON "integration"("environment_id", "name");

CREATE INDEX "customer_environment_id_external_customer_id_idx" ON "customer"("environment_id", "external_customer_id");

CREATE UNIQUE INDEX "customer_integration_id_external_customer_id_key" ON "customer"("integration_id", "external_customer_id");

CREATE INDEX "invoice_environment_id_issued_at_id_idx" ON "invoice"("environment_id", "issued_at" DESC, "id" DESC);

CREATE INDEX "invoice_environment_id_external_customer_id_issued_at_id_idx" ON "invoice"("environment_id", "external_customer_id", "issued_at" DESC, "id" DESC);

CREATE INDEX "invoice_series_id_idx" ON "invoice"("series_id");

CREATE INDEX "invoice_rectifies_id_idx" ON "invoice"("rectifies_id");

CREATE UNIQUE INDEX "invoice_environment_id_number_key" ON "invoice"("environment_id", "number");

CREATE UNIQUE INDEX "invoice_environment_id_external_id_key" ON "invoice"("environment_id", "external_id");

CREATE UNIQUE INDEX "invoice_integration_id_order_id_key" ON "invoice"("integration_id", "order_id");

CREATE INDEX "registration_record_invoice_id_position_idx" ON "registration_record"("invoice_id", "position");

CREATE UNIQUE INDEX "registration_record_chain_id_position_key" ON "registration_record"("chain_id", "position");

CREATE UNIQUE INDEX "registration_record_chain_id_previous_record_id_key" ON "registration_record"("chain_id", "previous_record_id");

CREATE INDEX "submission_chain_id_started_at_idx" ON "submission"("chain_id", "started_at" DESC);

CREATE INDEX "invoice_amendment_invoice_id_amended_at_idx" ON "invoice_amendment"("invoice_id", "amended_at");

CREATE INDEX "invoice_exchange_ticket_id_idx" ON "invoice_exchange"("ticket_id");

CREATE INDEX "idempotency_key_expires_at_idx" ON "idempotency_key"("expires_at");

CREATE INDEX "audit_entry_at_id_idx" ON "audit_entry"("at" DESC, "id");

ALTER TABLE "company" ADD CONSTRAINT "company_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "environment" ADD CONSTRAINT "environment_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "api_key" ADD CONSTRAINT "api_key_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "tax_catalog_entry" ADD CONSTRAINT "tax_catalog_entry_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "number_series" ADD CONSTRAINT "number_series_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "series_counter" ADD CONSTRAINT "series_counter_environment_id_series_id_fkey" FOREIGN KEY ("environment_id", "series_id") REFERENCES "number_series"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "chain" ADD CONSTRAINT "chain_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "chain_dispatch" ADD CONSTRAINT "chain_dispatch_environment_id_chain_id_fkey" FOREIGN KEY ("environment_id", "chain_id") REFERENCES "chain"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "integration" ADD CONSTRAINT "integration_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "integration" ADD CONSTRAINT "integration_environment_id_standard_series_id_fkey" FOREIGN KEY ("environment_id", "standard_series_id") REFERENCES "number_series"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "integration" ADD CONSTRAINT "integration_environment_id_rectifying_series_id_fkey" FOREIGN KEY ("environment_id", "rectifying_series_id") REFERENCES "number_series"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "customer" ADD CONSTRAINT "customer_environment_id_integration_id_fkey" FOREIGN KEY ("environment_id", "integration_id") REFERENCES "integration"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "invoice" ADD CONSTRAINT "invoice_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "invoice" ADD CONSTRAINT "invoice_environment_id_series_id_fkey" FOREIGN KEY ("environment_id", "series_id") REFERENCES "number_series"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "invoice" ADD CONSTRAINT "invoice_environment_id_integration_id_fkey" FOREIGN KEY ("environment_id", "integration_id") REFERENCES "integration"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "invoice" ADD CONSTRAINT "invoice_environment_id_rectifies_id_fkey" FOREIGN KEY ("environment_id", "rectifies_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "invoice_line" ADD CONSTRAINT "invoice_line_environment_id_invoice_id_fkey" FOREIGN KEY ("environment_id", "invoice_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "tax_item" ADD CONSTRAINT "tax_item_environment_id_invoice_id_line_position_fkey" FOREIGN KEY ("environment_id", "invoice_id", "line_position") REFERENCES "invoice_line"("environment_id", "invoice_id", "position") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "registration_record" ADD CONSTRAINT "registration_record_environment_id_chain_id_fkey" FOREIGN KEY ("environment_id", "chain_id") REFERENCES "chain"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "registration_record" ADD CONSTRAINT "registration_record_environment_id_invoice_id_fkey" FOREIGN KEY ("environment_id", "invoice_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "registration_record" ADD CONSTRAINT "registration_record_environment_id_previous_record_id_fkey" FOREIGN KEY ("environment_id", "previous_record_id") REFERENCES "registration_record"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "record_state" ADD CONSTRAINT "record_state_environment_id_record_id_fkey" FOREIGN KEY ("environment_id", "record_id") REFERENCES "registration_record"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "record_state" ADD CONSTRAINT "record_state_environment_id_submission_id_fkey" FOREIGN KEY ("environment_id", "submission_id") REFERENCES "submission"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "submission" ADD CONSTRAINT "submission_environment_id_chain_id_fkey" FOREIGN KEY ("environment_id", "chain_id") REFERENCES "chain"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "invoice_document" ADD CONSTRAINT "invoice_document_environment_id_invoice_id_fkey" FOREIGN KEY ("environment_id", "invoice_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "invoice_void" ADD CONSTRAINT "invoice_void_environment_id_invoice_id_fkey" FOREIGN KEY ("environment_id", "invoice_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "invoice_void" ADD CONSTRAINT "invoice_void_environment_id_record_id_fkey" FOREIGN KEY ("environment_id", "record_id") REFERENCES "registration_record"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "invoice_amendment" ADD CONSTRAINT "invoice_amendment_environment_id_invoice_id_fkey" FOREIGN KEY ("environment_id", "invoice_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "invoice_amendment" ADD CONSTRAINT "invoice_amendment_environment_id_record_id_fkey" FOREIGN KEY ("environment_id", "record_id") REFERENCES "registration_record"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "invoice_exchange" ADD CONSTRAINT "invoice_exchange_environment_id_exchange_id_fkey" FOREIGN KEY ("environment_id", "exchange_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "invoice_exchange" ADD CONSTRAINT "invoice_exchange_environment_id_ticket_id_fkey" FOREIGN KEY ("environment_id", "ticket_id") REFERENCES "invoice"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "idempotency_key" ADD CONSTRAINT "idempotency_key_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

