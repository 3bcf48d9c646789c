import { setPriority } from 'node:os';
import type { Extent, Outcomes, Target } from '../attack.ts';
import { createAttacker } from '../attacker.ts';
import { ATTACKS } from '../attacks.ts';

/** What a process is told that shall attack. */
export type AttackOrder = { readonly attack: string; readonly target: Target; readonly extent: Extent };

const {
  attack: name,
  target,
  extent,
} = await new Promise<AttackOrder>((given) =>
  process.once('message', (message) => given(message as AttackOrder)),
);
// An attacker has a machine of its own: here it shall not take the processor from whom it attacks.
setPriority(10);
const outcomes: Outcomes = {};
const attacker = createAttacker(target, extent, outcomes);
const attack = ATTACKS.find((one) => one.name === name)!;
const until = performance.now() + extent.seconds * 1_000;
do await attack.round(attacker);
while (performance.now() < until);
process.send!(outcomes, () => process.exit());
