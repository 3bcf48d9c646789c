import type { Tagged } from '../kernel/operation.ts';
import { numberSeriesOperations } from './number-series.ts';

/** Every operation that is said in a contract. */
export const CONTRACT: readonly Tagged[] = [...numberSeriesOperations];
