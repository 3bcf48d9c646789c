import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { isSeriesId } from './request.ts';
import type { SeriesFacts } from './series.ts';
import { readSeriesWithIssuer } from './store/read-series.ts';

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
  type: SeriesType,
): Promise<Outcome<ChosenSeries>> {
  if (id !== undefined) return seriesOfType(db, caller.environmentId, id, type);
  const series = type === 'standard' ? caller.standardSeries : caller.rectifyingSeries;
  if (series === null)
    return refusedSeries(type, `The environment has no default ${type} series yet: create one.`);
  return { ...series, isDefault: true, issuer: OWN };
}

type SeriesType = 'standard' | 'rectifying';

/** Who issues on a series, by their tax id; without one the company itself. */
export type SeriesIssuer = { readonly taxId: string | null; readonly taxIdCountry: string | null };

/** The company itself. */
const OWN: SeriesIssuer = { taxId: null, taxIdCountry: null };

/** A series for an invoice. */
export type ChosenSeries = SeriesFacts & {
  readonly isDefault: boolean;
  /** Null while it has no invoice. */
  readonly issuer: SeriesIssuer | null;
};

/**
 * Why an invoice of that issuer (null: the company) cannot be on the series: each issuer has a series of its own, which is no default
 * (RD 1619/2012 art. 6.1.a), and the first invoice decides whose it is. Null if it can.
 */
export function issuerRefusal(
  series: Pick<ChosenSeries, 'isDefault' | 'issuer'>,
  issuer: SeriesIssuer | null,
  type: SeriesType,
): Refusal | null {
  const { taxId, taxIdCountry } = issuer ?? OWN;
  if (taxId !== null && series.isDefault)
    return unfit(type, `is the company’s own: ${OF_ISSUER}, named in number_series_id`);
  if (series.issuer === null) return null;
  if (series.issuer.taxId === taxId && series.issuer.taxIdCountry === taxIdCountry) return null;
  return unfit(type, `is that of another issuer: ${OF_ISSUER}`);
}

const OF_ISSUER = 'whoever issues in the company’s name has a series of their own (RD 1619/2012 art. 6.1.a)';

/**
 * The same with the chain locked, for the first invoice on a series that is no default: of several issuers one gets it. Null where nothing can have
 * changed, since the issuer of a series stays.
 */
export function issuerRecheck(
  environmentId: number,
  { id, isDefault, issuer: before }: ChosenSeries,
  issuer: SeriesIssuer | null,
  type: SeriesType,
): ((client: Queryable) => Promise<Refusal | null>) | null {
  if (before !== null || isDefault) return null;
  return async (client) => {
    const series = await readSeriesWithIssuer(client, environmentId, id);
    return series === null ? unknownSeries(type) : issuerRefusal(series, issuer, type);
  };
}

/** The series of that id, or the refusal of `seriesFor` when the environment has none with that id and type. */
export async function seriesOfType(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  id: string,
  type: SeriesType,
): Promise<Outcome<ChosenSeries>> {
  const series = isSeriesId(id) ? await readSeriesWithIssuer(db.pool, environmentId, id) : null;
  if (series?.imported) return unfit(type, 'holds imported invoices and issues none');
  if (series?.type === type) return series;
  return series === null ? unknownSeries(type) : unfit(type, `is not a ${type} series`);
}

/** The refusal of a series that does not exist, or no longer does. */
export function unknownSeries(type: SeriesType): Refusal {
  return unfit(type, 'does not exist in this environment');
}

function unfit(type: SeriesType, problem: string): Refusal {
  return refusedSeries(type, `The number series ${problem}.`);
}

function refusedSeries(type: SeriesType, detail: string): Refusal {
  return new Refusal(type === 'standard' ? 'invalid_number_series' : 'rectifying_series_invalid', detail);
}
