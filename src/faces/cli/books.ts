import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { invalidField, isRefusal } from '../../ground/errors/refusal.ts';
import { environmentToday, readEnvironmentTime } from '../../subjects/accounts/entry/environment-time.ts';
import { environmentOf } from '../../subjects/accounts/store/read-companies.ts';
import { registerBook } from '../../subjects/register-books/book.ts';
import { BOOK_LIMITS } from '../../subjects/register-books/limits.ts';
import { BOOK_FORMATS } from '../../subjects/register-books/types.ts';
import { type CliRuntime, commandGroup } from './command.ts';
import { queryCommand } from './database-command.ts';
import { choiceOption, optionalOption, requiredChoice, requiredDay, requiredOption } from './options.ts';

const LONG_BOOK = `This book may take longer than the ${BOOK_LIMITS.bookTime.value / 60_000} minutes allowed for a register book; then nothing is written: export each quarter or month separately.\n`;

export function books(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'books', 'register books');
  queryCommand(group, runtime, {
    name: 'export',
    description: 'writes the VAT register of the invoices that a company issued in a period',
    details:
      'Writes the VAT register of the invoices that a company issued in a period, in the columns of the agency’s common layout for register books. Memory use does not grow with the number of invoices, issuing continues meanwhile, and the file appears under its name only when it is complete.',
    parameters: {
      company: requiredOption('co_…', 'whose book'),
      environment: choiceOption(['live', 'test'], 'the environment; live by default'),
      from: requiredDay('the first day of issue'),
      to: requiredDay('the last day of issue'),
      format: requiredChoice(BOOK_FORMATS, 'the file format'),
      activity: optionalOption(
        'A036533',
        'code, type and IAE group of the activity; empty columns without it',
      ),
      out: requiredOption('path', 'the file to write'),
    },
    examples: [
      [
        'The first quarter for the tax adviser',
        'books export --company $COMPANY --from 2026-01-01 --to 2026-03-31 --format xlsx --out q1.xlsx',
      ],
    ],
    async run(context, { company, environment = 'live', from, to, format, activity = null, out }) {
      const { db } = context;
      const environmentId = await environmentOf(db.pool, company, environment);
      if (environmentId === null) return invalidField('company', 'not_found', 'there is no such company');
      const time = await readEnvironmentTime(db.pool, environmentId);
      const [today, { timeZone }] = [environmentToday(time), time];
      const standby = await context.standby();
      const bar = context.progress('invoices');
      try {
        const period = { from, to, format, activity, today, timeZone };
        const show = (done: number, total: number) => bar.show(done, total);
        const found = await registerBook({ db, standby }, environmentId, period, show);
        if (isRefusal(found)) return found;
        if (found.invoices > BOOK_LIMITS.bookLong.value && !context.json) context.stderr.write(LONG_BOOK);
        await writeWhole(found.bytes, out);
        return { invoices: found.invoices, file: out, company, environment, from, to, format };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).syscall !== 'open') throw error;
        return invalidField('out', 'not_writable', `cannot be written: ${(error as Error).message}`);
      } finally {
        bar.end();
      }
    },
  });
}

/** Under the wanted name there is never half a file. */
async function writeWhole(bytes: Readable, out: string): Promise<void> {
  const unfinished = `${out}.part`;
  try {
    await pipeline(bytes, createWriteStream(unfinished));
    await rename(unfinished, out);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
