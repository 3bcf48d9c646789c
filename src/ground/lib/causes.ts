/**
 * What needs an operator within minutes, in one sentence each: the log, the doctor, the console and the summary of the alert
 * (deploy/prometheus/alerts.yaml) say the same one, so that whoever is woken by one of them finds the others.
 */
export const CAUSES = {
  database_away: 'The database is unavailable',
  server_away: 'A server of the divided database does not answer: its companies get 503',
  disk_full: 'The database accepts no writes: its disk is full',
  read_only: 'The database accepts no writes: it is read-only',
  process_died: 'A process of the service has died',
  no_worker: 'No worker runs the jobs',
  agency_silent: 'The tax agency does not answer, or fails',
  certificate_expired: 'A client certificate has expired',
  certificate_refused: 'The tax agency refuses our client certificate',
  chains_stopped: 'Chains have stopped sending',
  chains_held: 'Chains are held after a restore and issue nothing',
} as const;

export type Cause = keyof typeof CAUSES;

export const CAUSE_NAMES = Object.keys(CAUSES) as readonly Cause[];

/** What an operator does first. */
export const FIRST_STEPS: Readonly<Record<Cause, string>> = {
  database_away: 'see whether there is a primary, and whether this machine reaches it',
  server_away: 'start it, or promote its standby; companies on the other servers go on',
  disk_full: 'free space on the disk of the database, or enlarge it: no process needs a restart',
  read_only: 'find out who set the database to read-only, or whether it is a standby',
  process_died: 'see the log of its supervisor: what ended it, and was it started again?',
  no_worker: 'start the service with JOBS=inside, or a worker (npm run worker)',
  agency_silent:
    'run "lacre doctor": is it the network, or the agency? Sending is retried at least once an hour',
  certificate_expired: 'upload its successor: "lacre certificates upload"',
  certificate_refused: 'upload one that it accepts: "lacre certificates upload"',
  chains_stopped: 'see the reason in "lacre chains list", remove it, then "lacre chains retry-failed"',
  chains_held: 'see "lacre restore report": what the agency holds is compared with what is here',
};

/** As the log says it, where it must not be overlooked. */
export function loudly(cause: Cause): string {
  return CAUSES[cause].toUpperCase();
}
