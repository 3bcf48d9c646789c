import { createWriteStream, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { Db } from '../../ground/db/client.ts';
import { readFromStandby } from '../../ground/db/standby/read-from.ts';
import { invalidField } from '../../ground/errors/refusal.ts';
import { environmentOf } from '../../subjects/accounts/store/read-companies.ts';
import { exportRecords } from '../../subjects/chain/export-records.ts';
import { type CliRuntime, type CommandContext, commandGroup, standaloneCommand } from './command.ts';
import { queryCommand } from './database-command.ts';
import { CommandFailure } from './exit-status.ts';
import { choiceOption, optionalOption, requiredDay, requiredOption } from './options.ts';

/** The error of writing when the other end of the pipe is closed. */
const ENOUGH = ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];

const SCHEMA = new URL('../../subjects/chain/record-export.xsd', import.meta.url);

export function records(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'records', 'sealed registration records');
  queryCommand(group, runtime, {
    name: 'export',
    description: 'writes the records of a period of a company as one XML document',
    details:
      'Writes the records that a company generated in a period, byte by byte as they were sealed, each with its registration status: one XML document, described by "lacre records schema". Memory use does not grow with the number of records, and issuing continues meanwhile.',
    parameters: {
      company: requiredOption('co_…', 'whose records'),
      environment: choiceOption(['live', 'test'], 'the environment; live by default'),
      from: requiredDay('the first day'),
      to: requiredDay('the last day'),
      out: optionalOption('path', 'the file to write; standard output by default'),
    },
    examples: [
      [
        'The first quarter, for an inspector',
        'records export --company $COMPANY --from 2026-01-01 --to 2026-03-31 --out records-2026-q1.xml',
      ],
      [
        'The same for another program',
        'records export --company $COMPANY --from 2026-01-01 --to 2026-03-31 > records.xml',
      ],
    ],
    run: exported,
  });
  standaloneCommand(group, runtime, {
    name: 'schema',
    description: 'prints the schema (XSD) of the export',
    parameters: {},
    examples: [['Beside the agency’s own schema files', 'records schema > record-export.xsd']],
    async run({ json }) {
      const schema = readFileSync(SCHEMA, 'utf8');
      return json ? { schema } : schema;
    },
  });
}

type Selection = {
  readonly company: string;
  readonly environment: 'live' | 'test' | undefined;
  readonly from: string;
  readonly to: string;
  readonly out: string | undefined;
};

async function exported(
  context: CommandContext,
  { company, environment = 'live', from, to, out }: Selection,
) {
  if (out === undefined && context.json)
    return new CommandFailure('usage', '--json requires --out: standard output is the XML');
  if (to < from) return invalidField('to', 'out_of_range', 'must not be before --from');
  const environmentId = await environmentOf(context.db.pool, company, environment);
  if (environmentId === null) return invalidField('company', 'not_found', 'there is no such company');
  const bar = context.progress('records');
  let count = 0;
  const onProgress = (done: number, total: number) => {
    count = done;
    bar.show(done, total);
  };
  const pieces = ({ pool }: Pick<Db, 'pool'>) =>
    exportRecords(pool, { environmentId, from, to }, { onProgress });
  try {
    // What went to standard output cannot be begun again if a standby fails in the middle.
    if (out === undefined) await pipeline(Readable.from(pieces(context.db)), context.stdout, { end: false });
    else {
      const { db } = context;
      const standby = await context.standby();
      await readFromStandby({ db, standby }, null, (source) => writeWhole(pieces(source), out));
    }
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    // A reader such as `head` may close the pipe early.
    if (out === undefined && ENOUGH.includes(code ?? '')) return undefined;
    if (syscall !== 'open') throw error;
    return invalidField('out', 'not_writable', `cannot be written: ${(error as Error).message}`);
  } finally {
    bar.end();
  }
  return out === undefined ? undefined : { records: count, file: out, company, environment, from, to };
}

/** Under the wanted name there is never half a file. */
async function writeWhole(pieces: AsyncGenerator<string>, out: string): Promise<void> {
  const unfinished = `${out}.part`;
  try {
    await pipeline(Readable.from(pieces), createWriteStream(unfinished));
    await rename(unfinished, out);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
