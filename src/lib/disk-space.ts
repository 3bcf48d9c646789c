import { statfs } from 'node:fs/promises';

export type DiskSpace = { readonly freeBytes: number; readonly totalBytes: number };

/**
 * The space of the file system that a directory is on: in all, and what is free for whoever is not root. Null where it
 * cannot be known: the directory is missing, or its file system keeps no such count.
 */
export async function diskSpace(directory: string): Promise<DiskSpace | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(directory);
    return blocks === 0 ? null : { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return null;
  }
}
