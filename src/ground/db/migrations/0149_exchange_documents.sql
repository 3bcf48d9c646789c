-- What is sent of a message is written down before it is sent for the first time, so that it is the same bytes whenever it is
-- sent again, also by a version of the service that would write them differently. It is kept until the message is settled.
ALTER TABLE "exchange_message" ADD COLUMN "document" BYTEA;
