-- The day by which an invoice is to be paid, where its request said one. It is sealed with the row and hashed in the journal.
ALTER TABLE "invoice"
    ADD COLUMN "due_date" DATE;
