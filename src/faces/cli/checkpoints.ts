import type { Command } from 'commander';
import { checkpointSeed } from '../../ground/config/config.ts';
import { openSnapshot } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal } from '../../ground/errors/refusal.ts';
import { writeWhole } from '../../ground/lib/write-file.ts';
import { checkpointsOf, compareWithCheckpoint } from '../../subjects/journal/checkpoint.ts';
import { readNotes, type Signer, signedNote, signerOf, verifierKey } from '../../subjects/journal/note.ts';
import { type CliRuntime, type CommandContext, queryCommand } from './command.ts';
import { CheckResult } from './exit-status.ts';
import { optionalOption } from './options.ts';
import { fileContent } from './secrets.ts';

/** Under which name this installation signs. */
const SIGNER = 'lacre';

const signer = ({ config }: CommandContext): Signer => signerOf(SIGNER, checkpointSeed(config.dataDir));

export function checkpoint(program: Command, runtime: CliRuntime): void {
  queryCommand(program, runtime, {
    name: 'checkpoint',
    description: 'writes down, signed, how far each journal has come',
    details:
      'Writes a signed note for each journal: its name, how many entries it has, and one hash over all of them. Kept where nobody who owns the database can change it, it shows later with "lacre verify --checkpoint" that no entry has been removed or changed since, not even the last ones.',
    parameters: { out: optionalOption('path', 'the file to write; standard output without it') },
    examples: [
      ['Kept on another machine', 'checkpoint --out lacre-2026-11-22.notes'],
      ['For a script', 'checkpoint --json'],
    ],
    run: taken,
  });
}

async function taken(context: CommandContext, { out }: { out: string | undefined }): Promise<unknown> {
  const key = signer(context);
  const snapshot = await openSnapshot(context.db.pool);
  const checkpoints = await checkpointsOf(snapshot.client).finally(snapshot.close);
  const notes = checkpoints.map((one) => signedNote(one, key));
  if (out !== undefined) writeWhole(out, notes.join('\n'));
  if (context.json) return { verifierKey: verifierKey(key), notes };
  return out === undefined ? notes.join('\n') : `${notes.length} journals in ${out}; ${verifierKey(key)}\n`;
}

/** Compares the journals with the checkpoints of a file; ends with 6 when one does not extend its checkpoint. */
export async function comparedWithCheckpoints(context: CommandContext, file: string): Promise<unknown> {
  const content = fileContent(file, 'checkpoint');
  if (isRefusal(content)) return content;
  const notes = readNotes(content.toString('utf8'), signer(context));
  if (notes.length === 0) return invalidField('checkpoint', 'invalid_format', 'holds no checkpoint');
  const results = [];
  for (const note of notes) {
    const { origin, size } = note;
    results.push({ origin, size, result: await compareWithCheckpoint(context.db.pool, note) });
  }
  const sound = results.every(({ result }) => result === 'extends');
  const words = results.map(({ origin, size, result }) => `${origin}, ${size} entries: ${result}\n`).join('');
  const answer = context.json ? { sound, checkpoints: results } : words;
  return sound ? answer : new CheckResult('check_failed', answer);
}
