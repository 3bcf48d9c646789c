import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { invalidField, type Refusal } from '../../ground/errors/refusal.ts';

/**
 * Writes a file that appears under its name only when it is complete. Answers with 400 `invalid_request` (`not_writable`) at `out` if it
 * cannot be opened; any other failure is thrown.
 */
export async function writeWhole({ zip }: { readonly zip: Readable }, out: string): Promise<Refusal | null> {
  const unfinished = `${out}.part`;
  try {
    await pipeline(zip, createWriteStream(unfinished));
    await rename(unfinished, out);
    return null;
  } catch (error) {
    await rm(unfinished, { force: true });
    if ((error as NodeJS.ErrnoException).syscall !== 'open') throw error;
    return invalidField('out', 'not_writable', `cannot be written: ${(error as Error).message}`);
  }
}
