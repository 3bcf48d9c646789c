/** What the page's own server gives it: where Lacre is, and a token that is good for some minutes. */
export type Session = {
  readonly graphqlUrl: string;
  readonly token: string;
  readonly expiresAt: string;
};

/** A request takes a moment too, and clocks differ. */
const SPARE_MS = 30_000;

let current: Promise<Session> | null = null;

/** The session that there is, or another one where it is over or `fresh` is requested. */
export async function openSession({ fresh = false } = {}): Promise<Session> {
  const known = fresh ? null : await current?.catch(() => null);
  if (known != null && !isOver(known)) return known;
  current = askForSession();
  return current;
}

export function isOver({ expiresAt }: Session): boolean {
  return Date.parse(expiresAt) - SPARE_MS < Date.now();
}

async function askForSession(): Promise<Session> {
  const answer = await fetch('/token', { method: 'POST' });
  if (!answer.ok) throw new Error(`The server of this page gave no token: ${answer.status}`);
  return answer.json();
}
