import type { Queryable } from '../../../ground/db/queryable.ts';
import { execute } from '../../../ground/db/rows.ts';
import type { Day } from '../../../ground/lib/calendar.ts';

/** Sets the last day of VERI*FACTU of a company, of which the agency is to be told; false if it is that day already. */
export async function setVerifactuEnd(db: Queryable, companyId: string, lastDay: Day): Promise<boolean> {
  const changed = await execute(
    db,
    `update company set verifactu_ends_on = $2, verifactu_end_told_at = null
      where id = $1 and verifactu_ends_on is distinct from $2::date`,
    [companyId, lastDay],
  );
  return changed === 1;
}
