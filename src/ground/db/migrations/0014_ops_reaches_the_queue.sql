-- Whoever may look at the views sees the queue's health through them, and nothing else of the queue.
ALTER FUNCTION ops.jobs() SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
