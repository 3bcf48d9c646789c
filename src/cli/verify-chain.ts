import { parseArgs } from 'node:util';
import type { Finding } from '../chain/verify-record.ts';
import { readConfig } from '../config.ts';
import { createLogger } from '../lib/logger.ts';
import { verifyAndKeep } from '../operations/verification.ts';
import { Closing } from '../startup/closing.ts';
import { openSharedDatabase } from '../startup/database.ts';

const USAGE = `Usage: npm run verify-chain -- [--environment <number>] [--json]

Reads every record of the chains a second time, from its own XML, and says what does not fit. Without an environment
it looks at all of them. Exit status: 0 all is sound, 1 something is wrong or failed, 2 not understood.
It works on DATABASE_URL, or on the database of the service that runs on this machine (DATA_DIR).`;

/** Nobody else shares this process, so larger bites than the service's. */
const BATCH = 500;
const BAR = 30;

type Options = { environment: number | null; json: boolean };

function optionsOf(args: string[]): Options | null {
  try {
    const options = { environment: { type: 'string' }, json: { type: 'boolean', default: false } } as const;
    const { values } = parseArgs({ args, options });
    if (values.environment === undefined) return { environment: null, json: values.json };
    const environment = Number(values.environment);
    return Number.isSafeInteger(environment) && environment > 0 ? { environment, json: values.json } : null;
  } catch {
    return null;
  }
}

async function main(args: string[]): Promise<number> {
  const options = optionsOf(args);
  if (options === null) {
    console.error(USAGE);
    return 2;
  }
  const log = createLogger('silent');
  const closing = new Closing();
  try {
    const db = await openSharedDatabase(readConfig(), log, closing);
    const { rows } = await db.pool.query<{ id: number }>(
      'select id from environment where $1::int is null or id = $1 order by id',
      [options.environment],
    );
    if (rows.length === 0 && options.environment !== null) throw new Error('there is no such environment');
    let findings = 0;
    for (const { id } of rows) {
      const found = await verifyAndKeep({ db, log }, id, {
        batch: BATCH,
        ...(process.stderr.isTTY && !options.json ? { onProgress: progressBar(id) } : {}),
      });
      if (found === null) continue;
      findings += found.findingCount;
      if (options.json) console.log(JSON.stringify(found));
      else if (found.records > 0 || found.findingCount > 0) {
        const speed = Math.round((found.records / Math.max(found.milliseconds, 1)) * 1_000);
        const verdict = found.findingCount === 0 ? 'sound' : `${found.findingCount} FINDINGS`;
        console.log(`environment ${id}: ${found.records} records, ${verdict} (${speed} a second)`);
        for (const finding of found.findings) console.log(`  ${inWords(finding)}`);
        const more = found.findingCount - found.findings.length;
        if (more > 0) console.log(`  and ${more} more`);
      }
    }
    return findings === 0 ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  } finally {
    await closing.run(log);
  }
}

function inWords({ what, chainId, position, recordId, invoiceId, expected, found }: Finding): string {
  const where = [
    chainId === null ? null : `chain ${chainId}`,
    position === null ? null : `position ${position}`,
    recordId,
    invoiceId,
  ];
  const place = where.filter((part) => part !== null).join(', ');
  return `${what}${place === '' ? '' : ` at ${place}`}: expected ${expected ?? 'nothing'}, found ${found ?? 'nothing'}`;
}

/** Drawn over itself, some times a second. */
function progressBar(environment: number): (done: number, total: number) => void {
  let drawn = 0;
  return (done, total) => {
    const now = performance.now();
    if (done < total && now - drawn < 100) return;
    drawn = now;
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const bar = '█'.repeat(Math.round(share * BAR)).padEnd(BAR, '·');
    const line = `environment ${environment} ${bar} ${done}/${total}`;
    process.stderr.write(done < total ? `\r${line}` : `\r${' '.repeat(line.length)}\r`);
  };
}

process.exitCode = await main(process.argv.slice(2));
