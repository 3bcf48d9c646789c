-- How an invoice is to be paid, in which language its document is, what the recipient calls it and when it was delivered,
-- where its request said so. All of it is sealed with the row and hashed in the journal.
ALTER TABLE "invoice"
    ADD COLUMN "payment" JSONB,
    ADD COLUMN "language" "document_language",
    ADD COLUMN "references" JSONB,
    ADD COLUMN "delivery" JSONB;
