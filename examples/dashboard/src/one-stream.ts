/** Something that was received, with its place in the journal. */
export type Numbered<Message> = { readonly sequence: number; readonly message: Message };

type Note<Message> =
  /** What the tab that has the stream received. */
  | { readonly kind: 'received'; readonly received: Numbered<Message> }
  /** A tab is at this place, and takes part from now on. */
  | { readonly kind: 'at'; readonly position: number }
  /** The stream begins anew, after this place. */
  | { readonly kind: 'from'; readonly position: number }
  | { readonly kind: 'live'; readonly isLive: boolean };

export type Shared<Message> = {
  /** The same in all tabs that share. */
  readonly name: string;
  /** What lies after this place is to be received. */
  readonly begin: number;
  /** Opens a stream of what lies after a place, and returns what closes it. */
  readonly open: (after: number, to: Receiver<Message>) => () => void;
  readonly receive: (message: Message) => void;
  readonly setLive: (isLive: boolean) => void;
};

export type Receiver<Message> = {
  readonly receive: (received: Numbered<Message>) => void;
  readonly setLive: (isLive: boolean) => void;
};

/**
 * One stream for all tabs of a browser, which has few connections to an address over HTTP/1.1. The visible tabs compete for a lock; the
 * one that has it opens the stream and passes on what it receives. A tab that is hidden neither holds the stream nor listens: shown
 * again, it says at which place it is, and is sent what it has missed. Nothing is open while no tab is visible.
 */
export function shareStream<Message>(shared: Shared<Message>): () => void {
  let position = shared.begin;
  let leave: (() => void) | null = null;
  const receive = ({ sequence, message }: Numbered<Message>) => {
    if (sequence <= position) return;
    position = sequence;
    shared.receive(message);
  };
  const settle = () => {
    const isVisible = document.visibilityState === 'visible';
    if (isVisible && leave === null) leave = takePart({ ...shared, receive, position: () => position });
    if (!isVisible && leave !== null) {
      leave();
      leave = null;
    }
  };
  document.addEventListener('visibilitychange', settle);
  settle();
  return () => {
    document.removeEventListener('visibilitychange', settle);
    leave?.();
  };
}

type Part<Message> = Omit<Shared<Message>, 'receive' | 'begin'> &
  Receiver<Message> & { readonly position: () => number };

/** Listens to the tab that has the stream, and becomes it when that one closes or is hidden. */
function takePart<Message>({ name, open, receive, setLive, position }: Part<Message>): () => void {
  const channel = new BroadcastChannel(name);
  const post = (note: Note<Message>) => channel.postMessage(note);
  let close: (() => void) | null = null;
  const begin = (after: number) => {
    close?.();
    post({ kind: 'from', position: after });
    close = open(after, {
      receive(received) {
        receive(received);
        post({ kind: 'received', received });
      },
      setLive(isLive) {
        setLive(isLive);
        post({ kind: 'live', isLive });
      },
    });
  };
  channel.onmessage = ({ data }: MessageEvent<Note<Message>>) => {
    if (data.kind === 'live') setLive(data.isLive);
    if (data.kind === 'received') receive(data.received);
    // Whoever is behind is sent what it has missed; the others know that already and drop it.
    if (data.kind === 'at' && close !== null && data.position < position()) begin(data.position);
    if (data.kind === 'from' && data.position > position()) post({ kind: 'at', position: position() });
  };
  const left = new AbortController();
  const untilLeft = new Promise<void>((resolve) => left.signal.addEventListener('abort', () => resolve()));
  const lead = () => {
    if (!left.signal.aborted) begin(position());
    return untilLeft;
  };
  // Browsers have locks in secure contexts alone: elsewhere each tab has a stream of its own.
  if (navigator.locks === undefined) void lead();
  else navigator.locks.request(name, { signal: left.signal }, lead).catch(() => {});
  post({ kind: 'at', position: position() });
  return () => {
    left.abort();
    close?.();
    channel.close();
  };
}
