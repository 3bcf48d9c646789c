import { CAUSES } from '../../ground/lib/causes.ts';
import type { Services } from '../../services.ts';

/** Without the database there is no session either: the log, the doctor and the alert say the same sentence. */
const UNAVAILABLE = [
  CAUSES.database_away,
  'Nothing can be read or issued until it is back; the service goes on by itself then. If you were making a change, check afterwards whether it was made.',
] as const;

/** What is counted or looked for in all companies is not known then; pages of a company on another server are. */
const PARTLY_UNAVAILABLE = [
  CAUSES.server_away,
  'This page needs that server. Pages of companies on the other servers are shown; the service goes on by itself when it answers again.',
] as const;

/** What a page that failed says while the database, or one of its servers, is away; null while neither is. */
export function unavailable({
  db: { lineage },
}: Pick<Services, 'db'>): typeof UNAVAILABLE | typeof PARTLY_UNAVAILABLE | null {
  if (lineage.away !== null) return UNAVAILABLE;
  return lineage.workerAway ? PARTLY_UNAVAILABLE : null;
}
