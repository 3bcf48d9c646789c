-- Where each checkpoint is kept outside the database: the machine and the folder of the process that took it, and the bucket.
-- A command that runs elsewhere can then say that it does not see them. Null: it was taken before this was recorded.
ALTER TABLE journal_checkpoint
  ADD COLUMN host TEXT, ADD COLUMN folder TEXT, ADD COLUMN bucket TEXT;
