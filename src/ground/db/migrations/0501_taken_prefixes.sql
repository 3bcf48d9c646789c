-- The tax agency knows an invoice by NIF, number and day. Companies of one NIF therefore share their prefixes, in live and in test each
-- for itself, and one that was succeeded issues no more.
CREATE TABLE "taken_prefix" (
    "nif" CHAR(9) NOT NULL,
    "kind" "environment_kind" NOT NULL,
    "prefix" TEXT NOT NULL,
    "yearly" BOOLEAN NOT NULL,
    "company_id" TEXT,

    CONSTRAINT "taken_prefix_pkey" PRIMARY KEY ("nif","kind","prefix")
);

ALTER TABLE "taken_prefix" ADD CONSTRAINT "taken_prefix_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What several companies of a NIF have from before belongs to none of them: it stays taken when one deletes its series.
INSERT INTO taken_prefix (nif, kind, prefix, yearly, company_id)
SELECT company.nif, environment.kind, series.prefix, bool_or(series.yearly), CASE WHEN count(*) = 1 THEN min(company.id) END
  FROM number_series series
  JOIN environment ON environment.id = series.environment_id
  JOIN company ON company.id = environment.company_id
 WHERE NOT series.imported
 GROUP BY company.nif, environment.kind, series.prefix;

-- Under the lock that issuing takes: what was issued before is issued, and nothing is afterwards.
ALTER TABLE "chain" ADD COLUMN "issuing_ended_at" TIMESTAMPTZ(3);
UPDATE chain SET issuing_ended_at = successor.created_at
  FROM environment JOIN company successor ON successor.succeeds_id = environment.company_id
 WHERE environment.id = chain.environment_id;
