import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const VITE = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');

/** Builds the page for production into a folder, and what draws it on the server, as `npm run build` does. */
export async function buildPage(folder: string): Promise<void> {
  const root = join(import.meta.dirname, '..');
  const build = async (outDir: string, ...more: readonly string[]) => {
    const args = [VITE, 'build', root, '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn', ...more];
    await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_ENV: 'production' } });
  };
  await Promise.all([
    build(join(folder, 'page')),
    build(join(folder, 'server'), '--ssr', join(root, 'src/drawn.tsx')),
  ]);
}
