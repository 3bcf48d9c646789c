import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Begin } from '../src/begin.ts';
import type { Spoken } from '../src/language.ts';
import { type Account, SCOPES, type User } from './accounts.ts';
import { beginFor } from './begin.ts';
import { changeKeys } from './keys.ts';
import type { Lacre } from './lacre.ts';
import { Sessions } from './sessions.ts';
import { createToken, reachedBy } from './token.ts';

const MAX_BODY_BYTES = 10_000;

type Answer = { readonly status: number; readonly body?: unknown; readonly cookie?: string };
type Route = (request: IncomingMessage) => Promise<Answer> | Answer;

export type Routes = {
  /** Handles the request if it is for one of the routes below; false if it is not. */
  readonly route: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  /** What is sent with the page; null where Lacre does not give it, and the page asks by itself. */
  readonly begin: (request: IncomingMessage, spoken: Spoken) => Promise<Begin | null>;
};

/**
 * What the page's own server answers: who signs in, a token for whoever is signed in, which may do what the role may, and the company's
 * keys, which Lacre shows to a key alone. **A team with an identity provider replaces `/session`, and finds the user of a request by it.**
 */
export function createRoutes(lacre: Lacre, accounts: readonly Account[]): Routes {
  const sessions = new Sessions(accounts);
  const forUser =
    (answer: (user: User, request: IncomingMessage) => Promise<Answer>): Route =>
    (request) => {
      const user = sessions.find(request);
      return user === null ? { status: 401 } : answer(user, request);
    };
  const routes: Readonly<Record<string, Route>> = {
    async 'POST /session'(request) {
      const { name, password } = await readBody(request);
      if (typeof name !== 'string' || typeof password !== 'string') return { status: 400 };
      const cookie = await sessions.begin(name, password);
      return cookie === null ? { status: 401 } : { status: 204, cookie };
    },
    'DELETE /session': (request) => ({ status: 204, cookie: sessions.end(request) }),
    'POST /token': forUser(async (user) => {
      const reached = await reachedBy(lacre);
      const token = await createToken(lacre, SCOPES[user.role]);
      return { status: 200, body: { ...token, reached, user } };
    }),
    'POST /keys': forUser(async ({ role }, request) =>
      role === 'owner'
        ? { status: 200, body: await changeKeys(lacre, await readBody(request)) }
        : { status: 403 },
    ),
  };
  const paths = new Set(Object.keys(routes).map((name) => name.split(' ')[1]));
  const route: Routes['route'] = async (request, response) => {
    const { pathname } = URL.parse(`http://localhost${request.url}`) ?? { pathname: '' };
    if (!paths.has(pathname)) return false;
    const found = routes[`${request.method} ${pathname}`];
    const answer = found === undefined ? { status: 405 } : await answerOf(found, request);
    response.writeHead(answer.status, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      ...(answer.cookie === undefined ? {} : { 'Set-Cookie': answer.cookie }),
    });
    response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
    return true;
  };
  const begin: Routes['begin'] = (request, spoken) =>
    beginFor(lacre, sessions.find(request), spoken).catch((error: unknown) => {
      console.error(error);
      return null;
    });
  return { route, begin };
}

async function answerOf(route: Route, request: IncomingMessage): Promise<Answer> {
  // Browsers say from where a request comes: other sites have nothing to ask here.
  if (!['same-origin', 'none', undefined].includes(request.headers['sec-fetch-site'] as string | undefined))
    return { status: 403 };
  try {
    return await route(request);
  } catch (error) {
    if (error instanceof SyntaxError) return { status: 400 };
    console.error(error);
    return { status: 502 };
  }
}

/** The JSON object of a body; a `SyntaxError` for anything else. */
async function readBody(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) throw new SyntaxError('the body is too long');
    pieces.push(piece);
  }
  const body: unknown = JSON.parse(Buffer.concat(pieces).toString());
  if (typeof body !== 'object' || body === null) throw new SyntaxError('the body is no object');
  return body as Readonly<Record<string, unknown>>;
}
