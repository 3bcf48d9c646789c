import fc from 'fast-check';
import type { Act } from './family-model.ts';

/** Random histories of families: short ones for breadth, some long ones for depth. */

const constant = <const T>(value: T) => fc.constant(value);
const place = fc.nat({ max: 59 });
/** In whole euros, so that 21 % of it is exact. */
const net = fc.integer({ min: -6, max: 9 });

const issue = fc.record({
  act: constant('issue'),
  simplified: fc.boolean(),
  net: fc.integer({ min: 0, max: 9 }),
  externalId: fc.constantFrom(null, null, null, 'a'),
});

const act = fc.oneof(
  { weight: 2, arbitrary: issue },
  {
    weight: 7,
    arbitrary: fc.record({
      act: constant('rectify'),
      of: place,
      method: fc.constantFrom('differences', 'substitution'),
      net,
      wrongType: fc.constantFrom(false, false, false, false, false, false, true),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: constant('exchange'),
      tickets: fc.array(place, { minLength: 1, maxLength: 2 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ act: constant('void'), of: place }) },
  { weight: 2, arbitrary: fc.record({ act: constant('amend'), of: place }) },
  { weight: 1, arbitrary: fc.record({ act: constant('skip'), of: place }) },
  { weight: 1, arbitrary: fc.record({ act: constant('settle'), of: place, verdict: verdict() }) },
);

function verdict() {
  return fc.constantFrom('registered', 'registered', 'registered', 'registered_with_errors', 'rejected');
}

/** What the agency says of what the act before has sent, usually before anything else happens. */
const answer = fc.option(verdict(), { nil: null, freq: 6 });

const acts = fc.oneof(
  { weight: 8, arbitrary: fc.array(fc.tuple(act, answer), { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(fc.tuple(act, answer), { minLength: 4, maxLength: 10, size: 'max' }) },
);

/** A history begins with an invoice; `environment` says which of the given ones it takes place in. */
export type History = { readonly environment: number; readonly acts: readonly Act[] };

/** Histories in so many environments, of which every second is live. */
export const history = (environments: number): fc.Arbitrary<History> =>
  fc
    .tuple(fc.nat({ max: environments - 1 }), fc.tuple(issue, answer), acts)
    .map(([environment, first, rest]) => ({
      environment,
      acts: [first, ...rest].flatMap(([done, verdict]): Act[] =>
        environment % 2 === 0 || verdict === null
          ? [done]
          : [done, { act: 'settle', of: 'of' in done && done.act !== 'rectify' ? done.of : -1, verdict }],
      ),
    }));
