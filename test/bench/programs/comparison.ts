import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import type { SoftwareConfig } from '../../../src/ground/config/config.ts';
import { closeDb, openDb } from '../../../src/ground/db/client.ts';
import { type AgencyAccess, openAgencyClient } from '../../../src/subjects/registration/aeat/transport.ts';
import { compareWithAgency } from '../../../src/subjects/registration/resume-after-restore.ts';
import type { ChainKey } from '../../../src/subjects/registration/shapes.ts';

/** A process that compares one held chain with an agency and does nothing else, so that its memory is that of comparing. */

export type ComparisonTask = {
  readonly databaseUrl: string;
  readonly access: AgencyAccess;
  readonly software: SoftwareConfig;
  readonly chain: ChainKey;
};

/** `pagesMiB`: what is in use after each page, garbage collected; `highestMiB`: the most that the process ever had. */
export type ComparisonMemory = {
  readonly result: string;
  readonly pagesMiB: readonly number[];
  readonly highestMiB: readonly number[];
};

process.once('message', (task) => void compare(task as ComparisonTask));

async function compare({ databaseUrl, access, software, chain }: ComparisonTask): Promise<void> {
  const pagesMiB: number[] = [];
  const highestMiB: number[] = [];
  const eachPage = {
    write(line: string) {
      if (!line.includes('a page of what the agency holds')) return;
      globalThis.gc!();
      const { heapUsed, external } = process.memoryUsage();
      pagesMiB.push((heapUsed + external) / 2 ** 20);
      highestMiB.push(highestResidentMiB());
    },
  };
  const log = pino({ level: 'info' }, eachPage);
  const db = openDb(databaseUrl, { max: 4, log });
  const agency = openAgencyClient(access);
  const result = await compareWithAgency({ db, log, agency, software }, chain);
  agency.close();
  await closeDb(db);
  process.send!({ result, pagesMiB, highestMiB } satisfies ComparisonMemory, () => process.disconnect());
}

function highestResidentMiB(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
}
