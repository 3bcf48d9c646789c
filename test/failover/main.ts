import { parseArgs } from 'node:util';
import { closeConnections } from '../support/processes/fleet.ts';
import { endPrograms } from '../support/processes/running-program.ts';
import { type Outcome, startFailoverTest } from './failover-test.ts';
import { missingPrograms, startPatroni } from './patroni.ts';

/**
 * `npm run failover -- --promotions 20`: kills the leading one of two database servers under load, again and again, and
 * promotes the other one, in turn with synchronous and with asynchronous replication that has lost commits. Prints what
 * each promotion did to what callers had been acknowledged, and fails when a promise was broken. `--patroni` has Patroni promote
 * one of three servers each time, some 20 s a promotion; `--away 600` instead has the primary away for ten minutes.
 */
const { values } = parseArgs({
  options: {
    promotions: { type: 'string', default: '20' },
    mode: { type: 'string', default: 'both' },
    patroni: { type: 'boolean', default: false },
    away: { type: 'string' },
  },
});

if (values.patroni) {
  const missing = missingPrograms();
  if (missing.length > 0) {
    console.log(
      `SKIPPED: ${missing.join(', ')} not here (Debian: patroni, etcd-server, haproxy, postgresql-15)`,
    );
    process.exit(0);
  }
  values.mode = 'synchronous';
}

const MODES =
  values.mode === 'both' ? (['synchronous', 'asynchronous'] as const) : [values.mode as Outcome['mode']];

/** What a promotion must not do. */
function broken(outcome: Outcome): string[] {
  const faults = [
    ...(outcome.doubled.length > 0 ? ['numbers given twice'] : []),
    ...(outcome.findings.length > 0 ? ['chains or series are not sound'] : []),
    ...(outcome.issuedWhileHeld > 0 ? ['live numbers given while held'] : []),
    ...(outcome.faults.length > 0 ? ['answers that callers must not get'] : []),
  ];
  if (outcome.mode === 'asynchronous') return outcome.held ? faults : [...faults, 'not held'];
  return [
    ...faults,
    ...(outcome.held ? ['held although nothing was lost'] : []),
    ...(outcome.lost > 0 ? ['acknowledged invoices lost'] : []),
    ...(Math.max(outcome.testAgainMs, outcome.liveAgainMs) > 5_000 ? ['not issuing within 5 s'] : []),
  ];
}

if (values.away !== undefined) {
  const failover = await startFailoverTest({ servers: 1, callersPerServer: 1, nif: 1_501 });
  try {
    console.log(await failover.outage(Number(values.away)));
  } finally {
    closeConnections();
    await failover.remove();
    endPrograms();
  }
  process.exit(0);
}

let failed = false;
const lostBefore = { count: 0 };
const start = values.patroni ? { start: startPatroni } : {};
const failover = await startFailoverTest({ servers: 2, callersPerServer: 3, nif: 1_500, ...start });
console.log('  # mode  acknowledged  lost  doubled  findings  held  forked  test again  live again');
try {
  for (let index = 0; index < Number(values.promotions); index += 1) {
    const outcome = await failover.failOver(MODES[index % MODES.length]!);
    // What an asynchronous promotion lost stays lost.
    const lost = outcome.lost - lostBefore.count;
    lostBefore.count = outcome.lost;
    const faults = broken({ ...outcome, lost });
    failed ||= faults.length > 0;
    console.log(
      [
        String(index + 1).padStart(3),
        outcome.mode.padEnd(12),
        String(outcome.acknowledged).padStart(4),
        String(lost).padStart(5),
        String(outcome.doubled.length).padStart(8),
        String(outcome.findings.length).padStart(9),
        (outcome.held ? 'yes' : 'no').padStart(5),
        (outcome.forked ? 'yes' : 'no').padStart(7),
        `${outcome.testAgainMs} ms`.padStart(11),
        `${outcome.liveAgainMs} ms`.padStart(11),
        ...faults.map((fault) => ` ← ${fault}`),
      ].join(' '),
    );
    if (faults.length > 0)
      console.log([...outcome.doubled, ...outcome.findings, ...outcome.faults].slice(0, 10));
  }
} finally {
  closeConnections();
  await failover.remove();
  endPrograms();
}
process.exit(failed ? 1 : 0);
