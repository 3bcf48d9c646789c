import { afterEach, expect, test } from 'vitest';
import { progressBar } from '../../src/cli/progress-bar.ts';
import { clock } from '../../src/lib/clock.ts';

afterEach(() => clock.reset());

const terminal = (isTTY: boolean) => {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
};
const at = (seconds: number) => clock.freeze(new Date(Date.UTC(2026, 0, 1) + seconds * 1_000));

test('shows how far, how many and how fast, at most ten times a second, and the end always', () => {
  const screen = terminal(true);
  at(0);
  const bar = progressBar(screen);
  for (const [seconds, line] of [
    [0, 0],
    [0.05, 100],
    [2, 5_000],
    [2.01, 10_000],
  ] as const) {
    at(seconds);
    bar.show({ line, lines: 10_000, accepted: line, refused: 0 });
  }
  bar.end();
  expect(screen.written).toEqual([
    `\r${'░'.repeat(30)}   0 % · 0 imported · 0 refused · 0/s\u001b[K`,
    `\r${'█'.repeat(15)}${'░'.repeat(15)}  50 % · 5,000 imported · 0 refused · 2,500/s\u001b[K`,
    `\r${'█'.repeat(30)} 100 % · 10,000 imported · 0 refused · 4,975/s\u001b[K`,
    '\n',
  ]);
});

test('counts the speed of this run only, and an empty file as done', () => {
  const screen = terminal(true);
  at(0);
  const bar = progressBar(screen);
  bar.show({ line: 500, lines: 0, accepted: 450, refused: 50 });
  at(1);
  bar.show({ line: 1_000, lines: 1_000, accepted: 900, refused: 100 });
  expect(screen.written.at(-1)).toContain('900 imported · 100 refused · 500/s');
  expect(screen.written[0]).toContain('100 %');
});

test('writes nothing where nobody looks, or when nothing was begun', () => {
  const pipe = terminal(false);
  const silent = progressBar(pipe);
  silent.show({ line: 1, lines: 1, accepted: 1, refused: 0 });
  silent.end();
  const screen = terminal(true);
  progressBar(screen).end();
  expect([...pipe.written, ...screen.written]).toEqual([]);
});
