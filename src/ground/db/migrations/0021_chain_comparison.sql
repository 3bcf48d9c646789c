-- How far the comparison of a held chain with the agency has come: a restart goes on from there, page by page.
CREATE TABLE "chain_comparison" (
    "environment_id" INTEGER NOT NULL,
    "chain_id" INTEGER NOT NULL,
    "held_at" TIMESTAMPTZ(3) NOT NULL,
    "until_day" DATE NOT NULL,
    "month" TEXT NOT NULL,
    "after" JSONB,
    "pages" INTEGER NOT NULL DEFAULT 0,
    "compared" INTEGER NOT NULL DEFAULT 0,
    "missing" INTEGER NOT NULL DEFAULT 0,
    "records" JSONB NOT NULL DEFAULT '[]',
    "highest" JSONB NOT NULL DEFAULT '[]',
    "page_at" TIMESTAMPTZ(3),
    "trouble" TEXT,

    CONSTRAINT "chain_comparison_pkey" PRIMARY KEY ("environment_id","chain_id")
);

ALTER TABLE "chain_comparison" ADD CONSTRAINT "chain_comparison_environment_id_chain_id_fkey" FOREIGN KEY ("environment_id", "chain_id") REFERENCES "chain"("environment_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- One row a held chain that is being compared, for operators.
CREATE VIEW ops.comparisons AS
  SELECT environment_id, chain_id, held_at, month, pages, compared, missing, page_at, trouble FROM chain_comparison;
