import { CAUSES } from '../../src/ground/lib/causes.ts';
import { closeConnections } from '../support/processes/fleet.ts';
import { endPrograms } from '../support/processes/running-program.ts';
import { incidents } from './incidents.ts';

/**
 * `npm run incidents`: has one incident after the other happen to a service of several processes, and prints after how many
 * seconds each place says its cause: the log, the doctor, the console, and the alert, scraped and evaluated every 15 s. Fails if
 * one takes longer than a minute. Ten minutes; the full disk needs root. `-- agency`, `database`, `processes` or `disk` is one group.
 */
const LONGEST_SECONDS = 60;

const PLACES = ['log', 'doctor', 'console', 'alert'] as const;
console.log(
  `| what happens | what all say | ${PLACES.join(' | ')} |\n| --- | --- | ${'---: | '.repeat(PLACES.length)}`,
);
let failed = false;
try {
  for await (const { name, cause, times } of incidents(process.argv[2])) {
    const shown = PLACES.map((place) => times[place]?.toFixed(0) ?? 'never');
    failed ||= PLACES.some((place) => (times[place] ?? Number.POSITIVE_INFINITY) > LONGEST_SECONDS);
    console.log(`| ${name} | ${CAUSES[cause]} | ${shown.join(' s | ')} s |`);
  }
} finally {
  closeConnections();
  endPrograms();
}
process.exit(failed ? 1 : 0);
