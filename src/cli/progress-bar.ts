import type { ImportProgress } from '../importing/import-invoices.ts';
import { clock } from '../lib/clock.ts';

const WIDTH = 30;
/** More often than this nobody's eye can follow, and a slow terminal would slow the work down. */
const EVERY_MS = 100;

type Terminal = { readonly isTTY?: boolean; write(text: string): unknown };

/**
 * One line on a terminal that says how far an import has come; nothing where the output is no terminal. The last state
 * is always shown, and `end` leaves it standing.
 */
export function progressBar(terminal: Terminal): { show(progress: ImportProgress): void; end(): void } {
  if (terminal.isTTY !== true) return { show: () => {}, end: () => {} };
  const begun = clock.now().getTime();
  let first: number | null = null;
  let shownAt = 0;
  let latest: ImportProgress | null = null;
  const draw = (progress: ImportProgress, now: number): void => {
    const seconds = Math.max(0.001, (now - begun) / 1_000);
    first ??= progress.accepted + progress.refused;
    const perSecond = Math.round((progress.accepted + progress.refused - first) / seconds);
    terminal.write(`\r${barOf(progress)} · ${figure(perSecond)}/s\u001b[K`);
    shownAt = now;
  };
  return {
    show(progress) {
      latest = progress;
      const now = clock.now().getTime();
      if (now - shownAt >= EVERY_MS) draw(progress, now);
    },
    end() {
      if (latest === null) return;
      draw(latest, clock.now().getTime());
      terminal.write('\n');
    },
  };
}

function barOf({ line, lines, accepted, refused }: ImportProgress): string {
  const share = lines === 0 ? 1 : Math.min(1, line / lines);
  const full = Math.floor(share * WIDTH);
  const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `${bar} ${percent} % · ${figure(accepted)} imported · ${figure(refused)} refused`;
}

function figure(count: number): string {
  return count.toLocaleString('en');
}
