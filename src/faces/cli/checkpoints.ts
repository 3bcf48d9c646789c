import type { Command } from 'commander';
import { invalidField, isRefusal } from '../../ground/errors/refusal.ts';
import { createLogger } from '../../ground/lib/logger.ts';
import { writeFileAtomically } from '../../ground/lib/write-file.ts';
import { openObjectStore } from '../../subjects/documents/object-store.ts';
import { type CheckpointResult, compareWithCheckpoint } from '../../subjects/journal/checkpoint.ts';
import {
  CONSISTENCY_FORMAT,
  type ConsistencyFile,
  type ConsistencyProof,
} from '../../subjects/journal/consistency-file.ts';
import {
  checkpointPlaces,
  newestNotes,
  takeCheckpoints,
  unreachableCheckpoints,
} from '../../subjects/journal/keep-checkpoints.ts';
import { readNotes, type Signer, verifierKey } from '../../subjects/journal/note.ts';
import { proveSince } from '../../subjects/journal/prove-consistency.ts';
import type { CliRuntime, CommandContext } from './command.ts';
import { queryCommand } from './database-command.ts';
import { CheckResult, CommandFailure } from './exit-status.ts';
import { optionalOption } from './options.ts';
import { fileContent } from './secrets.ts';

export function checkpoint(program: Command, runtime: CliRuntime): void {
  queryCommand(program, runtime, {
    name: 'checkpoint',
    description: 'takes signed checkpoints of the journals',
    details:
      'Takes a checkpoint of each journal that has grown, as the service does each night, and stores it in CHECKPOINT_DIR and in the object store. Shows the newest of all journals: a signed note with the journal\u2019s name, its number of entries, and one hash over all of them. If it is stored where the owner of the database cannot change it, "lacre verify --checkpoint" can later prove that no entry has been removed or changed since, including the last ones. Ends with 6 if a journal contradicts its last checkpoint.',
    parameters: {
      out: optionalOption('path', 'the file to write; standard output by default'),
      since: optionalOption(
        'path',
        'a file of earlier checkpoints: writes proofs that the newest ones extend them, instead of the checkpoints',
      ),
    },
    examples: [
      ['For another machine', 'checkpoint --out lacre-2026-11-22.notes'],
      ['For a script', 'checkpoint --json'],
      ['For an auditor who has earlier ones', 'checkpoint --since lacre-2026-11-22.notes --out proofs.json'],
    ],
    run: takeOrRead,
  });
}

/** What to do where the checkpoints of the service cannot be seen. */
export const RUN_THERE =
  'Run the command there, as the user and with the settings of the service (CHECKPOINT_DIR, CHECKPOINT_KEY, DATA_DIR).';

type CheckpointOptions = { readonly out: string | undefined; readonly since: string | undefined };

async function takeOrRead(context: CommandContext, { out, since }: CheckpointOptions): Promise<unknown> {
  const { config, db } = context;
  const store = config.objectStore && openObjectStore(config.objectStore);
  const checkpoints = checkpointPlaces(config, store);
  const key = verifierKey(checkpoints.signer);
  try {
    const elsewhere = await unreachableCheckpoints(db, checkpoints);
    if (elsewhere !== null)
      return new CommandFailure('usage', `no checkpoint was taken: ${elsewhere}. ${RUN_THERE}`);
    const services = { db, log: createLogger('silent'), checkpoints };
    const wrong = (await takeCheckpoints(services, 1)).filter(({ result }) => result !== 'extends');
    if (since !== undefined) return await provenSince(context, { out, since }, checkpoints.signer);
    const notes = await newestNotes(db);
    if (out !== undefined) writeFileAtomically(out, notes.join('\n'));
    const lines = wrong.map(
      ({ origin, size, result }) => `${origin}, ${size} entries, against its last checkpoint: ${result}\n`,
    );
    const output = out === undefined ? notes.join('\n') : `${notes.length} journals in ${out}; ${key}\n`;
    const answer = context.json ? { verifierKey: key, notes, wrong } : lines.join('') + output;
    return wrong.length === 0 ? answer : new CheckResult('check_failed', answer);
  } finally {
    store?.close();
  }
}

/** The proofs that the newest checkpoints extend those of a file; ends with 6 when a journal has none that could. */
async function provenSince(
  { db, json }: CommandContext,
  { out, since }: { readonly out: string | undefined; readonly since: string },
  signer: Signer,
): Promise<unknown> {
  const content = fileContent(since, 'since');
  if (isRefusal(content)) return content;
  const earlier = readNotes(content.toString('utf8'), signer);
  if (earlier.length === 0) return invalidField('since', 'invalid_format', 'contains no checkpoint');
  const proofs: ConsistencyProof[] = [];
  const wrong: { origin: string; size: number; result: CheckpointResult }[] = [];
  for (const { origin, size } of earlier) {
    const proof = await proveSince(db.pool, { origin, size });
    if (typeof proof === 'object') proofs.push(proof);
    else wrong.push({ origin, size, result: proof });
  }
  const file: ConsistencyFile = { format: CONSISTENCY_FORMAT, proofs };
  const text = `${JSON.stringify(file, null, 2)}\n`;
  if (out !== undefined) writeFileAtomically(out, text);
  const lines = wrong.map(({ origin, size, result }) => `${origin}, ${size} entries: ${result}\n`).join('');
  const output = out === undefined ? text : `${proofs.length} proofs in ${out}\n`;
  const answer = json ? { ...file, wrong } : lines + output;
  return wrong.length === 0 ? answer : new CheckResult('check_failed', answer);
}

/** Compares the journals with the checkpoints of a file; ends with 6 when one does not extend its checkpoint. */
export async function compareWithCheckpoints(context: CommandContext, file: string): Promise<unknown> {
  const content = fileContent(file, 'checkpoint');
  if (isRefusal(content)) return content;
  const { signer } = checkpointPlaces(context.config, null);
  const notes = readNotes(content.toString('utf8'), signer);
  if (notes.length === 0) return invalidField('checkpoint', 'invalid_format', 'contains no checkpoint');
  const results = [];
  for (const note of notes) {
    const { origin, size } = note;
    results.push({ origin, size, result: await compareWithCheckpoint(context.db.pool, note) });
  }
  const sound = results.every(({ result }) => result === 'extends');
  const lines = results.map(({ origin, size, result }) => `${origin}, ${size} entries: ${result}\n`).join('');
  const answer = context.json ? { sound, checkpoints: results } : lines;
  return sound ? answer : new CheckResult('check_failed', answer);
}
