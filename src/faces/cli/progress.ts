import { SingleBar } from 'cli-progress';
import type { Streams } from './output.ts';

/** How far long work has come. */
export type Progress = {
  show(done: number, total: number, note?: string): void;
  /** Leaves the last state standing. */
  end(): void;
};

/** A bar on standard error where that is a terminal; nothing anywhere else. */
export function progress({ stderr }: Pick<Streams, 'stderr'>, label: string): Progress {
  if (stderr.isTTY !== true) return { show: () => {}, end: () => {} };
  const bar = new SingleBar({
    stream: stderr,
    format: `${label} {bar} {percentage} % · {value}/{total} · {duration_formatted}{note}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    // Work that takes no time is done, not undone.
    emptyOnZero: false,
    hideCursor: true,
  });
  let started = false;
  return {
    show(done, total, note = '') {
      const payload = { note: note === '' ? '' : ` · ${note}` };
      if (!started) bar.start(total, done, payload);
      started = true;
      bar.setTotal(total);
      bar.update(done, payload);
    },
    end() {
      if (started) bar.stop();
    },
  };
}
