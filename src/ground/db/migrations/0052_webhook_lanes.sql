-- Webhooks are woken by environment, in two lanes: endpoints that answer quickly, and all others.

-- Quick: the last attempts were taken, each within a moment. Held: a process has attempts under way that take longer, and
-- nobody else begins any until then.
ALTER TABLE webhook_endpoint ADD COLUMN quick BOOLEAN NOT NULL DEFAULT false, ADD COLUMN held_until TIMESTAMPTZ(3);

-- Wakes the deliveries of an environment in the transaction that appends to its journal: one job a lane, whatever the
-- number of endpoints. A queue for each lane of an environment has one process at a time work on it.
CREATE OR REPLACE FUNCTION wake_webhooks(environment integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM graphile_worker.add_job(lane.task, json_build_object('environmentId', environment),
      job_key => lane.task || ':' || environment, queue_name => lane.task || ':' || environment, max_attempts => 25)
    FROM (SELECT DISTINCT CASE WHEN quick THEN 'deliver_webhooks' ELSE 'retry_webhooks' END AS task
            FROM webhook_endpoint WHERE environment_id = environment AND status = 'active') AS lane;
END $$;
