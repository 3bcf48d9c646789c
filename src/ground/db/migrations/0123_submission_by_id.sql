-- An envelope is found by its id alone, as GraphQL's `node` has it.
CREATE UNIQUE INDEX "submission_id_key" ON "submission"("id");
