import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

const OWNER_ONLY = 0o600;

/**
 * Writes a file completely or not at all, readable only by its owner: under another name first, synced to disk, and then
 * renamed. A reader never sees half of it, and a full disk or a power failure leaves the previous content. Creates the
 * directory if it is missing. Throws the errors of the file system.
 */
export function writeFileAtomically(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}.new`;
  try {
    const descriptor = openSync(unfinished, 'w', OWNER_ONLY);
    try {
      // A file left by an earlier process with the same id would keep its mode.
      fchmodSync(descriptor, OWNER_ONLY);
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  syncDirectory(dirname(file));
}

/** Without this a power failure could lose the new name. File systems that do not support it do not need it. */
function syncDirectory(directory: string): void {
  try {
    const descriptor = openSync(directory, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The file itself is complete and in its place.
  }
}
