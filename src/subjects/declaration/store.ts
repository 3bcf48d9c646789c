import { z } from 'zod';
import type { Queryable } from '../../ground/db/queryable.ts';
import { column, execute, readRow, readRows } from '../../ground/db/rows.ts';
import type { Declaration } from './keep.ts';

const declaration = z.object({
  version: z.string(),
  sha256: z.string(),
  text: z.string(),
  firstRunAt: column.instant,
});

const COLUMNS = 'version, sha256, text, first_run_at as "firstRunAt"';

/** The latest declaration of a version; null when it has never run. */
export function latestDeclaration(db: Queryable, version: string): Promise<Declaration | null> {
  return readRow(
    db,
    declaration,
    `select ${COLUMNS} from software_declaration where version = $1 order by first_run_at desc limit 1`,
    [version],
  );
}

/** Keeps a declaration, unless the same text is kept of the version already. */
export async function keepDeclaration(db: Queryable, kept: Declaration): Promise<void> {
  await execute(
    db,
    `insert into software_declaration (version, sha256, text, first_run_at) values ($1, $2, $3, $4)
     on conflict (version, sha256) do nothing`,
    [kept.version, kept.sha256, kept.text, kept.firstRunAt],
  );
}

/** All declarations, the newest first. */
export function readDeclarations(db: Queryable): Promise<Declaration[]> {
  return readRows(
    db,
    declaration,
    `select ${COLUMNS} from software_declaration order by first_run_at desc, version desc`,
  );
}
