-- compatible
-- A job that has no attempts left but never failed was replaced while it ran, and lost its worker: it is added again within a minute.
CREATE OR REPLACE VIEW ops.queue_health AS
  SELECT task,
         (count(*) FILTER (WHERE locked_at IS NULL AND NOT given_up AND run_at <= now()))::int AS due,
         (count(*) FILTER (WHERE locked_at IS NULL AND NOT given_up AND run_at > now()))::int AS scheduled,
         (count(*) FILTER (WHERE locked_at IS NOT NULL))::int AS running,
         (count(*) FILTER (WHERE locked_at IS NULL AND given_up))::int AS given_up,
         (count(*) FILTER (WHERE last_error IS NOT NULL))::int AS failing,
         coalesce(extract(epoch FROM now() - min(run_at)
           FILTER (WHERE locked_at IS NULL AND NOT given_up AND run_at <= now())), 0)::float8 AS oldest_due_seconds
    FROM (SELECT *, attempts >= max_attempts AND last_error IS NOT NULL AS given_up FROM ops.jobs()) AS job GROUP BY task;
