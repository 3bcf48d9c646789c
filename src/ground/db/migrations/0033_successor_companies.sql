-- A NIF belongs to one company of the installation, unless an operator says that another one succeeds it. Companies of one
-- NIF that were created before stay as they are.
ALTER TABLE "company" ADD COLUMN "succeeds_id" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "company_succeeds_id_key" ON "company"("succeeds_id");

-- CreateIndex
CREATE INDEX "company_nif_idx" ON "company"("nif");

-- AddForeignKey
ALTER TABLE "company" ADD CONSTRAINT "company_succeeds_id_fkey" FOREIGN KEY ("succeeds_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
