import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MIB = 1024 * 1024;

/** A file system of a fixed size. */
export type SmallDisk = {
  readonly path: string;
  /** Writes a file that leaves so many MiB free; 0 for none at all. The one before goes. */
  fill(leaveMiB: number): void;
  /** Removes that file. */
  free(): void;
  remove(): void;
};

/** Null where none can be made, which root can on Linux; said loudly then, because nothing else shows what it would. */
export function smallDisk(mib: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'lacre-small-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m,mode=0755`, 'tmpfs', path]);
  if (mounted.status !== 0) {
    rmdirSync(path);
    console.warn(
      '\nSKIPPED: no file system can be mounted here (root on Linux can): a full disk is not tried.\n',
    );
    return null;
  }
  const filler = join(path, 'filler');
  const free = () => rmSync(filler, { force: true });
  return {
    path,
    free,
    fill(leaveMiB) {
      free();
      const file = openSync(filler, 'w');
      const piece = Buffer.alloc(MIB / 4, 1);
      try {
        for (;;) {
          const { bavail, bsize } = statfsSync(path);
          const room = bavail * bsize - leaveMiB * MIB;
          if (room <= 0) return;
          writeSync(file, piece, 0, Math.min(piece.length, room));
        }
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    remove() {
      spawnSync('umount', ['-l', path]);
      rmdirSync(path);
    },
  };
}
