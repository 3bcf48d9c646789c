import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { demoAccounts } from './accounts.ts';
import type { Lacre } from './lacre.ts';
import { createRoutes } from './routes.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Serves what `vite build` has made, and the routes. Any server of files will do that also has these. */
export async function serve(folder: string, lacre: Lacre, port: number): Promise<Server> {
  const route = createRoutes(lacre, demoAccounts());
  const policy = `default-src 'self'; img-src 'self' data:; connect-src 'self' ${new URL(lacre.url).origin}; frame-ancestors 'none'`;
  const server = createServer(async (request, response) => {
    if (await route(request, response)) return;
    const { pathname } = URL.parse(`http://localhost${request.url}`) ?? { pathname: '' };
    // `URL` has resolved every `..` of the path, and what is encoded is not decoded: nothing outside of the folder is read.
    const file = pathname === '/' ? '/index.html' : pathname;
    const content = await readFile(join(folder, file)).catch(() => null);
    const zips = /\bgzip\b/.test(String(request.headers['accept-encoding']));
    response
      .writeHead(content === null ? 404 : 200, {
        'Content-Type': types[extname(file)] ?? 'application/octet-stream',
        'Cache-Control': file.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache',
        'Content-Security-Policy': policy,
        'X-Content-Type-Options': 'nosniff',
        Vary: 'Accept-Encoding',
        ...(zips ? { 'Content-Encoding': 'gzip' } : {}),
      })
      .end(zips ? await promisify(gzip)(content ?? '') : (content ?? ''));
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return server;
}
