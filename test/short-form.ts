import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * `npm test`: the checks of `npm run check` and the short form of the tests, side by side. The tests wait for a database or a
 * process much of the time, and begin and end with one file at a time; the checks use what they leave of two processors.
 * Arguments are vitest's. Ends with 1 if the checks or the tests fail; what the checks found is printed last, below the tests.
 */
const tests = spawn('npx', ['vitest', 'run', '--mode', 'short', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
const checks = spawn('npm', ['run', '--silent', 'check'], { stdio: ['ignore', 'pipe', 'pipe'] });
const printed = Promise.all([text(checks.stdout), text(checks.stderr)]);

const statuses = await Promise.all([statusOf(tests), statusOf(checks)]);
process.stdout.write((await printed).join(''));
console.log(statuses[1] === 0 ? 'npm run check passed' : 'npm run check failed');
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;

async function statusOf(child: ChildProcess): Promise<number | null> {
  const [status] = await once(child, 'close');
  return status;
}
