import type { Socket } from 'node:net';

/** What Node's HTTP server keeps at a connection to read its requests with; not part of its documented interface. */
type Parser = { remove(): void; close(): void };
type Parsed = Socket & { parser?: Parser | null };

/**
 * Gives up the parser of a connection on which no further request is answered: it takes 10 KiB, a third of what a stream
 * takes. What the client still sends is discarded; when it ends its side, the connection is closed. Does nothing on a
 * version of Node whose parser has another form.
 */
export function releaseParser(socket: Socket): void {
  const { parser } = socket as Parsed;
  const before = ['data', 'end'].map((event) => ({ event, listener: ownListener(socket, event) }));
  if (typeof parser?.remove !== 'function' || typeof parser.close !== 'function') return;
  // A listener of ours makes the socket itself read again, in place of the parser.
  socket.on('data', () => {});
  socket.on('end', () => socket.destroy());
  for (const { event, listener } of before) if (listener !== undefined) socket.off(event, listener);
  (socket as Parsed).parser = null;
  parser.remove();
  // It may be the one that is calling us.
  setImmediate(() => parser.close());
}

/** What Node's HTTP server itself does with an event of a connection. */
function ownListener(socket: Socket, event: string): (() => void) | undefined {
  return socket.listeners(event).find(({ name }) => name.startsWith('bound socketOn')) as
    | (() => void)
    | undefined;
}
