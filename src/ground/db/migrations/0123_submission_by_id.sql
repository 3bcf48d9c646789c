-- An envelope is found by its id alone, as GraphQL's `node` has it. Where tables are divided by environment, none can be unique.
CREATE INDEX "submission_id_idx" ON "submission"("id");
