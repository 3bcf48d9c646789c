import type { Db } from '../../ground/db/client.ts';
import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { isSeriesId } from './request.ts';
import type { SeriesFacts } from './series.ts';
import { readSeries } from './store/read-series.ts';

/** An environment with its default series; null of a type that it has no series of. */
type WithDefaults = {
  readonly environmentId: number;
  readonly standardSeries: SeriesFacts | null;
  readonly rectifyingSeries: SeriesFacts | null;
};

/**
 * The series of an invoice: the requested one, or the environment's default of the type. A malformed or unknown id,
 * or one of the other type, is `invalid_number_series` for an ordinary invoice (docs/contract.md#issuing) and
 * `rectifying_series_invalid` for a rectificativa (docs/contract.md#corrections).
 */
export async function seriesFor(
  db: Pick<Db, 'pool'>,
  caller: WithDefaults,
  id: string | undefined,
  type: 'standard' | 'rectifying',
): Promise<Outcome<SeriesFacts>> {
  if (id === undefined) {
    const series = type === 'standard' ? caller.standardSeries : caller.rectifyingSeries;
    return series ?? refusedSeries(type, `The environment has no default ${type} series yet: create one.`);
  }
  return seriesOfType(db, caller.environmentId, id, type);
}

/** The series of that id, or the refusal of `seriesFor` when the environment has none with that id and type. */
export async function seriesOfType(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  id: string,
  type: 'standard' | 'rectifying',
): Promise<Outcome<SeriesFacts>> {
  const series = isSeriesId(id) ? await readSeries(db.pool, environmentId, id) : null;
  if (series?.imported) return unfit(type, 'holds imported invoices and issues none');
  if (series?.type === type) return series;
  return series === null ? unknownSeries(type) : unfit(type, `is not a ${type} series`);
}

/** The refusal of a series that does not exist, or no longer does. */
export function unknownSeries(type: 'standard' | 'rectifying'): Refusal {
  return unfit(type, 'does not exist in this environment');
}

function unfit(type: 'standard' | 'rectifying', problem: string): Refusal {
  return refusedSeries(type, `The number series ${problem}.`);
}

function refusedSeries(type: 'standard' | 'rectifying', detail: string): Refusal {
  return new Refusal(type === 'standard' ? 'invalid_number_series' : 'rectifying_series_invalid', detail);
}
