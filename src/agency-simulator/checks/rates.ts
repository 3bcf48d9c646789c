import type { Day } from '../time.ts';
import type { Detail } from './detail.ts';
import { type Finding, finding } from './finding.ts';

/** IVA rates in hundredths of a percent (validations 15.1). */
const IVA = new Set([0, 200, 400, 500, 750, 1_000, 2_100]);

/** Rates that were in force for a time only: first and last day, and the code outside of it. */
const TEMPORARY: ReadonlyMap<number, readonly [Day, Day, number]> = new Map([
  [500, ['2022-07-01', '2024-09-30', 1194]],
  [200, ['2024-10-01', '2024-12-31', 1235]],
  [750, ['2024-10-01', '2024-12-31', 1236]],
]);

/** Surcharge rates that exist at all (validations 15.3). */
const SURCHARGES = new Set([0, 26, 50, 62, 100, 140, 175, 520]);

/** Surcharge rates that go with an IVA rate, and the code for any other. */
const PAIRS: ReadonlyMap<number, readonly [readonly number[], number]> = new Map([
  [2_100, [[520, 175], 1162]],
  [1_000, [[140], 1163]],
  [750, [[100], 1169]],
  [500, [[50, 62], 1160]],
  [400, [[50], 1164]],
  [200, [[26], 1166]],
]);

/** The surcharge of 5 % was 0.5 until the end of 2022, and 0.62 from then on (1167, 1168). */
const FIVE_PAIR_CHANGES = '2023-01-01';

/** On these days a rate of 0 admits a surcharge of 0 alone (1165); from the end on 0.26 alone (1170). */
const ZERO_PAIR_BEGINS = '2023-01-01';
const ZERO_PAIR_ENDS = '2024-10-01';

/** The IVA rate and its surcharge on the day that decides; other taxes have no list at the agency. */
export function* checkRates({ tax, operation, rate, surchargeRate }: Detail, day: Day): Generator<Finding> {
  if (tax !== '01' || operation !== 'S1' || rate === null) return;
  if (!IVA.has(rate)) yield finding(1124);
  const temporary = TEMPORARY.get(rate);
  if (temporary !== undefined && (day < temporary[0] || day > temporary[1])) yield finding(temporary[2]);
  if (surchargeRate === null) return;
  if (!SURCHARGES.has(surchargeRate)) yield finding(1127);
  const pair = PAIRS.get(rate);
  if (pair !== undefined && !pair[0].includes(surchargeRate)) yield finding(pair[1]);
  if (rate === 500) yield* checkFivePair(surchargeRate, day);
  if (rate === 0) yield* checkZeroPair(surchargeRate, day);
}

function* checkFivePair(surchargeRate: number, day: Day): Generator<Finding> {
  if (day < FIVE_PAIR_CHANGES && surchargeRate !== 50) yield finding(1167);
  if (day >= FIVE_PAIR_CHANGES && surchargeRate !== 62) yield finding(1168);
}

function* checkZeroPair(surchargeRate: number, day: Day): Generator<Finding> {
  if (day >= ZERO_PAIR_ENDS && surchargeRate !== 26) yield finding(1170);
  if (day < ZERO_PAIR_ENDS && surchargeRate !== 0) yield finding(day < ZERO_PAIR_BEGINS ? 1277 : 1165);
}
