import { createHash } from 'node:crypto';
import type { Config } from '../../ground/config/config.ts';
import type { Db } from '../../ground/db/client.ts';
import { madridDay } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { declarationText } from './text.ts';

/** A declaration as it was first published with a version. */
export type Declaration = {
  readonly version: string;
  readonly sha256: string;
  readonly text: string;
  readonly firstRunAt: Date;
};

const COLUMNS = 'version, sha256, text, first_run_at as "firstRunAt"';

/**
 * The declaration of the running version, kept for ever from its first run on. When what it says has changed under the
 * same version, such as the producer's address, it is another one, signed today, and the older one stays listed.
 */
export async function currentDeclaration(db: Db, config: Config): Promise<Declaration> {
  const { software, declaration } = config;
  const { rows } = await db.pool.query<Declaration>(
    `select ${COLUMNS} from software_declaration where version = $1 order by first_run_at desc limit 1`,
    [software.version],
  );
  const kept = rows[0];
  if (kept !== undefined) {
    if (kept.text === declarationText(software, declaration, madridDay(kept.firstRunAt))) return kept;
  }
  const firstRunAt = clock.now();
  const text = declarationText(software, declaration, madridDay(firstRunAt));
  const sha256 = createHash('sha256').update(text, 'utf8').digest('hex');
  // Two processes that start together write the same.
  await db.pool.query(
    `insert into software_declaration (version, sha256, text, first_run_at) values ($1, $2, $3, $4)
     on conflict (version, sha256) do nothing`,
    [software.version, sha256, text, firstRunAt],
  );
  return { version: software.version, sha256, text, firstRunAt };
}

/** All that were ever in force, the newest first. */
export async function allDeclarations(db: Db): Promise<Declaration[]> {
  const { rows } = await db.pool.query<Declaration>(
    `select ${COLUMNS} from software_declaration order by first_run_at desc, version desc`,
  );
  return rows;
}
