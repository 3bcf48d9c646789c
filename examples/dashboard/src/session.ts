import { begin, type GivenSession } from './begin.ts';

/** What the page's own server gives it: where Lacre is, a token that is good for some minutes, and who is signed in. */
export type Session = Omit<GivenSession, 'goodForMs'> & {
  /** By the clock of this computer, which may be wrong by hours. */
  readonly goodUntil: number;
};

/** Nobody is signed in, or not any more. */
export class SignedOut extends Error {}

/** A request takes a moment too. */
const SPARE_MS = 30_000;
const TIMEOUT_MS = 20_000;

let current: Promise<Session> | null =
  begin?.session == null ? null : Promise.resolve(sessionOf(begin.session, performance.timeOrigin));
const isSignedOut = begin?.session === null;

/** The session that there is, or another one where it is over or its token is `refused`. All who ask meanwhile share one request. */
export async function openSession(refused?: string): Promise<Session> {
  // The server has looked already.
  if (isSignedOut) throw new SignedOut();
  const asked = current;
  const known = await asked?.catch(() => null);
  if (known != null && known.token !== refused && !isOver(known)) return known;
  if (current === null || current === asked) current = requestSession();
  return current;
}

export function isOver({ goodUntil }: Session): boolean {
  return goodUntil - SPARE_MS < Date.now();
}

const send = (method: string, path: string, body?: object) =>
  fetch(path, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

async function requestSession(): Promise<Session> {
  const requestedAt = Date.now();
  const answer = await send('POST', '/token');
  if (answer.status === 401) throw new SignedOut();
  if (!answer.ok) throw new Error(`The server of this page gave no token: ${answer.status}`);
  return sessionOf((await answer.json()) as GivenSession, requestedAt);
}

function sessionOf({ goodForMs, ...session }: GivenSession, requestedAt: number): Session {
  return { ...session, goodUntil: requestedAt + goodForMs };
}

/** False if the name or the password is wrong. */
export async function signIn(name: string, password: string): Promise<boolean> {
  const { ok, status } = await send('POST', '/session', { name, password });
  if (!ok && status !== 401) throw new Error(`The server of this page does not sign in: ${status}`);
  return ok;
}

/** Forgets who was signed in, in all tabs of the browser, and shows the page anew. */
export async function signOut(): Promise<void> {
  await send('DELETE', '/session');
  location.reload();
}

/** Asks the page's server about keys, which Lacre shows to no token. */
export async function askKeys<Shown>(change: object): Promise<Shown> {
  const answer = await send('POST', '/keys', change);
  if (!answer.ok) throw new Error(`The server of this page answers ${answer.status} about keys`);
  return (await answer.json()) as Shown;
}
