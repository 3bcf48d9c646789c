-- How far a standby must have come before it answers an environment's reads; environment 0 stands for all of them.

CREATE TABLE "read_position" (
    "environment_id" INTEGER NOT NULL,
    "wal_position" BIGINT NOT NULL,

    CONSTRAINT "read_position_pkey" PRIMARY KEY ("environment_id")
);

ALTER TABLE read_position ADD CONSTRAINT read_position_wal_position CHECK (wal_position > 0);
