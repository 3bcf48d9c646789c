-- Checkpoints of the journals that were kept outside the database, and roots of each journal's tree over 1,024 entries.

CREATE TABLE "journal_checkpoint" (
    "environment_id" INTEGER NOT NULL,
    "size" INTEGER NOT NULL,
    "root" BYTEA NOT NULL,
    "note" TEXT NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "journal_checkpoint_pkey" PRIMARY KEY ("environment_id","size")
);

CREATE TABLE "journal_subtree" (
    "environment_id" INTEGER NOT NULL,
    "place" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "journal_subtree_pkey" PRIMARY KEY ("environment_id","place")
);

ALTER TABLE journal_checkpoint ADD CONSTRAINT journal_checkpoint_size CHECK (size > 0);
ALTER TABLE journal_subtree ADD CONSTRAINT journal_subtree_place CHECK (place >= 0);
