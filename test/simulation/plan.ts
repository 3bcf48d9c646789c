import { type Random, seeded } from './random.ts';

/** What `/_control` of the simulator is told. */
export type Settings = Readonly<Record<string, unknown>>;

export type Trigger = 'none' | 'flag' | 'reject';

/** A worker of a round: how it is cut off, and how long it waits for answers. */
export type WorkerPlan = {
  /** It dies at its so many-th moment (before or after a statement, before, in or after an exchange); null: never. */
  readonly dies: number | null;
};

export type Round = {
  readonly agency: Settings;
  /** Holds from the so many-th exchange of the round on. */
  readonly turns: { readonly after: number; readonly agency: Settings } | null;
  /** Before the workers begin, and while they work. */
  readonly issued: readonly Issue[];
  readonly issuedMeanwhile: readonly Issue[];
  /** Companies that cancel one of their invoices. */
  readonly cancelled: readonly number[];
  /** Companies that amend a record which the agency rejected or flagged. */
  readonly amended: readonly { readonly company: number; readonly trigger: Trigger }[];
  readonly workers: readonly WorkerPlan[];
  /** The company for which a process is started and killed, so many milliseconds after it began to send. */
  readonly killed: { readonly company: number; readonly afterMs: number } | null;
  /** Leases are taken from workers that live: their clocks, or the database's, have gone astray. */
  readonly takesOverLeases: boolean;
  readonly clockJumpMs: number;
  readonly operatorActs: boolean;
  /** How much time passes after the round. */
  readonly passes: number;
};

export type Issue = { readonly company: number; readonly count: number; readonly trigger: Trigger };

/** All that happens under one seed. What the workers do at once is still decided by the machine. */
export type Plan = {
  readonly companies: number;
  readonly steals: boolean;
  readonly rounds: readonly Round[];
};

/** The waits that an agency might request; the law's first is 60, the schema's longest 9999. */
const WAITS = [0, 1, 60, 60, 300, 3_600] as const;
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** The rarest trouble, the suspension, which some seeds have for certain, by their last digit. */
const CERTAIN_FAULTS = new Map([[4, 4141]]);

export function planOf(seed: number): Plan {
  const random = seeded(seed);
  const companies = seed % 10 === 0 ? 50 : random.integer(1, random.pick([3, 8, 20]));
  const steals = seed % 8 === 3;
  // One in so many seeds, none of the first, sees a company with more than an envelope holds, and kills processes.
  const large = seed % 40 === 27;
  const kills = seed % 5 === 1;
  const enforces = random.chance(0.6);
  const count = random.integer(3, 6);
  const rounds = Array.from({ length: count }, (_, index) =>
    roundOf(random, { companies, steals, kills, enforces, large: large && index === 0 }),
  );
  const sure = CERTAIN_FAULTS.get(seed % 10);
  return { companies, steals, rounds: sure === undefined ? rounds : withCertainFault(rounds, sure) };
}

/** The second round meets the fault whatever else happens: there is something to send, its time has come, somebody lives. */
function withCertainFault([first, second, ...rest]: Round[], code: number): Round[] {
  const issued = [...second!.issued, { company: 0, count: 1, trigger: 'none' as const }];
  return [
    { ...first!, clockJumpMs: 0, passes: 2 * HOUR },
    {
      ...second!,
      agency: { mode: 'fault', fault_code: code, wait_seconds: 60 },
      turns: null,
      issued,
      workers: [...second!.workers, { dies: null }],
      ...{ clockJumpMs: 0, takesOverLeases: false, killed: null },
    },
    ...rest,
  ];
}

type Bounds = {
  readonly companies: number;
  readonly steals: boolean;
  readonly kills: boolean;
  readonly enforces: boolean;
  readonly large: boolean;
};

function roundOf(random: Random, bounds: Bounds): Round {
  const company = () => random.integer(0, bounds.companies - 1);
  const wait = random.chance(0.15) ? null : random.pick(WAITS);
  const agency = { ...trouble(random), wait_seconds: wait, enforce_wait: bounds.enforces };
  const turn = random.chance(0.5)
    ? {
        after: random.integer(1, 12),
        agency: random.chance(0.5) ? { mode: 'ok' } : trouble(random),
      }
    : null;
  const issues = (most: number) =>
    Array.from({ length: random.integer(0, most) }, () => issueOf(random, company()));
  return {
    agency,
    turns: turn,
    issued: [
      ...issues(Math.min(bounds.companies * 2, 20)),
      ...(bounds.large
        ? [{ company: 0, count: random.integer(1_001, 1_300), trigger: 'none' as const }]
        : []),
    ],
    issuedMeanwhile: issues(6),
    cancelled: Array.from({ length: random.integer(0, 3) }, company),
    amended: Array.from({ length: random.integer(0, 3) }, () => ({
      company: company(),
      trigger: triggerOf(random),
    })),
    workers: Array.from({ length: random.integer(1, 6) }, () => ({
      dies: random.chance(0.3) ? random.integer(1, 60) : null,
    })),
    killed:
      bounds.kills && random.chance(0.5) ? { company: company(), afterMs: random.integer(0, 12) } : null,
    takesOverLeases: bounds.steals && random.chance(0.7),
    clockJumpMs: random.chance(0.2) ? jump(random) : 0,
    operatorActs: random.chance(0.25),
    passes: random.pick([SECOND, 61 * SECOND, 61 * SECOND, 150 * SECOND, 400 * SECOND, HOUR, 2 * HOUR]),
  };
}

function triggerOf(random: Random): Trigger {
  return random.chance(0.1) ? 'reject' : random.chance(0.1) ? 'flag' : 'none';
}

function issueOf(random: Random, company: number): Issue {
  const trigger = triggerOf(random);
  return { company, count: random.chance(0.1) ? random.integer(5, 20) : random.integer(1, 3), trigger };
}

/** Seconds to minutes, and once in a while days, either way. */
function jump(random: Random): number {
  const size = random.pick([2 * SECOND, 90 * SECOND, 600 * SECOND, 50 * HOUR]);
  return random.chance(0.5) ? size : -size;
}

/** How the agency behaves: well as often as not. */
function trouble(random: Random): Settings {
  if (random.chance(0.35)) return { mode: 'ok', delay_ms: random.chance(0.3) ? random.integer(1, 20) : 0 };
  const mode = random.pick([
    ...([
      'down',
      'hang',
      'accept_then_drop',
      'accept_then_drop',
      'garbage',
      'slow',
      'fault',
      'fault',
    ] as const),
  ]);
  if (mode === 'slow') return { mode, delay_ms: random.pick([10, 10, 400]) };
  if (mode !== 'fault') return { mode };
  // Of each kind one: passing trouble, a bad record, too early, no mandate, unknown to us; and seldom the suspension.
  const code = random.chance(0.05) ? 4141 : random.pick([3501, 3500, 4102, 4134, 4112, 4139]);
  return { mode, fault_code: code };
}
