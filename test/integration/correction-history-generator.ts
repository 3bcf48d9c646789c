import fc from 'fast-check';
import type { Command } from './family-model.ts';

/** Random histories of families: short ones for breadth, some long ones for depth. */

const constant = <const T>(value: T) => fc.constant(value);
const place = fc.nat({ max: 59 });
/** Most often the last invoice, which may be one that was given in exchange. */
const exchanged = fc.oneof(constant(-1), constant(-1), constant(-1), place);
/** In whole euros, so that 21 % of it is exact. */
const net = fc.integer({ min: -6, max: 9 });

const issue = fc.record({
  kind: constant('issue'),
  simplified: fc.boolean(),
  net: fc.integer({ min: 0, max: 9 }),
  externalId: fc.constantFrom(null, null, null, 'a'),
});

const command = fc.oneof(
  { weight: 2, arbitrary: issue },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: constant('rectify'),
      of: place,
      method: fc.constantFrom('differences', 'substitution'),
      net,
      wrongType: fc.constantFrom(false, false, false, false, false, false, true),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: constant('exchange'),
      tickets: fc.array(place, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: constant('return'),
      of: exchanged,
      ticket: fc.nat({ max: 3 }),
      net: fc.integer({ min: -3, max: -1 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: constant('replace'), of: exchanged }) },
  { weight: 5, arbitrary: fc.record({ kind: constant('void'), of: place }) },
  { weight: 2, arbitrary: fc.record({ kind: constant('amend'), of: place }) },
  { weight: 1, arbitrary: fc.record({ kind: constant('skip'), of: place }) },
  { weight: 1, arbitrary: fc.record({ kind: constant('settle'), of: place, outcome: outcome() }) },
);

function outcome() {
  return fc.constantFrom('registered', 'registered', 'registered', 'registered_with_errors', 'rejected');
}

/** The outcome at the agency of what the command before has sent, usually before anything else happens. */
const answer = fc.option(outcome(), { nil: null, freq: 6 });

const commands = fc.oneof(
  { weight: 8, arbitrary: fc.array(fc.tuple(command, answer), { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(fc.tuple(command, answer), { minLength: 4, maxLength: 10, size: 'max' }) },
);

/** A history begins with an invoice; `environment` says which of the given ones it takes place in. */
export type History = { readonly environment: number; readonly commands: readonly Command[] };

/** Histories in so many environments, of which every second is live. */
export const history = (environments: number): fc.Arbitrary<History> =>
  fc
    .tuple(fc.nat({ max: environments - 1 }), fc.tuple(issue, answer), commands)
    .map(([environment, first, rest]) => ({
      environment,
      commands: [first, ...rest].flatMap(([done, outcome]): Command[] =>
        environment % 2 === 0 || outcome === null
          ? [done]
          : [done, { kind: 'settle', of: 'of' in done && done.kind !== 'rectify' ? done.of : -1, outcome }],
      ),
    }));
