import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Extent, Outcomes, Target } from './attack.ts';

/** Another address of this machine than the one from which the neighbour asks: limits by address must tell them apart. */
const ATTACKER_ADDRESS = '127.0.0.2';

/** Further ones of the same attacker. */
const addressOf = (index: number, addresses: number) => `127.0.0.${2 + (index % addresses)}`;

/** So much of an answer is looked at for its code. */
const HEAD_CHARACTERS = 4_096;
const CODE = /"code":"(\w+)"/;

/** Longer than the service takes for anything. */
const TIMEOUT_MS = 30_000;

/** After what was held is read at last, so long is listened for the answer, or for the end of the connection. */
const FINAL_SAMPLE_MS = 500;

/** So many connections are opened at a time: the queue of those that are not yet accepted holds 511. */
const OPENED_AT_ONCE = 100;

export type AttackRequest = {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
};

export type HeldConnections = {
  readonly connections: number;
  /** What is written on the connection with this number. */
  readonly bytes: (index: number) => string | Buffer;
  /** Read so much a second; without it nothing is. */
  readonly readBytesASecond?: number;
  /** From how many addresses; one unless it says so. */
  readonly addresses?: number;
  /** Written each second. */
  readonly drip?: string;
};

export type Attacker = {
  readonly target: Target;
  /** The share of a count that is to be run, at least one. */
  share(count: number): number;
  /** Sends a request on a kept connection and drops what is answered. */
  send(request: AttackRequest): Promise<void>;
  /** Sends `count` requests, or this round's share of them, `lanes` at a time. */
  flood(count: number, lanes: number, request: (index: number) => AttackRequest): Promise<void>;
  /** Opens connections and holds them, as a client does that neither reads nor closes. */
  hold(held: HeldConnections): Promise<void>;
  /** Opens a connection, writes, and waits a moment for what comes. */
  once(bytes: string | Buffer): Promise<void>;
};

/** Whoever attacks: counts in `outcomes` what becomes of each request. */
export function createAttacker(target: Target, extent: Extent, outcomes: Outcomes): Attacker {
  const agent = new Agent({ keepAlive: true, localAddress: ATTACKER_ADDRESS });
  const note = (outcome: string): void => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  const share = (count: number) => Math.max(1, Math.round(count * extent.part));
  const send = async (request: AttackRequest) => note(await outcomeOfRequest(target.port, agent, request));
  const lookAt = async (socket: Socket) => note(await outcomeOfHeld(socket));
  return {
    target,
    share,
    send,
    async flood(count, lanes, request) {
      let next = 0;
      const end = share(count);
      const lane = async () => {
        while (next < end) await send(request(next++));
      };
      await Promise.all(Array.from({ length: lanes }, lane));
    },
    async hold({ connections, bytes, readBytesASecond, addresses = 1, drip }) {
      const sockets: Socket[] = [];
      for (let index = 0; index < share(connections); index++) {
        sockets.push(open(target.port, bytes(index), addressOf(index, addresses)));
        if (sockets.length % OPENED_AT_ONCE === 0) await pause(10);
      }
      for (let second = 0; second < extent.holdSeconds; second++) {
        await pause(1_000);
        for (const socket of sockets) {
          if (readBytesASecond !== undefined) socket.read(readBytesASecond);
          if (drip !== undefined && socket.writable) socket.write(drip);
        }
      }
      await Promise.all(sockets.map(lookAt));
    },
    async once(bytes) {
      await lookAt(open(target.port, bytes, ATTACKER_ADDRESS));
    },
  };
}

function outcomeOfRequest(
  port: number,
  agent: Agent,
  { method = 'GET', path, headers = {}, body }: AttackRequest,
): Promise<string> {
  return new Promise((done) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const options = { host: '127.0.0.1', port, method, path, agent };
    let answered = false;
    const sent = httpRequest({ ...options, headers: { ...type, ...length, ...headers } }, (answer) => {
      answered = true;
      let head = '';
      answer.setEncoding('latin1').on('data', (text: string) => {
        if (head.length < HEAD_CHARACTERS) head += text;
      });
      answer.once('close', () => done(outcomeOf(answer.statusCode ?? 0, head)));
    });
    sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error('unanswered')));
    sent.once('error', (error: NodeJS.ErrnoException) => {
      // An answer that has begun counts, however it ends.
      if (!answered) done(error.message === 'unanswered' ? 'unanswered' : outcomeOfError(error.code));
    });
    sent.end(body);
  });
}

function open(port: number, bytes: string | Buffer, localAddress: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  // Paused before it is connected, nothing is read beyond what the kernel takes.
  socket.pause();
  socket.on('error', () => {});
  socket.once('connect', () => socket.write(bytes));
  return socket;
}

/** Reads for a moment what has come on a connection, and ends it. */
async function outcomeOfHeld(socket: Socket): Promise<string> {
  let head = '';
  let over = socket.destroyed;
  socket.once('data', (chunk: Buffer) => {
    head = chunk.toString('latin1', 0, HEAD_CHARACTERS);
  });
  for (const event of ['end', 'close', 'error'])
    socket.once(event, () => {
      over = true;
    });
  socket.resume();
  await pause(FINAL_SAMPLE_MS);
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
  socket.destroy();
  return `${status === undefined ? 'no answer' : outcomeOf(status, head)}${over ? ', closed' : ''}`;
}

/** GraphQL answers some refusals with 200: the code tells. */
function outcomeOf(status: number | string, head: string): string {
  const code = CODE.exec(head)?.[1];
  return code === undefined ? String(status) : `${status} ${code}`;
}

/** A service that refuses before a body has come whole closes the connection: the client learns of it as it can. */
function outcomeOfError(code: string | undefined): string {
  return code === 'ECONNRESET' || code === 'EPIPE' ? 'cut' : (code ?? 'failed');
}
