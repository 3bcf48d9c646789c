import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { Begin } from '../src/begin.ts';
import { demoAccounts } from './accounts.ts';
import { elementOf } from './begin.ts';
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
  const { route, begin } = createRoutes(lacre, demoAccounts());
  const policy = `default-src 'self'; img-src 'self' data:; connect-src 'self' ${new URL(lacre.url).origin}; frame-ancestors 'none'`;
  const server = createServer(async (request, response) => {
    if (await route(request, response)) return;
    const { pathname } = URL.parse(`http://localhost${request.url}`) ?? { pathname: '' };
    // `URL` has resolved every `..` of the path, and what is encoded is not decoded: nothing outside of the folder is read.
    const isPage = pathname === '/';
    const file = isPage ? '/index.html' : pathname;
    const content = await readFile(join(folder, file)).catch(() => null);
    const zips = /\bgzip\b/.test(String(request.headers['accept-encoding']));
    response.writeHead(content === null ? 404 : 200, {
      'Content-Type': types[extname(file)] ?? 'application/octet-stream',
      'Cache-Control': cachingOf(file, isPage),
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
      ...(zips ? { 'Content-Encoding': 'gzip' } : {}),
    });
    const body = Readable.from(
      isPage && content !== null ? withBegin(content.toString(), () => begin(request)) : [content ?? ''],
    );
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

/** The page at once, so that the browser loads its script while Lacre is asked, and then what it begins with. */
async function* withBegin(html: string, ask: () => Promise<Begin | null>): AsyncGenerator<string> {
  const asked = ask();
  const end = html.indexOf('</body>');
  yield html.slice(0, end);
  const begin = await asked;
  yield `${begin === null ? '' : elementOf(begin)}${html.slice(end)}`;
}
