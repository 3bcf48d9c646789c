import { createWriteStream, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { invalidField } from '../../ground/errors/refusal.ts';
import { environmentOf } from '../../subjects/accounts/companies.ts';
import { exportRecords } from '../../subjects/chain/export-records.ts';
import { alone, type Desk, reads, subject, type World } from './command.ts';
import { Ending } from './exits.ts';
import { may, need, needDay, word } from './options.ts';

/** What writing says when the other end of the pipe is gone. */
const ENOUGH = ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];

const SCHEMA = new URL('../../subjects/chain/record-export.xsd', import.meta.url);

export function records(program: Command, world: World): void {
  const group = subject(program, 'records', 'sealed registration records');
  reads(group, world, {
    name: 'export',
    says: 'writes the records of a period of a company as one XML document',
    details:
      'Writes the records that a company generated in a period, byte by byte as they were sealed, with where each stands at the agency: one XML document, described by "lacre records schema". It takes no more memory for more records, and issuing goes on meanwhile.',
    takes: {
      company: need('co_…', 'whose records'),
      environment: word(['live', 'test'], 'of which environment; live without it'),
      from: needDay('the first day, in Madrid'),
      to: needDay('the last day, in Madrid'),
      out: may('path', 'the file to write; standard output without it'),
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
  alone(group, world, {
    name: 'schema',
    says: 'prints the schema (XSD) of what export writes',
    takes: {},
    examples: [['Beside the agency’s own schema files', 'records schema > record-export.xsd']],
    async run({ json }) {
      const schema = readFileSync(SCHEMA, 'utf8');
      return json ? { schema } : schema;
    },
  });
}

type Wanted = {
  readonly company: string;
  readonly environment: 'live' | 'test' | undefined;
  readonly from: string;
  readonly to: string;
  readonly out: string | undefined;
};

async function exported(desk: Desk, { company, environment = 'live', from, to, out }: Wanted) {
  if (out === undefined && desk.json)
    return new Ending('usage', '--json needs --out: standard output is the XML');
  if (to < from) return invalidField('to', 'out_of_range', 'must not be before --from');
  const environmentId = await environmentOf(desk.db.pool, company, environment);
  if (environmentId === null) return invalidField('company', 'not_found', 'there is no such company');
  const bar = desk.progress('records');
  let count = 0;
  const pieces = exportRecords(
    desk.db.pool,
    { environmentId, from, to },
    {
      onProgress: (done, total) => {
        count = done;
        bar.show(done, total);
      },
    },
  );
  try {
    if (out === undefined) await pipeline(Readable.from(pieces), desk.stdout, { end: false });
    else await writeWhole(pieces, out);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    // Whoever reads has enough, as `head` does.
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
