-- Which series is the default stands in a table of its own: the row cannot name a series that is deleted, the service may not delete
-- it, and there is no moment between two rows at which none is the default.
CREATE TABLE "series_default" (
    "environment_id" INTEGER NOT NULL,
    "type" "series_type" NOT NULL,
    "series_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "series_default_pkey" PRIMARY KEY ("environment_id","type")
);

-- A default is of its own environment and type.
CREATE UNIQUE INDEX "number_series_environment_id_id_type_key" ON "number_series"("environment_id", "id", "type");
ALTER TABLE "series_default" ADD CONSTRAINT "series_default_environment_id_series_id_type_fkey" FOREIGN KEY ("environment_id", "series_id", "type") REFERENCES "number_series"("environment_id", "id", "type") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Where a default was lost the oldest series of the type takes its place.
INSERT INTO series_default (environment_id, type, series_id, created_at)
SELECT DISTINCT ON (series.environment_id, series.type) series.environment_id, series.type, series.id, environment.created_at
  FROM number_series series JOIN environment ON environment.id = series.environment_id
 WHERE NOT series.imported
 ORDER BY series.environment_id, series.type, series.is_default DESC, series.created_at, series.id;

-- A series never changes now, as at first.
DROP TRIGGER immutable_row ON number_series;
DROP FUNCTION refuse_series_change();
CREATE TRIGGER immutable_row BEFORE UPDATE ON number_series FOR EACH ROW EXECUTE FUNCTION refuse_change();

ALTER TABLE "number_series" DROP COLUMN "is_default";
