-- How a line was sent that is not whole units at a net price in cents: quantity and price as decimals in plain digits (the price in
-- cents), the price with its taxes, and the unit of measure, a code of UN/ECE Recommendation 20. Such a line's quantity is 1
-- and its unit_amount its subtotal. All of it is sealed with the row and hashed in the journal.
ALTER TABLE "invoice"
    ADD COLUMN "prices_include_tax" BOOLEAN;

ALTER TABLE "invoice_line"
    ADD COLUMN "quantity_decimal"    TEXT,
    ADD COLUMN "unit_amount_decimal" TEXT,
    ADD COLUMN "unit_amount_gross"   BIGINT,
    ADD COLUMN "unit"                TEXT;
