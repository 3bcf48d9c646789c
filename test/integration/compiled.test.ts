import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startOf } from '../support/processes/running-program.ts';

/** What Node compiles of the programs, as an image and the units of systemd keep it. */

const ROOT = join(import.meta.dirname, '../..');

/** An ordinary user, where one can read this folder: not in root's own. */
function whoRuns() {
  const idOf = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  const ids = { uid: idOf('-u'), gid: idOf('-g') };
  const reads = spawnSync('test', ['-r', join(ROOT, 'package.json')], ids).status === 0;
  return reads ? { user: 'nobody', ids } : { user: 'root', ids: { uid: 0, gid: 0 } };
}

test.skipIf(process.getuid?.() !== 0)('all of both programs is compiled once, and they add nothing', () => {
  const place = mkdtempSync(join(tmpdir(), 'lacre-compiled-'));
  chmodSync(place, 0o755);
  const { user, ids } = whoRuns();
  for (const name of ['src', 'rest', 'jobs', 'docs', 'packages', 'generated', 'node_modules', 'package.json'])
    symlinkSync(join(ROOT, name), join(place, name));
  mkdirSync(join(place, 'deploy'));
  cpSync(join(ROOT, 'deploy/compile.sh'), join(place, 'deploy/compile.sh'));
  const compiled = join(place, 'compiled');
  const contents = () => readdirSync(compiled, { recursive: true }).toSorted();
  execFileSync('sh', [join(place, 'deploy/compile.sh'), user]);
  const before = contents();
  for (const program of ['src/main.ts', 'jobs/main.ts']) {
    const { stderr } = spawnSync(process.execPath, [...startOf(program).options, program], {
      env: { PORT: 'none', NODE_COMPILE_CACHE: compiled, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
      ...{ ...ids, cwd: place, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    });
    const count = (words: string) => stderr.split(words).length - 1;
    const found = [count('PORT: '), count(' was accepted') > 1_000, count(' was rejected')];
    expect(found, program).toEqual([1, true, 0]);
  }
  expect(contents()).toEqual(before);
  // Nobody but root may write what is run.
  for (const name of before) {
    const { mode, uid } = statSync(join(compiled, String(name)));
    expect([mode & 0o022, uid], String(name)).toEqual([0, 0]);
  }
  rmSync(place, { recursive: true });
});
