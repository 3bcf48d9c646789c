-- When an environment reminds of overdue invoices by itself: so many days after each is due, of days from `reminders_since` on.
ALTER TABLE "email_settings"
    ADD COLUMN "reminder_days" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    ADD COLUMN "reminder_language" "document_language",
    ADD COLUMN "reminder_message" TEXT,
    ADD COLUMN "reminders_since" DATE,
    ADD CONSTRAINT email_reminders_since CHECK (reminder_days IS NOT NULL AND (reminder_days = '{}' OR reminders_since IS NOT NULL));
