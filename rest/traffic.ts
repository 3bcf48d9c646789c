import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, Gauge } from 'prom-client';
import { ownerOf as ownerOfCaller } from '../src/faces/graphql/work.ts';
import { type EventLoopScheduler, LARGE_BODY } from '../src/ground/lib/event-loop-scheduler.ts';
import { LIMITS } from '../src/ground/lib/limits.ts';
import type { Logger } from '../src/ground/lib/logger.ts';
import { networkOf } from '../src/ground/lib/network.ts';
import { isShared } from '../src/ground/lib/shared-answer.ts';
import type { UnreadAnswers } from '../src/ground/lib/unread-answers.ts';
import type { Services } from '../src/services.ts';
import { bodyBounds } from './body-bounds.ts';
import { type Connection, Connections } from './connections.ts';
import { HttpError } from './http-errors.ts';
import { SlowReaders } from './slow-readers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Notes that the answer to a request is a stream: it is not one of those under way any more, and its connection is in use. */
    becomesStream(request: FastifyRequest): void;
  }
  interface FastifyRequest {
    /** What the request takes of what all share, until its answer has been read. */
    share: Share | null;
    /** Whether it may be refused although its answer is ready: nothing has changed. True of every GET. */
    repeatable: boolean;
  }
}

/** `answer` and `body` in bytes; `whose` has the body. */
type Share = {
  readonly request: FastifyRequest;
  readonly connection: Connection<Share> | null;
  /** Of the request, as far as it is known without the database; undefined until somebody asks. */
  owner: number | string | undefined;
  answer: number;
  body: number;
  whose: number | string;
  /** Whether it counts as a short request that is being answered. */
  isShort: boolean;
  /** Whether it is bounded as a stream, and not as a request under way. */
  isStream: boolean;
  /** Whether something of its body is missing: nobody works on it. */
  isReceiving: boolean;
};

/** Whose a request is, asked without the database; null: nobody's who is known. */
type OwnerOf = (request: FastifyRequest) => number | string | null;

/** The bounds; tests choose shorter ones. */
export type TrafficBounds = {
  readonly connections: number;
  readonly connectionsOfAddress: number;
  readonly underWay: number;
  readonly pipelined: number;
  readonly waitingBytes: number;
  readonly patienceMs: number;
  readonly sweepMs: number;
  readonly refusalsPerSecond: number;
};

const BOUNDS: TrafficBounds = {
  connections: LIMITS.connections.value,
  connectionsOfAddress: LIMITS.connectionsOfAddress.value,
  underWay: LIMITS.requestsUnderWay.value,
  pipelined: LIMITS.pipelined.value,
  waitingBytes: LIMITS.waitingBytes.value,
  patienceMs: LIMITS.stalledReader.value,
  sweepMs: 1_000,
  refusalsPerSecond: LIMITS.refusals.value,
};

/** Beyond the connections that are answered there is room for so many that are told so, before they are only closed. */
const TOLD_OF_EXCESS = 1.1;
/** Smaller answers are not worth refusing once they are made. */
const LARGE_ANSWER = 64 * 1024;
/** Whoever watches the service must learn of it when it has too much to do. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

const cut = new Counter({
  name: 'lacre_http_stalled_readers_total',
  help: 'Connections that were cut because the caller did not read its answer.',
});
const refused = new Counter({
  name: 'lacre_http_requests_refused_total',
  help: 'Requests that were refused because of what the process holds already.',
  labelNames: ['because'],
});
const held = new Gauge({
  name: 'lacre_http_held',
  help: 'Connections, requests under way, and bytes of answers that wait to be read.',
  labelNames: ['what'],
});

/** What all callers share of one process: connections, requests under way, and memory for bodies and unread answers. */
export class Traffic {
  readonly #connections: Connections<Share>;
  /** Requests that have come on a connection and whose answers are not sent. */
  readonly #ahead = new WeakMap<Socket, number>();
  readonly #readers: SlowReaders;
  readonly #bodies = new Map<number | string, number>();
  readonly #bounds: TrafficBounds;
  readonly #proxies: BlockList;
  readonly #log: Logger;
  readonly #unread: UnreadAnswers;
  readonly #loop: EventLoopScheduler;
  readonly #ownerOf: OwnerOf;
  /** What is worked on: its body has come, and its answer is not made. */
  readonly #underWay = new Set<Share>();
  #bodyBytes = 0;

  constructor(
    { log, unread, eventLoop }: Pick<Services, 'log' | 'unread' | 'eventLoop'>,
    proxies: readonly string[],
    ownerOf: OwnerOf,
    bounds: Partial<TrafficBounds> = {},
  ) {
    this.#ownerOf = ownerOf;
    this.#log = log;
    this.#unread = unread;
    this.#loop = eventLoop;
    this.#proxies = listOf(proxies);
    this.#bounds = { ...BOUNDS, ...bounds };
    this.#readers = new SlowReaders(this.#bounds.patienceMs);
    const { connections: all, connectionsOfAddress: ofAddress } = this.#bounds;
    this.#connections = new Connections({ all, ofAddress });
    unread.most = this.#bounds.waitingBytes;
  }

  /** Takes over a server's connections until it closes. One sweep looks at all of them; no request has a timer. */
  watch(server: FastifyInstance): void {
    server.server.maxConnections = Math.ceil(this.#bounds.connections * TOLD_OF_EXCESS);
    server.server.on('connection', (socket) => this.#open(socket));
    // Many may arrive in one packet: they are counted before anything is made of them.
    const [answer] = server.server.listeners('request') as [RequestListener];
    server.server.removeListener('request', answer).on('request', (request, response) => {
      if (this.#admits(request, response)) answer(request, response);
    });
    const sweep = setInterval(() => void this.#sweep(), this.#bounds.sweepMs).unref();
    server.addHook('onClose', async () => clearInterval(sweep));
    server.decorate('becomesStream', (request: FastifyRequest) => this.#becomesStream(request));
    server.decorateRequest('share', null);
    server.decorateRequest('repeatable', false);
    server.addHook('onRequest', (request, reply, done) => {
      const because = this.#enter(request);
      if (because === null) return done();
      refused.inc({ because });
      if (because === 'connections') reply.header('connection', 'close');
      done(new HttpError('service_unavailable', 'The service has too much to do.'));
    });
    server.addHook('preParsing', (request, _reply, payload, done) => {
      if (this.#takesBody(request)) return done(null, payload);
      refused.inc({ because: 'bodies' });
      done(new HttpError('service_unavailable', 'The service is reading too much already.'));
    });
    server.addHook('preValidation', (request, _reply, done) => {
      if (this.#received(request)) return done();
      refused.inc({ because: 'requests' });
      done(new HttpError('service_unavailable', 'The service has too much to do.'));
    });
    server.addHook('onSend', (request, _reply, payload, done) => {
      if (this.#takesAnswer(request, sizeOf(payload))) return done(null, payload);
      refused.inc({ because: 'unread answers' });
      done(new HttpError('service_unavailable', 'Too many answers wait to be read.'));
    });
    server.addHook('onResponse', (request, _reply, done) => {
      if (request.share !== null) this.#leave(request.share, request.caller !== null);
      done();
    });
  }

  #open(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const { connection, evicted } = this.#connections.open(
      socket,
      this.#isProxy(address) ? null : networkOf(address),
    );
    for (const idle of evicted) idle.socket.destroy();
    socket.once('close', () => this.#close(connection));
  }

  #close(connection: Connection<Share>): void {
    this.#connections.close(connection);
    // What had been sent one behind the other and was not answered yet ends here and nowhere else.
    for (const share of connection.work) this.#leave(share, false);
  }

  #isProxy(address: string): boolean {
    const plain = address.replace(/^::ffff:/, '');
    return plain !== '' && this.#proxies.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  }

  /** Whether a request is looked at. More of them than are answered ahead of each other close the connection. */
  #admits({ socket }: IncomingMessage, response: ServerResponse): boolean {
    if (socket.destroyed) return false;
    const ahead = this.#ahead.get(socket) ?? 0;
    // Its answer would wait behind the others, and take the place of somebody's request meanwhile.
    if (ahead >= this.#bounds.pipelined) {
      refused.inc({ because: 'pipelining' });
      socket.destroy();
      return false;
    }
    this.#ahead.set(socket, ahead + 1);
    response.once('close', () => this.#ahead.set(socket, (this.#ahead.get(socket) ?? 1) - 1));
    return true;
  }

  /** Counts a request. Answers what there is too much of, or null. */
  #enter(request: FastifyRequest): string | null {
    const connection = this.#connections.of(request.raw.socket);
    const isReceiving = hasBody(request);
    const held = { answer: 0, body: 0, whose: '', isShort: false, isStream: false, isReceiving };
    const share: Share = { request, connection, owner: undefined, ...held };
    if (!isReceiving) this.#becomesShort(share);
    request.share = share;
    request.repeatable = request.method === 'GET' || request.method === 'HEAD';
    if (connection !== null) this.#connections.begin(connection, share, !isReceiving);
    const hasPlace = this.#takesPlace(share);
    const isRead = this.#unread.bytes <= this.#bounds.waitingBytes;
    const isFree = hasPlace && isRead && connection?.isExcess !== true && this.#mayTakeBody(request);
    if (isFree || PROBES.has(request.routeOptions.url ?? '')) return null;
    if (connection?.isExcess === true) return 'connections';
    if (!hasPlace) return 'requests';
    // What is issued is short, and reading is not: issuing goes on.
    if (!isRead)
      return request.repeatable || request.routeOptions.url === '/graphql' ? 'unread answers' : null;
    return 'bodies';
  }

  /** Counts what is worked on from now on, once its body has come. False when there is too much, of all or of one owner. */
  #takesPlace(share: Share): boolean {
    const { underWay } = this.#bounds;
    if (!share.isReceiving) this.#underWay.add(share);
    if (this.#underWay.size > underWay) return false;
    if (this.#underWay.size <= underWay / 2) return true;
    const owner = this.#whose(share);
    let own = 0;
    for (const other of this.#underWay) if (this.#whose(other) === owner) own += 1;
    return own <= underWay / 2;
  }

  #whose(share: Share): number | string {
    share.owner ??= this.#ownerOf(share.request) ?? networkOf(share.request.ip);
    return share.owner;
  }

  /** Notes that the body of a request has come. False when there is no place for it. */
  #received({ share }: FastifyRequest): boolean {
    if (share === null || !share.isReceiving) return true;
    share.isReceiving = false;
    if (share.body === 0) this.#becomesShort(share);
    if (share.connection !== null) this.#connections.received(share.connection);
    return this.#takesPlace(share);
  }

  /**
   * Whether there is room for the body of a request as far as its head and what is known without the database tell. The key
   * of whoever has taken his half already need not be looked up to refuse him.
   */
  #mayTakeBody(request: FastifyRequest): boolean {
    const bytes = largeBodyOf(request);
    const owner = bytes === 0 ? null : this.#ownerOf(request);
    return owner === null || this.#hasRoom(owner, bytes);
  }

  /** One owner's share is half, so that nobody keeps the others from being read. */
  #hasRoom(whose: number | string, bytes: number): boolean {
    const { value: most } = LIMITS.bodies;
    return this.#bodyBytes + bytes <= most && (this.#bodies.get(whose) ?? 0) + bytes <= most / 2;
  }

  #takesBody(request: FastifyRequest): boolean {
    const { share, caller } = request;
    const bytes = largeBodyOf(request);
    if (share === null || bytes === 0) return true;
    const whose = caller === null ? 'pages' : ownerOfCaller(request);
    if (!this.#hasRoom(whose, bytes)) return false;
    this.#notShort(share);
    share.body = bytes;
    share.whose = whose;
    this.#bodyBytes += bytes;
    this.#bodies.set(whose, (this.#bodies.get(whose) ?? 0) + bytes);
    return true;
  }

  #takesAnswer({ share, repeatable }: FastifyRequest, bytes: number): boolean {
    if (share === null) return true;
    const isTooMuch = bytes > LARGE_ANSWER && this.#unread.bytes + bytes > this.#bounds.waitingBytes;
    if (isTooMuch && repeatable) return false;
    this.#notShort(share);
    // From here on it is bounded by its bytes, and by how long it takes to read them.
    this.#underWay.delete(share);
    share.answer += bytes;
    this.#unread.bytes += bytes;
    return true;
  }

  #leave(share: Share, isKnown: boolean): void {
    const { connection } = share;
    if (connection !== null && !this.#connections.end(connection, share, isKnown)) return;
    if (share.whose === 'gone') return;
    this.#notShort(share);
    this.#underWay.delete(share);
    this.#unread.bytes -= share.answer;
    this.#bodyBytes -= share.body;
    if (share.body > 0) subtract(this.#bodies, share.whose, share.body);
    share.whose = 'gone';
  }

  #becomesStream({ share }: FastifyRequest): void {
    if (share === null || share.isStream) return;
    share.isStream = true;
    this.#notShort(share);
    this.#underWay.delete(share);
  }

  #becomesShort(share: Share): void {
    share.isShort = true;
    this.#loop.shortRequestStarted();
  }

  /** It is answered, or was never short. */
  #notShort(share: Share): void {
    if (share.isShort) this.#loop.shortRequestEnded();
    share.isShort = false;
  }

  /** Cuts whoever has not taken of its answer what one must. */
  async #sweep(): Promise<void> {
    held.set({ what: 'connections' }, this.#connections.size);
    held.set({ what: 'requests' }, this.#underWay.size);
    held.set({ what: 'unread bytes' }, this.#unread.bytes);
    const unread: Socket[] = [];
    for (const { work, socket } of this.#connections) {
      if (work.size > 0 && socket.writableLength > 0) unread.push(socket);
      else this.#readers.forget(socket);
    }
    const isPressed = this.#unread.bytes > this.#bounds.waitingBytes / 2;
    for (const socket of await this.#readers.among(unread, isPressed)) this.#cut(socket);
  }

  #cut(socket: Socket): void {
    cut.inc();
    this.#log.info({ unread: socket.writableLength }, 'a caller did not read its answer and was cut off');
    socket.destroy();
  }
}

/** How long a large body may be, in bytes; 0 of one that is not counted. */
function largeBodyOf({ headers, method, routeOptions }: FastifyRequest): number {
  const { bytes: most } = bodyBounds(method, routeOptions.url);
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : most;
  return length > LARGE_BODY ? Math.min(length, most) : 0;
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** What an answer takes of memory while it waits. Streams are read only as fast as they are written. */
function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length;
  return Buffer.isBuffer(payload) && !isShared(payload) ? payload.length : 0;
}

function subtract(counts: Map<number | string, number>, key: number | string, amount: number): void {
  const left = (counts.get(key) ?? 0) - amount;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}

const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** The proxies of TRUSTED_PROXIES, which is checked where it is read. */
function listOf(proxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const proxy of proxies.flatMap((entry) => NAMED[entry] ?? [entry])) {
    const [address = '', bits] = proxy.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
