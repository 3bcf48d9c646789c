import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Db } from '../../ground/db/client.ts';
import { statementsOf } from '../../ground/db/statement-time.ts';
import { auditJournalOf } from '../../ground/journal/entry.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import { writeFileAtomically } from '../../ground/lib/write-file.ts';
import { type CheckpointResult, resultOf } from './checkpoint.ts';
import type { JournalFinding } from './finding.ts';
import { JournalTree, SUBTREE } from './journal-tree.ts';
import {
  type Checkpoint,
  type ReadNote,
  readNotes,
  type Signer,
  signedNote,
  signerOf,
  type Verifier,
} from './note.ts';
import {
  addCheckpoint,
  addSubtrees,
  journalsBehind,
  newestCheckpoint,
  newestCheckpoints,
  subtreeRoots,
} from './store/checkpoints.ts';
import { headOf } from './store/entries.ts';
import { journalsNamed } from './store/heads.ts';

/** Where checkpoints are stored outside the database. */
export type CheckpointPlaces = {
  readonly signer: Signer;
  /** Contains the newest of each journal. */
  readonly folder: string;
  /** Contains every one; null without a writable bucket. */
  readonly store: {
    readonly bucket: string;
    readonly prefix: string;
    write(key: string, bytes: Buffer, as: { type: string; lockedUntil: Date }): Promise<void>;
  } | null;
};

/** Under which name an installation signs. */
const SIGNER = 'lacre';

/** The places of the settings. A bucket that is only read from gets none. */
export function checkpointPlaces(
  config: { readonly checkpointSeed: Buffer; readonly checkpointDir: string },
  store: (NonNullable<CheckpointPlaces['store']> & { readonly storesNew: boolean }) | null,
): CheckpointPlaces {
  return {
    signer: signerOf(SIGNER, config.checkpointSeed),
    folder: config.checkpointDir,
    store: store?.storesNew === true ? store : null,
  };
}

type CheckpointServices = {
  readonly db: Pick<Db, 'pool'>;
  readonly log: Logger;
  readonly checkpoints: CheckpointPlaces;
};

/**
 * How long a bucket with object lock retains a checkpoint: merchants must keep their books and their evidence for
 * six years (Código de Comercio, article 30).
 */
const LOCKED_YEARS = 6;

/** A journal with its current checkpoint; `note` is null when it contradicts its last one and none was taken. */
export type JournalCheckpoint = {
  readonly origin: string;
  readonly size: number;
  readonly result: CheckpointResult;
  readonly note: string | null;
};

/**
 * Takes a checkpoint of each journal with at least this many entries after the last one, and stores it: in the
 * folder, in the object store, and last in the database, so that every checkpoint known to the database is also
 * outside it. A journal that contradicts the checkpoint in the folder gets none, which is logged as an error: the
 * signer never signs two that contradict each other.
 */
export async function takeCheckpoints(
  services: CheckpointServices,
  entries: number,
  signal?: AbortSignal,
): Promise<JournalCheckpoint[]> {
  return statementsOf('maintenance', async () => {
    const stored: JournalCheckpoint[] = [];
    for (const environmentId of await journalsBehind(services.db.pool, entries)) {
      if (signal?.aborted) throw new Error('taking checkpoints was broken off');
      const one = await takeCheckpoint(services, environmentId);
      if (one !== null) stored.push(one);
    }
    return stored;
  });
}

async function takeCheckpoint(
  services: CheckpointServices,
  environmentId: number,
): Promise<JournalCheckpoint | null> {
  const { db, log, checkpoints } = services;
  const head = await headOf(db.pool, environmentId);
  if (head === null) return null;
  const { origin } = head;
  const last = keptNote(checkpoints, origin);
  const begun = Math.floor((last?.size ?? head.position) / SUBTREE);
  const stored = (await subtreeRoots(db.pool, environmentId)).slice(0, begun);
  const tree = new JournalTree(db.pool, environmentId, stored);
  if (last !== null) {
    await tree.growTo(last.size);
    const result = resultOf(tree, last);
    if (result !== 'extends') {
      log.error({ origin, size: last.size, result }, 'A JOURNAL CONTRADICTS ITS LAST CHECKPOINT');
      return { origin, size: head.position, result, note: null };
    }
  }
  await tree.growTo(head.position);
  if (tree.size !== head.position) {
    log.error({ origin, entries: tree.size, head: head.position }, 'THE JOURNAL IS NOT SOUND');
    return { origin, size: head.position, result: 'shorter', note: null };
  }
  const checkpoint = { origin, size: tree.size, root: tree.root() };
  const note = signedNote(checkpoint, checkpoints.signer);
  await keep(checkpoints, checkpoint, note);
  await addSubtrees(db.pool, environmentId, stored.length, tree.passed);
  const place = { host: hostname(), folder: checkpoints.folder, bucket: checkpoints.store?.bucket ?? null };
  await addCheckpoint(db.pool, environmentId, { ...checkpoint, note, takenAt: clock.now(), ...place });
  log.debug({ origin, size: tree.size }, 'checkpoint taken');
  return { origin, size: tree.size, result: 'extends', note };
}

async function keep(
  { folder, store }: CheckpointPlaces,
  { origin, size, root }: Checkpoint,
  note: string,
): Promise<void> {
  writeFileAtomically(fileOf(folder, origin), note);
  if (store === null) return;
  const lockedUntil = new Date(clock.now());
  lockedUntil.setUTCFullYear(lockedUntil.getUTCFullYear() + LOCKED_YEARS);
  // A fixed number of digits, so that sorting by key sorts by size; with the root, so that nothing is ever
  // overwritten.
  const name = `${String(size).padStart(10, '0')}-${root.toString('hex', 0, 8)}.note`;
  const key = `${store.prefix}checkpoints/${origin}/${name}`;
  await store.write(key, Buffer.from(note), { type: 'text/plain; charset=utf-8', lockedUntil });
}

/** The name of a journal comes from the database, and must not lead to another folder. */
const fileOf = (folder: string, origin: string): string =>
  join(folder, `${origin.replaceAll(/[^\w-]/g, '-')}.note`);

/** A checkpoint as returned to callers; the root in base64. */
export type CheckpointNote = {
  readonly environmentId: number;
  readonly origin: string;
  readonly size: number;
  readonly root: string;
  readonly note: string;
  readonly takenAt: Date;
};

/** The newest checkpoint of a journal; null before the first. */
export async function newestCheckpointNote(
  { pool }: Pick<Db, 'pool'>,
  environmentId: number,
): Promise<CheckpointNote | null> {
  const checkpoint = await newestCheckpoint(pool, environmentId);
  if (checkpoint === null) return null;
  const { size, root, note, takenAt } = checkpoint;
  return {
    ...{ environmentId, origin: note.slice(0, note.indexOf('\n')), size },
    ...{ root: root.toString('base64'), note, takenAt },
  };
}

/** The newest signed note of each journal, that of the installation first. */
export async function newestNotes({ pool }: Pick<Db, 'pool'>): Promise<string[]> {
  return (await newestCheckpoints(pool)).map(({ note }) => note);
}

/** The newest checkpoint of a journal in the folder; null when there is none. */
export async function checkpointInFolder(
  { pool }: Pick<Db, 'pool'>,
  checkpoints: CheckpointPlaces,
  environmentId: number,
): Promise<ReadNote | null> {
  const head = await headOf(pool, environmentId);
  return head && keptNote(checkpoints, head.origin);
}

/** The newest checkpoints in the folder of an environment's journal and of its audit journal. */
export async function checkpointsOf(
  db: Pick<Db, 'pool'>,
  checkpoints: CheckpointPlaces,
  environmentId: number,
): Promise<{ readonly checkpoint: ReadNote | null; readonly auditCheckpoint: ReadNote | null }> {
  return {
    checkpoint: await checkpointInFolder(db, checkpoints, environmentId),
    auditCheckpoint: await checkpointInFolder(db, checkpoints, auditJournalOf(environmentId)),
  };
}

/** Findings for journals with a checkpoint in the folder but none in the database. */
export async function missingJournals(
  { pool }: Pick<Db, 'pool'>,
  { folder, signer }: CheckpointPlaces,
): Promise<JournalFinding[]> {
  const findings: JournalFinding[] = [];
  for (const file of notesIn(folder)) {
    for (const { origin, size } of readNotes(readFileSync(file, 'utf8'), signer)) {
      if ((await journalsNamed(pool, origin)).length > 0) continue;
      const location = { position: null, subjectId: origin, recordId: null };
      findings.push({
        ...location,
        what: 'journal_checkpoint',
        expected: `${size} entries`,
        found: 'missing',
      });
    }
  }
  return findings;
}

/**
 * What keeps these settings from seeing the checkpoints of the database, for an operator; null if nothing does. A command
 * that runs elsewhere than the service must neither compare journals with an empty folder nor begin one there.
 */
export async function unreachableCheckpoints(
  { pool }: Pick<Db, 'pool'>,
  places: Pick<CheckpointPlaces, 'signer' | 'folder'>,
): Promise<string | null> {
  const newest = await newestCheckpoints(pool);
  const last = newest.toSorted((one, other) => one.takenAt.getTime() - other.takenAt.getTime()).at(-1);
  if (last === undefined) return null;
  if (readNotes(last.note, places.signer)[0]?.signed !== true)
    return 'they are signed with another CHECKPOINT_KEY than the one here';
  const { host, folder, bucket } = last;
  if (host === hostname() && folder === places.folder) return null;
  const isHere = newest.some(({ note, size }) => {
    const [origin = ''] = note.split('\n', 1);
    return keptNote(places, origin)?.size === size;
  });
  if (isHere) return null;
  const also = bucket === null ? '' : ` and in the bucket ${bucket}`;
  const where = folder === null ? 'in the CHECKPOINT_DIR of the service' : `in ${folder} on ${host}${also}`;
  return `they are kept ${where}, and the folder here is ${places.folder} on ${hostname()}`;
}

/**
 * Whether the folder here holds anything that this key has signed: with that journals are compared, whatever the database says
 * of where its checkpoints are.
 */
export function holdsCheckpoints({ folder, signer }: Pick<CheckpointPlaces, 'signer' | 'folder'>): boolean {
  return notesIn(folder).some((file) =>
    readNotes(readFileSync(file, 'utf8'), signer).some(({ signed }) => signed),
  );
}

function notesIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.endsWith('.note')).map((name) => join(folder, name));
}

function keptNote(
  { folder, signer }: { readonly folder: string; readonly signer: Verifier },
  origin: string,
): ReadNote | null {
  let text: string;
  try {
    text = readFileSync(fileOf(folder, origin), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const [note] = readNotes(text, signer);
  // A file that is not a note was also manipulated.
  const nothing = { origin, size: 0, root: Buffer.alloc(0), signed: false };
  return note?.origin === origin ? note : nothing;
}
