import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Db } from '../db/client.ts';
import { beat, type Mark } from '../db/lineage.ts';
import type { Logger } from '../lib/logger.ts';
import { holdAfterRestore } from '../registration/resume-after-restore.ts';
import type { Closing } from './closing.ts';

/** What is lost with a shorter time than this is not noticed by the number alone. */
const BEAT_MS = 60_000;

const mark = z.object({ origin: z.string(), beat: z.int() });

/**
 * Looks, now and then every minute, whether the database has been restored or has changed servers under the service; if
 * so, all live chains are held and compared with the agency before they take another record. Resolves after the first
 * look, which is to be taken before anything is issued.
 */
export async function watchLineage(
  { db, log }: { readonly db: Db; readonly log: Logger },
  dataDir: string,
  closing: Closing,
): Promise<void> {
  const look = () => lookOnce({ db, log }, dataDir);
  await look();
  const timer = setInterval(() => {
    look().catch((error: Error) =>
      log.warn({ reason: error.message }, 'the state of the database is not known'),
    );
  }, BEAT_MS);
  timer.unref();
  closing.add('watching the database', () => clearInterval(timer));
}

/** Compares the database with the mark that was left beside it, and leaves another. */
export async function lookOnce(
  { db, log }: { readonly db: Db; readonly log: Logger },
  dataDir: string,
): Promise<void> {
  const file = join(dataDir, 'database-mark.json');
  const next = await beat(db.pool, readMark(file), async (client, why) => {
    const held = await holdAfterRestore(client);
    log.error(
      { why, held },
      'THE DATABASE WAS RESTORED: live issuing is held until the agency has been asked',
    );
  });
  mkdirSync(dataDir, { recursive: true });
  // Under another name first: a reader never finds half a file.
  writeFileSync(`${file}.new`, JSON.stringify(next));
  renameSync(`${file}.new`, file);
}

function readMark(file: string): Mark | null {
  try {
    return mark.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
