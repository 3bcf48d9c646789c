import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { progress } from '../../src/faces/cli/progress.ts';

function terminal(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY });
  let written = '';
  stream.on('data', (chunk: Buffer) => {
    written += chunk.toString('utf8');
  });
  return { stream, written: () => written };
}

test('shows how far, how many and what came of it, and leaves the end standing', () => {
  const { stream, written } = terminal(true);
  const bar = progress({ stderr: stream }, 'lines');
  bar.show(0, 10_000);
  bar.show(5_000, 10_000, '4,900 imported');
  bar.show(10_000, 10_000, '9,800 imported');
  bar.end();
  expect(written()).toContain(`lines ${'░'.repeat(30)} 0 % · 0/10000`);
  expect(written()).toContain(`lines ${'█'.repeat(30)} 100 % · 10000/10000`);
  expect(written().trimEnd().split('9,800 imported').length).toBeGreaterThan(1);
});

test('writes nothing without a terminal, or when nothing was begun', () => {
  const pipe = terminal(false);
  const silent = progress({ stderr: pipe.stream }, 'lines');
  silent.show(1, 1);
  silent.end();
  const screen = terminal(true);
  progress({ stderr: screen.stream }, 'lines').end();
  expect(pipe.written() + screen.written()).toBe('');
});
