/** What the page's own server gives it: where Lacre is, and a token that is good for some minutes. */
export type Session = {
  readonly graphqlUrl: string;
  readonly token: string;
  /** By the clock of this computer, which may be wrong by hours. */
  readonly goodUntil: number;
};

/** A request takes a moment too. */
const SPARE_MS = 30_000;
const TIMEOUT_MS = 20_000;

let current: Promise<Session> | null = null;

/** The session that there is, or another one where it is over or its token is `refused`. All who ask meanwhile share one request. */
export async function openSession(refused?: string): Promise<Session> {
  const asked = current;
  const known = await asked?.catch(() => null);
  if (known != null && known.token !== refused && !isOver(known)) return known;
  if (current === null || current === asked) current = requestSession();
  return current;
}

export function isOver({ goodUntil }: Session): boolean {
  return goodUntil - SPARE_MS < Date.now();
}

async function requestSession(): Promise<Session> {
  const requestedAt = Date.now();
  const answer = await fetch('/token', { method: 'POST', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`The server of this page gave no token: ${answer.status}`);
  const { graphqlUrl, token, goodForMs } = await answer.json();
  return { graphqlUrl, token, goodUntil: requestedAt + goodForMs };
}
