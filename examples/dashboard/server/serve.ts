import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { demoAccounts } from './accounts.ts';
import type { Lacre } from './lacre.ts';
import { createPage, SCRIPT_SOURCE } from './page.ts';
import { createRoutes } from './routes.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/**
 * Serves what `buildPage` has made, and the routes. Any server of files will do that also has these: it shows the first rows a moment
 * later, since the page then asks for them.
 */
export async function serve(folder: string, lacre: Lacre, port: number): Promise<Server> {
  const { route, begin } = createRoutes(lacre, demoAccounts());
  const page = await createPage(folder, begin);
  const scripts = `script-src 'self' ${SCRIPT_SOURCE}`;
  const policy = `default-src 'self'; ${scripts}; img-src 'self' data:; connect-src 'self' ${new URL(lacre.url).origin}; frame-ancestors 'none'`;
  const server = createServer(async (request, response) => {
    if (await route(request, response)) return;
    const { pathname } = URL.parse(`http://localhost${request.url}`) ?? { pathname: '' };
    // `URL` has resolved every `..` of the path, and what is encoded is not decoded: nothing outside of the folder is read.
    const isPage = pathname === '/';
    const file = isPage ? '/index.html' : pathname;
    const content = await readFile(join(folder, 'page', file)).catch(() => null);
    const zips = /\bgzip\b/.test(String(request.headers['accept-encoding']));
    response.writeHead(content === null ? 404 : 200, {
      'Content-Type': types[extname(file)] ?? 'application/octet-stream',
      'Cache-Control': cachingOf(file, isPage),
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
      ...(zips ? { 'Content-Encoding': 'gzip' } : {}),
    });
    const body = Readable.from(isPage ? page(request) : [content ?? '']);
    // Whoever leaves before the end has no use for it.
    await (zips ? pipeline(body, flushedGzip(), response) : pipeline(body, response)).catch(() => {});
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return server;
}

/** Sends on what it is given, without waiting for more. */
const flushedGzip = () => createGzip({ flush: constants.Z_SYNC_FLUSH });

/** The page itself holds a token; what is named by its content never changes. */
function cachingOf(file: string, isPage: boolean): string {
  if (isPage) return 'no-store';
  return file.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache';
}
