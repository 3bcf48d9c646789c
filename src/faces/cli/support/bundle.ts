import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Config } from '../../../ground/config/config.ts';
import { closeDb, type Db, openDb } from '../../../ground/db/client.ts';
import { serverVersion } from '../../../ground/db/server.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { createLogger } from '../../../ground/lib/logger.ts';
import { ZipWriting } from '../../../subjects/formats/export/zip-writing.ts';
import { type CliRuntime, standaloneCommand } from '../command.ts';
import { databaseUrlOf } from '../doctor/database.ts';
import { type Finding, failure, reasonOf } from '../doctor/finding.ts';
import { requiredOption } from '../options.ts';
import { writeWhole } from '../write-whole.ts';
import { PARTS } from './contents.ts';

const README = 'README.txt';

/** What the file holds, for the operator who sends it and for who gets it. */
const HOLDS = [
  'What it holds:',
  ...Object.entries(PARTS).map(([name, { holds }]) => `  ${name.padEnd(16)} ${holds}`),
  'What it does not hold: invoices, names, tax ids, addresses, amounts, secrets, host names. Words that are not known to be technical',
  'are replaced by an ellipsis. Ids of companies and records are in it: they say nothing without the database.',
  '',
].join('\n');

export function supportBundle(program: Command, runtime: CliRuntime): void {
  standaloneCommand(program, runtime, {
    name: 'support-bundle',
    description: 'writes what support needs to know into one ZIP file, without personal data and secrets',
    details:
      'Writes versions, settings without secrets, what doctor finds, what waits in queues, the last errors, and the slowest statements with their plans into one ZIP file, and prints first what it holds. Personal data and secrets are not in it. It changes nothing, and works without a database that answers.',
    parameters: { out: requiredOption('path', 'the file to write') },
    examples: [['For a question to support', 'support-bundle --out support.zip']],
    async run({ json, stdout }, { out }) {
      if (!json) stdout.write(HOLDS);
      const config = configOf(runtime);
      const db = config instanceof Error ? null : await answeringDatabase(config);
      try {
        const source = { version: version(), db, findings: () => diagnosis(config) };
        const writing = new ZipWriting(README);
        const filled = fill(writing, source).catch((error: Error) => {
          writing.out.destroy(error);
        });
        const failed = await writeWhole({ zip: writing.out }, out);
        await filled;
        return failed ?? { file: out, holds: [README, ...Object.keys(PARTS)] };
      } finally {
        if (db !== null) await closeDb(db);
      }
    },
  });
}

async function fill(
  writing: ZipWriting,
  source: Parameters<(typeof PARTS)[string]['read']>[0],
): Promise<void> {
  for (const [name, { read }] of Object.entries(PARTS)) {
    const content = `${JSON.stringify(await read(source), null, 2)}\n`;
    await writing.add(name, Buffer.from(content), clock.now());
  }
  await writing.end(Buffer.from(`Made by lacre support-bundle, ${clock.now().toISOString()}.\n\n${HOLDS}`));
}

function configOf(runtime: CliRuntime): Config | Error {
  try {
    return runtime.config();
  } catch (error) {
    return error as Error;
  }
}

/** The database, if it answers now; otherwise what is known without it is still worth sending. */
async function answeringDatabase(config: Config): Promise<Db | null> {
  const url = databaseUrlOf(config);
  if (url === null) return null;
  const db = openDb(url, { max: 2, log: createLogger('silent'), directUrl: config.databaseDirectUrl });
  try {
    await serverVersion(db.pool);
    return db;
  } catch {
    await closeDb(db);
    return null;
  }
}

async function* diagnosis(config: Config | Error): AsyncGenerator<Finding> {
  if (config instanceof Error) {
    yield failure('configuration', reasonOf(config), 'see the table of settings');
    return;
  }
  const { examine } = await import('../doctor/examine.ts');
  yield* examine(config);
}

function version(): string {
  const file = new URL('../../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
