-- Whether a process writes the journal: while one works that does not, what it issues is told by the others.
ALTER TABLE "service_process" ADD COLUMN "journals" BOOLEAN NOT NULL DEFAULT false;
