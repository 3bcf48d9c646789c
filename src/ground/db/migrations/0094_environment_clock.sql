-- How far the time of a test environment is ahead of the machine's, and how far it is to be (a test clock that is advancing).
-- A live environment has the one time that there is.
ALTER TABLE "environment" ADD COLUMN "clock_ahead_ms" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "clock_target_ms" BIGINT NOT NULL DEFAULT 0,
  ADD CONSTRAINT "environment_clock" CHECK (
    "clock_ahead_ms" >= 0 AND "clock_target_ms" >= "clock_ahead_ms" AND ("kind" = 'test' OR "clock_target_ms" = 0)
  );
