import type { Queryable } from '../../ground/db/queryable.ts';
import { missingNumbers, readNumbering, typesWithoutDefault } from './store/series.ts';
import type { Finding } from './verify-record.ts';

/**
 * Whether the numbers of each series run from 1 to its counter without gaps (RD 1619/2012 art. 6.1.a), and whether
 * each type that has series has a default.
 */
export async function verifySeries(client: Queryable, environmentId: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const row of await readNumbering(client, environmentId)) {
    const name = `${row.series}/${row.year}`;
    const note = (what: Finding['what'], expected: string, found: string | null) =>
      findings.push({
        ...{ chainId: null, position: null, recordId: null, invoiceId: null },
        ...{ what, expected, found },
      });
    const { last, count, highest, jumped } = row;
    if (last === null) note('series_without_counter', `${name} up to ${highest}`, null);
    else if ((highest ?? 0) > last)
      note('series_number_beyond_counter', `${name} up to ${last}`, `${highest}`);
    if (last === null || ((count ?? 0) + jumped === last && (highest ?? 0) <= last)) continue;
    for (const missing of await missingNumbers(client, environmentId, row, last)) {
      note('series_number_missing', `${name}/${missing}`, null);
    }
  }
  for (const type of await typesWithoutDefault(client, environmentId)) {
    findings.push({
      ...{ chainId: null, position: null, recordId: null, invoiceId: null },
      ...{ what: 'default_series_missing', expected: `a default ${type} series`, found: null },
    });
  }
  return findings;
}
