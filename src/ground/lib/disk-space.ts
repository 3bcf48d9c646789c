import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

export type DiskSpace = { readonly freeBytes: number; readonly totalBytes: number };

/**
 * The space of the file system that a directory is on, or will be once it is made: in all, and what is free for whoever is
 * not root. Null where it cannot be known.
 */
export async function diskSpace(directory: string): Promise<DiskSpace | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(directory);
    return blocks === 0 ? null : { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch (error) {
    const above = dirname(directory);
    const missing = (error as { code?: string }).code === 'ENOENT' && above !== directory;
    return missing ? diskSpace(above) : null;
  }
}
