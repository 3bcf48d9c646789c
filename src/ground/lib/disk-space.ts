import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

export type DiskSpace = { readonly freeBytes: number; readonly totalBytes: number };

/**
 * The space of the file system that contains a directory, or will once it is created: in total, and free for users other
 * than root. Null if it cannot be determined.
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
