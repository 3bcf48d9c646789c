-- Visits of customers to their own page.

-- CreateTable
CREATE TABLE "portal_session" (
    "id" TEXT NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "integration_id" TEXT NOT NULL,
    "external_customer_id" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "cookie_hash" BYTEA,
    "return_url" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "portal_session_pkey" PRIMARY KEY ("environment_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "portal_session_token_hash_key" ON "portal_session"("token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "portal_session_cookie_hash_key" ON "portal_session"("cookie_hash");

-- CreateIndex
CREATE INDEX "portal_session_expires_at_idx" ON "portal_session"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "customer_environment_id_integration_id_external_customer_id_key" ON "customer"("environment_id", "integration_id", "external_customer_id");

-- AddForeignKey
ALTER TABLE "portal_session" ADD CONSTRAINT "portal_session_environment_id_integration_id_external_cust_fkey" FOREIGN KEY ("environment_id", "integration_id", "external_customer_id") REFERENCES "customer"("environment_id", "integration_id", "external_customer_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A link that was opened has become a cookie, and only then.
ALTER TABLE portal_session ADD CONSTRAINT portal_session_opened CHECK ((used_at IS NULL) = (cookie_hash IS NULL));
