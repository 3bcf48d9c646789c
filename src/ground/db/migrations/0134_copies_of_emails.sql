-- An address of the company's own that gets a copy of each e-mail with an invoice.
ALTER TABLE "email_settings" ADD COLUMN "copy_to" TEXT;
