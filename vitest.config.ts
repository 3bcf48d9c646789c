import { defineConfig } from 'vitest/config';
import { formOf } from './test/support/processes/forms.ts';
import { LongestFirst } from './test/support/processes/longest-first.ts';

export default defineConfig(({ mode }) => ({
  // vitest would load a second copy of graphql beside Node's, and the two refuse each other's types.
  resolve: { alias: { graphql: 'graphql/index.js' } },
  test: {
    ...formOf(mode),
    globalSetup: './test/support/processes/global-setup.ts',
    setupFiles: ['./test/support/processes/seeds.ts', './test/support/processes/statements.ts'],
    // Three files at a time even on two cores: one waits for a process or a database while the others compute.
    maxWorkers: 3,
    // Files share a worker's modules: loading them anew for each file was half of the processor time.
    // No file may leave a fake clock, a listener or a setting behind.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // How long a test takes says nothing on a machine that does much else: only one that has stopped is ended.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
}));
