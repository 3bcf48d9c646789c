-- Client certificates for the agency. Not sealed: they run out and are replaced.

-- CreateEnum
CREATE TYPE "certificate_kind" AS ENUM ('person', 'seal');

-- CreateTable
CREATE TABLE "client_certificate" (
    "id" TEXT NOT NULL,
    "company_id" TEXT,
    "kind" "certificate_kind" NOT NULL,
    "holder_nif" CHAR(9) NOT NULL,
    "holder_name" TEXT NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_to" TIMESTAMPTZ(3) NOT NULL,
    "fingerprint" CHAR(64) NOT NULL,
    "active" BOOLEAN NOT NULL,
    "key_name" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "uploaded_by" TEXT NOT NULL,
    "uploaded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "client_certificate_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "client_certificate_company_id_idx" ON "client_certificate"("company_id");

-- AddForeignKey
ALTER TABLE "client_certificate" ADD CONSTRAINT "client_certificate_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Of one owner, the platform being one, only one certificate is in use.
CREATE UNIQUE INDEX client_certificate_one_active ON client_certificate (coalesce(company_id, '')) WHERE active;
ALTER TABLE client_certificate ADD CONSTRAINT certificate_lasts CHECK (valid_from < valid_to);

-- For operators: whose certificates there are and how long they last; nothing secret.
CREATE SCHEMA IF NOT EXISTS ops;
CREATE VIEW ops.certificates AS
  SELECT c.id, coalesce(c.company_id, 'platform') AS owner, company.legal_name AS company, c.kind, c.holder_nif,
    c.holder_name, c.valid_from, c.valid_to, floor(extract(epoch FROM c.valid_to - now()) / 86400)::int AS days_left,
    CASE WHEN c.valid_to <= now() THEN 'expired' WHEN c.valid_to <= now() + interval '30 days' THEN 'expiring'
      ELSE 'good' END AS state,
    c.active, c.fingerprint, c.key_name, c.uploaded_by, c.uploaded_at
  FROM client_certificate c LEFT JOIN company ON company.id = c.company_id;
