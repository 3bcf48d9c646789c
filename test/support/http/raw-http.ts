import { connect, type Socket } from 'node:net';

/** An answer as it came over the wire. */
export type RawAnswer = {
  readonly status: number;
  /** By name in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
};

/** A connection on which a test writes its own bytes, and reads the answers one after the other. */
export type RawConnection = {
  send(bytes: string | Buffer): void;
  /** The next answer; rejects when the connection ends before. `bodiless` for the answer to a HEAD. */
  answer(options?: { bodiless?: boolean }): Promise<RawAnswer>;
  /** Resolves when the other side has closed. */
  ended(): Promise<void>;
  close(): void;
};

export async function rawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  let received: Buffer = Buffer.alloc(0);
  let over = false;
  let wake = () => {};
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  for (const event of ['end', 'close', 'error'] as const) {
    socket.on(event, () => {
      over = true;
      wake();
    });
  }
  const more = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  return {
    send: (bytes) => socket.write(bytes),
    async answer({ bodiless = false } = {}) {
      for (;;) {
        const parsed = parse(received, bodiless);
        if (parsed !== null) {
          received = received.subarray(parsed.length);
          return parsed.answer;
        }
        if (over) throw new Error(`the connection ended after ${JSON.stringify(received.toString())}`);
        await more();
      }
    },
    async ended() {
      while (!over) await more();
    },
    close: () => socket.destroy(),
  };
}

/** Sends bytes on a connection of their own and gives the answer to them. */
export async function rawAnswer(
  url: string,
  bytes: string | Buffer,
  options: { bodiless?: boolean } = {},
): Promise<RawAnswer> {
  const connection = await rawConnection(url);
  connection.send(bytes);
  const answer = await connection.answer(options);
  connection.close();
  return answer;
}

/** One whole answer at the beginning of the bytes, or null when there is not. */
function parse(bytes: Buffer, bodiless: boolean): { answer: RawAnswer; length: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const start = headEnd + 4;
  const end = start + (bodiless ? 0 : Number(headers.get('content-length') ?? 0));
  if (bytes.length < end) return null;
  const body = bytes.subarray(start, end).toString();
  return { answer: { status: Number(statusLine.split(' ')[1]), headers, body }, length: end };
}

/** A request as text, with the headers that HTTP wants. */
export function rawRequest(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): string {
  const all = {
    host: 'lacre.test',
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
