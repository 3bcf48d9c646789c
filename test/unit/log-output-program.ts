import { createLogger } from '../../src/ground/lib/logger.ts';

/**
 * Logs so many lines, so many at a time, and then says on standard error how long it was held up at the longest; ends
 * when its standard input does.
 */
const [lines, atOnce] = process.argv.slice(2).map(Number) as [number, number];
const log = createLogger('info');
let longest = 0;
for (let line = 1; line <= lines; ) {
  const began = performance.now();
  for (let one = 0; one < atOnce && line <= lines; one += 1, line += 1) {
    log.info({ line }, 'x'.repeat(1_000));
  }
  longest = Math.max(longest, performance.now() - began);
  await new Promise((resolve) => setTimeout(resolve, 1));
}
process.stderr.write(`longest ${Math.round(longest)}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
