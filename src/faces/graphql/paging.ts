import { Refusal } from '../../ground/errors/refusal.ts';
import { orRefuse } from './errors.ts';

/** The contract's page: 1 to 100, 25 when nothing is said. */
export const PAGE = { default: 25, max: 100 };

type ConnectionArguments = {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
};

/** What a list costs: its fields once for every item that the page may hold. */
export function pageCost({ first }: ConnectionArguments) {
  return { field: 1, multiplier: first ?? PAGE.default };
}

/** `invalid_request` for a list that is asked for from its end: there is no such order to page in. */
export function readForwards({ last, before }: ConnectionArguments): void {
  if (last == null && before == null) return;
  orRefuse(new Refusal('invalid_request', 'The list is read forwards: use first and after.'));
}
