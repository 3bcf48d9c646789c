import { z } from 'zod';
import type { Queryable } from '../../ground/db/queryable.ts';
import { column, execute, readRow, readRows } from '../../ground/db/rows.ts';
import { entriesJson, type NewEntry } from '../../ground/journal/append.ts';
import { sha256 as hashOf } from '../../ground/journal/canonical.ts';
import { INSTALLATION } from '../../ground/journal/entry.ts';
import { rowText, SOFTWARE_DECLARATION } from '../../ground/journal/forms.ts';
import { appendCall } from '../../ground/journal/store/append.ts';
import type { Declaration } from './declaration.ts';

const declaration = z.object({
  version: z.string(),
  sha256: z.string(),
  text: z.string(),
  firstRunAt: column.instant,
});

const COLUMNS = 'version, sha256, text, first_run_at as "firstRunAt"';

/** The latest declaration of a version; null when the version has never run. */
export function latestDeclaration(db: Queryable, version: string): Promise<Declaration | null> {
  return readRow(
    db,
    declaration,
    `select ${COLUMNS} from software_declaration where version = $1 order by first_run_at desc limit 1`,
    [version],
  );
}

/**
 * Inserts a declaration and appends it to the journal, unless the version's latest declaration has the same text.
 */
export async function insertDeclaration(db: Queryable, declaration: Declaration): Promise<void> {
  const { version, sha256, text, firstRunAt } = declaration;
  const row = { version, sha256, text, first_run_at: firstRunAt };
  const added: NewEntry = {
    ...{ environmentId: INSTALLATION, type: 'software_declaration.added', at: firstRunAt },
    ...{ subjectId: `${version}/${sha256}`, contentHash: hashOf(rowText(SOFTWARE_DECLARATION, row)) },
  };
  await execute(
    db,
    `with kept as (
       insert into software_declaration (version, sha256, text, first_run_at) values ($1, $2, $3, $4)
       on conflict (version, sha256) do nothing returning 1
     )
     select ${appendCall('$5')} from kept`,
    [version, sha256, text, firstRunAt, entriesJson([added])],
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
