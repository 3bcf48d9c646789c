-- The income tax that the recipient keeps back of an invoice, where its request said a rate: in hundredths of a percent, of
-- what it was taken, and how much it is. It is sealed with the row and hashed in the journal; no record declares it.
ALTER TABLE "invoice"
    ADD COLUMN "withholding_rate"   INTEGER,
    ADD COLUMN "withholding_base"   BIGINT,
    ADD COLUMN "withholding_amount" BIGINT;
