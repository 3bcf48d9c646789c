-- Where in a trace a record was issued, for its registration to show there; null where no traces are kept.
ALTER TABLE "record_state" ADD COLUMN "trace_parent" TEXT;
