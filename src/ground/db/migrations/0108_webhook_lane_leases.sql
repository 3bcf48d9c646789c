-- Who delivers in a lane of an environment has taken it for a while. Queues of the job queue did that before: whoever asks for a
-- job locks all of them for a moment, and whoever asks in that moment finds none and looks again a second later.

CREATE TABLE "webhook_lane" (
    "environment_id" INTEGER NOT NULL,
    "quick" BOOLEAN NOT NULL,
    "taken_until" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_lane_pkey" PRIMARY KEY ("environment_id","quick")
);

ALTER TABLE "webhook_lane" ADD CONSTRAINT "webhook_lane_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Adds the job of a lane unless somebody has taken it: who has looks again at what was committed once it has left. The lock
-- makes its leaving wait for the end of this transaction, or this look for its leaving.
CREATE FUNCTION wake_webhook_lane(environment integer, of_quick boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  task text := CASE WHEN of_quick THEN 'deliver_webhooks' ELSE 'retry_webhooks' END;
BEGIN
  PERFORM FROM webhook_lane
    WHERE environment_id = environment AND quick = of_quick AND taken_until > now() FOR SHARE;
  IF NOT FOUND THEN
    PERFORM graphile_worker.add_job(task, json_build_object('environmentId', environment),
      job_key => task || ':' || environment, max_attempts => 25);
  END IF;
END $$;

-- Wakes the deliveries of an environment in the transaction that appends to its journal: a job a lane at most, whatever the
-- number of endpoints.
CREATE OR REPLACE FUNCTION wake_webhooks(environment integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM wake_webhook_lane(environment, lane.quick)
    FROM (SELECT DISTINCT quick FROM webhook_endpoint WHERE environment_id = environment AND status = 'active') AS lane;
END $$;
