import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventStream, type StreamOwner } from '../../ground/lib/event-streams.ts';
import type { Services } from '../../services.ts';
import { type Html, html } from './html.ts';
import { CONTENT_SECURITY_POLICY } from './serve.ts';

/**
 * Pages that show what has changed by themselves, where a browser runs scripts; without, they are as complete as before. All
 * that a page hears is that something has changed: it requests itself again, and replaces what it shows. It leaves
 * alone what somebody is in the middle of, and does so at most once a second. What no event reports, such as that the last of a
 * batch is settled, it requests every few seconds while something in the page is marked as unfinished (`data-unfinished`).
 */
export const LIVE_SCRIPT: Html = html`<script>(() => {
  const main = document.querySelector('main[data-live]');
  if (!main || !window.EventSource) return;
  let busy = false;
  let late = false;
  let opened = false;
  let again;
  const isUsed = () => main !== document.activeElement && main.contains(document.activeElement);
  const refresh = async () => {
    late = true;
    if (busy || isUsed()) return;
    busy = true;
    late = false;
    try {
      const answer = await fetch(location.href, { credentials: 'same-origin' });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const next = page.querySelector('main[data-live]');
      const status = main.querySelector('[role="status"]');
      if (answer.ok && next && !isUsed()) {
        main.replaceChildren(...next.childNodes);
        if (status) main.prepend(status);
      }
    } catch {}
    setTimeout(() => {
      busy = false;
      if (late) refresh();
      else follow();
    }, 1000);
  };
  const follow = () => {
    clearTimeout(again);
    if (main.querySelector('[data-unfinished]')) again = setTimeout(refresh, 2000);
  };
  main.addEventListener('focusout', () => setTimeout(() => late && refresh()));
  const source = new EventSource(main.dataset.live);
  source.addEventListener('open', () => {
    if (opened) refresh();
    opened = true;
  });
  source.addEventListener('changed', refresh);
  follow();
})();</script>`;

const text = LIVE_SCRIPT.markup.slice('<script>'.length, -'</script>'.length);
const digest = createHash('sha256').update(text).digest('base64');

/** Of these pages alone: that one script may run, and ask where the page came from. */
const LIVE_POLICY = `; script-src 'sha256-${digest}'; connect-src 'self'`;

/** Lets a page run the script that it carries, beside what it may already. */
export function allowLive(reply: FastifyReply): void {
  const policy = reply.getHeader('content-security-policy') ?? CONTENT_SECURITY_POLICY;
  reply.header('content-security-policy', `${policy}${LIVE_POLICY}`);
}

type Follower = Parameters<Services['feed']['follow']>[1];
type Event = Parameters<Follower>[0][number];

/** The changes that a page receives, and its authorization. */
export type Changes = {
  readonly owner: StreamOwner;
  /** How many the owner may have. */
  readonly max: number;
  readonly environmentId: number;
  /** Whether the page shows something of what has happened. */
  readonly isMeant: (event: Event) => Promise<boolean>;
  /** The session: all streams of one are authorized together. */
  readonly cookie: string;
  readonly stillMay: () => Promise<boolean>;
};

/** It contains no data about the change. */
const CHANGED = Buffer.from('event: changed\ndata:\n\n');

const NOTHING = Buffer.alloc(0);

/** Tells a page when something of its environment changes, for as long as it is open. */
export async function serveChanges(
  { streams, feed }: Pick<Services, 'streams' | 'feed'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { owner, max, environmentId, isMeant, cookie, stillMay }: Changes,
): Promise<FastifyReply> {
  const full = () => reply.code(503).header('retry-after', '30').send();
  if (streams.fullFor(owner, max) !== null) return full();
  const check = async () => ((await stillMay()) ? null : NOTHING);
  const authority = { key: `cookie ${cookie}`, expiresAt: null, check };
  let stream: EventStream | null = null;
  const notify = async (events: readonly Event[]) => {
    for (const event of events) {
      if (stream?.isOpen !== true) return;
      if (await isMeant(event)) return stream.send(CHANGED, 0);
    }
  };
  const following = await feed.follow(environmentId, (events) => void notify(events).catch(() => {}));
  if (streams.fullFor(owner, max) !== null) {
    following.stop();
    return full();
  }
  reply.hijack();
  request.server.becomesStream(request);
  stream = new EventStream(reply.raw, { owner, authority, position: 0 });
  stream.onClosed(() => following.stop());
  stream.start(reply.getHeaders() as Record<string, string>);
  streams.add(stream);
  return reply;
}
