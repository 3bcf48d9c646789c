-- How a company's documents look, and which look and state of the invoice each stored document shows.

-- CreateEnum
CREATE TYPE "document_language" AS ENUM ('es', 'en', 'ca', 'gl', 'eu');

-- CreateEnum
CREATE TYPE "logo_type" AS ENUM ('png', 'jpeg', 'svg');

-- CreateEnum
CREATE TYPE "document_edition" AS ENUM ('issued', 'voided');

-- CreateTable
CREATE TABLE "company_look" (
    "id" SERIAL NOT NULL,
    "company_id" TEXT NOT NULL,
    "language" "document_language" NOT NULL,
    "accent_colour" CHAR(7),
    "logo_type" "logo_type",
    "logo" BYTEA,
    "logo_width" DOUBLE PRECISION,
    "logo_height" DOUBLE PRECISION,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "company_look_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "company_look_company_id_id_idx" ON "company_look"("company_id", "id");

-- AddForeignKey
ALTER TABLE "company_look" ADD CONSTRAINT "company_look_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AlterTable
ALTER TABLE "invoice_document" ADD COLUMN "edition" "document_edition" NOT NULL DEFAULT 'issued',
ADD COLUMN "look_id" INTEGER;

-- AlterTable
ALTER TABLE "invoice_document" DROP CONSTRAINT "invoice_document_pkey",
ADD CONSTRAINT "invoice_document_pkey" PRIMARY KEY ("environment_id","invoice_id","edition");

-- AddForeignKey
ALTER TABLE "invoice_document" ADD CONSTRAINT "invoice_document_look_id_fkey" FOREIGN KEY ("look_id") REFERENCES "company_look"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A document that is lost is rendered again as it looked: a look is followed by another one, never changed.
CREATE TRIGGER sealed_row BEFORE UPDATE OR DELETE ON company_look FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sealed_table BEFORE TRUNCATE ON company_look FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE company_look ADD CONSTRAINT look_has_whole_logo CHECK (
  num_nulls(logo_type, logo, logo_width, logo_height) IN (0, 4));
ALTER TABLE company_look ADD CONSTRAINT look_has_colour CHECK (accent_colour ~ '^#[0-9A-F]{6}$');
