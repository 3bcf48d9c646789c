import type { Day } from '../../ground/lib/calendar.ts';
import { type BasisPoints, basisPointsOf, percentageOf } from '../../ground/lib/money.ts';
import { type TaxType, taxTypes } from './types.ts';

/** A rate and the days on which it is in force; without `from` it precedes every invoice that can be issued here. */
export type DatedRate = { readonly rate: BasisPoints; readonly from?: Day; readonly until?: Day };

/**
 * VAT. Ley 37/1992 arts. 90 and 91: general 21 % and reduced 10 % (Real Decreto-ley 20/2012, since 2012-09-01),
 * super-reduced 4 %, 0 % (art. 91.Cuatro). The passing rates of 2022 to 2024 on food and energy are those that the
 * agency still knows (validations v1.2.2 of 2026-04-08, 3.1.3.15.1, code 1124), with its days.
 */
const VAT: readonly DatedRate[] = [
  { rate: 2100 },
  { rate: 1000 },
  { rate: 400 },
  { rate: 0 },
  { rate: 500, from: '2022-07-01', until: '2024-09-30' },
  { rate: 200, from: '2024-10-01', until: '2024-12-31' },
  { rate: 750, from: '2024-10-01', until: '2024-12-31' },
];

/**
 * IGIC of the Canary Islands: general 7 %, reduced 0, 3 and 5, increased 9.5 and 15, special 20 (Ley 4/2012 de la
 * Comunidad Autónoma de Canarias, arts. 51 to 61). The agency keeps no list of its own, so that a rate missing here
 * costs a release and not a rejection. As of 2026-11.
 */
const IGIC: readonly DatedRate[] = [0, 300, 500, 700, 950, 1500, 2000].map((rate) => ({ rate }));

/**
 * IPSI of Ceuta and Melilla: the cities' ordinances choose between 0.5 and 10 % (Ley 8/1991 art. 18); in use are 0.5
 * and the whole percents. The agency keeps no list. As of 2026-11.
 */
const IPSI: readonly DatedRate[] = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000].map((rate) => ({
  rate,
}));

/**
 * VAT of the consumer's country under the one-stop shop: anything above 0 and up to 30 %. The highest rate in the
 * Union is 27 % (Hungary), and Directive 2006/112/EC art. 97 sets no ceiling.
 */
const OSS_ABOVE: BasisPoints = 0;
const OSS_UP_TO: BasisPoints = 3000;

/**
 * Other taxes: anything below 100 %, our own ceiling. The agency's field would hold 999.99, but below 100 % every
 * product of an amount and a rate stays exact (see percentOf).
 */
const OTHER_UP_TO: BasisPoints = 9999;

/**
 * The tables of one day, keyed by the percentage as callers write it (21, 9.5), so that a line needs one lookup.
 */
type RatesOfDay = {
  readonly day: Day;
  readonly listed: Readonly<Partial<Record<TaxType, ReadonlyMap<number, BasisPoints>>>>;
};

/** The day that decides which rates exist; `isEarlier`: it is that of an operation invoiced elsewhere, which a rectificativa corrects. */
export type RatesDay = { readonly day: Day; readonly isEarlier: boolean };

/** Whether a rate is in force on that day. */
export function isInForce({ from, until }: DatedRate, day: Day): boolean {
  return (from === undefined || day >= from) && (until === undefined || day <= until);
}

function byPercentage(table: readonly DatedRate[], day: Day): ReadonlyMap<number, BasisPoints> {
  return new Map(table.filter((rate) => isInForce(rate, day)).map(({ rate }) => [percentageOf(rate), rate]));
}

/** Almost every lookup is for today: the tables of the last requested day are cached. */
let latest: RatesOfDay | null = null;

function ratesOf(day: Day): RatesOfDay {
  if (latest?.day === day) return latest;
  latest = {
    day,
    listed: { vat: byPercentage(VAT, day), igic: byPercentage(IGIC, day), ipsi: byPercentage(IPSI, day) },
  };
  return latest;
}

/** The list of a type, if it has one. Of the IGIC only the present rates are listed, so an earlier day takes any (the general one was 6.5 % in 2019). */
function listOf(type: TaxType, { day, isEarlier }: RatesDay): ReadonlyMap<number, BasisPoints> | undefined {
  return isEarlier && type === 'igic' ? undefined : ratesOf(day).listed[type];
}

/**
 * The exact rate when `percentage` (21 means 21 %) is valid for a line of this type on that day, else null: missing
 * on a rated type, other than 0 on a rate-free one, not in force, or with more than two decimals.
 */
export function acceptedRate(
  type: TaxType,
  percentage: number | null | undefined,
  { day, isEarlier }: RatesDay,
): BasisPoints | null {
  if (!taxTypes[type].rated) return (percentage ?? 0) === 0 ? 0 : null;
  if (percentage === null || percentage === undefined) return null;
  const listed = listOf(type, { day, isEarlier });
  if (listed !== undefined) return listed.get(percentage) ?? null;
  const rate = basisPointsOf(percentage);
  if (rate === null) return null;
  if (type === 'eu_oss') return rate > OSS_ABOVE && rate <= OSS_UP_TO ? rate : null;
  return rate <= OTHER_UP_TO ? rate : null;
}

/** The rates in force on that day of a type that has a list of them; null for any other. */
export function listedRates(type: TaxType, day: Day): BasisPoints[] | null {
  const listed = ratesOf(day).listed[type];
  return listed === undefined ? null : [...listed.values()];
}

/** The valid rates of a line of this type on that day, for people: `one of 0, 4, 10, 21`. */
export function acceptedRates(type: TaxType, on: RatesDay): string {
  if (!taxTypes[type].rated) return 'no rate';
  const listed = listOf(type, on);
  if (listed !== undefined) return `one of ${[...listed.keys()].sort((a, b) => a - b).join(', ')}`;
  const [lowest, highest] = type === 'eu_oss' ? ['more than 0', OSS_UP_TO] : ['at least 0', OTHER_UP_TO];
  return `${lowest} and at most ${percentageOf(highest)}, with at most two decimals`;
}
