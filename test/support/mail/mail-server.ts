import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { mustNotBeLogged } from '../processes/run-log.ts';

/** A message as a mail server got it. */
export type Received = {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly header: (name: string) => string | null;
  /** The decoded parts, the message's own first where it has but one. */
  readonly parts: readonly Part[];
  readonly secure: boolean;
};

export type Part = { readonly type: string; readonly filename: string | null; readonly bytes: Buffer };

type Answer = { readonly code: number; readonly text: string };

export type MailServer = {
  readonly url: string;
  readonly port: number;
  /** The accepted messages, oldest first. */
  readonly received: Received[];
  /** What it answers to a recipient; without one it takes all. */
  refuse: (address: string) => Answer | null;
  /** What it answers to a message that it was sent whole; without one it takes all. */
  refuseMessage: () => Answer | null;
  /** Awaited once a message has come whole, before it is answered. */
  beforeAnswer: () => Promise<void>;
  /** Ends all connections as a machine does that dies. */
  drop(): void;
  close(): Promise<void>;
};

export const MAIL_USER = 'lacre';
export const MAIL_PASSWORD = 'pa/ss:wörd 8271';

const refusal = ({ code, text }: Answer): Error => Object.assign(new Error(text), { responseCode: code });

/** A mail server on this machine. Without `key` and `cert` it offers no TLS. */
export async function mailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  mustNotBeLogged('password', MAIL_PASSWORD, encodeURIComponent(MAIL_PASSWORD));
  const received: Received[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, allowInsecureAuth: true, logger: false, closeTimeout: 1 },
    disabledCommands: options.key === undefined ? ['STARTTLS'] : [],
    ...options,
    onAuth({ username, password }, _session, done) {
      if (username === MAIL_USER && password === MAIL_PASSWORD) done(null, { user: username });
      else done(refusal({ code: 535, text: `5.7.8 no ${password}` }));
    },
    onRcptTo({ address }, _session, done) {
      const answer = own.refuse(address);
      done(answer === null ? null : refusal(answer));
    },
    onData(stream, session, done) {
      void (async () => {
        const raw = (await buffer(stream)).toString('latin1');
        await own.beforeAnswer();
        const answer = own.refuseMessage();
        if (answer !== null) return done(refusal(answer));
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        received.push({
          from,
          to: rcptTo.map(({ address }) => address),
          ...readMessage(raw),
          secure: session.secure,
        });
        done(null, 'taken');
      })();
    },
  });
  // Connections that a test breaks off are no fault of the server's.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const login = `${MAIL_USER}:${encodeURIComponent(MAIL_PASSWORD)}`;
  const own: MailServer = {
    ...{ url: `smtp://${login}@127.0.0.1:${port}`, port, received },
    refuse: () => null,
    refuseMessage: () => null,
    beforeAnswer: async () => {},
    drop() {
      for (const { _socket: socket } of server.connections) socket.destroy();
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
      }),
  };
  return own;
}

function readMessage(raw: string): Pick<Received, 'raw' | 'header' | 'parts'> {
  const { headers, body } = split(raw);
  return { raw, header: (name) => headers.get(name.toLowerCase()) ?? null, parts: partsOf(headers, body) };
}

function split(text: string): { headers: Map<string, string>; body: string } {
  const end = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  return { headers, body: text.slice(end + 4) };
}

function partsOf(headers: Map<string, string>, body: string): Part[] {
  const type = headers.get('content-type') ?? 'text/plain';
  const boundary = /boundary="([^"]+)"/.exec(type)?.[1];
  if (boundary === undefined) {
    const filename = /filename="?([^";]+)"?/.exec(headers.get('content-disposition') ?? '')?.[1] ?? null;
    return [{ type: type.split(';')[0]!, filename, bytes: decoded(headers, body) }];
  }
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((part) => {
      const inner = split(part.replace(/^\r\n/, '').replace(/\r\n$/, ''));
      return partsOf(inner.headers, inner.body);
    });
}

function decoded(headers: Map<string, string>, body: string): Buffer {
  const encoding = headers.get('content-transfer-encoding');
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1');
  const plain = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(plain, 'latin1');
}
