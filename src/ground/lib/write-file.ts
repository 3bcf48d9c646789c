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

const OWNER_ALONE = 0o600;

/**
 * Writes a file whole or not at all, readable by the owner alone: under another name first, brought to the disk, and only
 * then in its place. A reader never finds half of it, and a disk that is full or a machine that loses its power leaves what
 * was there before. Makes the directory when it is missing. Throws what the file system says.
 */
export function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}.new`;
  try {
    const descriptor = openSync(unfinished, 'w', OWNER_ALONE);
    try {
      // One that an earlier process of this number has left would keep its mode.
      fchmodSync(descriptor, OWNER_ALONE);
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

/** Without this the new name itself may be lost with the power. File systems that cannot do it have no need to. */
function syncDirectory(directory: string): void {
  try {
    const descriptor = openSync(directory, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The file itself is whole and in its place.
  }
}
