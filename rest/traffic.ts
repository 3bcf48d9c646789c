import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import type {
  FastifyInstance,
  FastifyRequest,
  onRequestHookHandler,
  onSendHookHandler,
  preParsingHookHandler,
  preValidationHookHandler,
} from 'fastify';
import { Counter, Gauge } from 'prom-client';
import { ownerOf as ownerOfCaller } from '../src/faces/graphql/charged-rows.ts';
import type { EventLoopScheduler } from '../src/ground/lib/event-loop-scheduler.ts';
import { SHARED_LIMITS } from '../src/ground/lib/limits.ts';
import type { Logger } from '../src/ground/lib/logger.ts';
import { networkOf } from '../src/ground/lib/network.ts';
import { waitingBytesOf } from '../src/ground/lib/shared-answer.ts';
import type { UnreadAnswers } from '../src/ground/lib/unread-answers.ts';
import type { Services } from '../src/services.ts';
import { hasBody, largeBodyOf } from './body-bounds.ts';
import { type Connection, Connections } from './connections.ts';
import { HttpError } from './http-errors.ts';
import { REQUEST_LIMITS } from './limits.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Declares the answer to a request a stream: it is no longer in progress, and its connection counts as used. */
    becomesStream(request: FastifyRequest): void;
  }
  interface FastifyRequest {
    /** The shared resources that a request uses until its answer has been read. */
    usage: Usage | null;
    /** Whether it may be refused although its answer is ready, because nothing has changed. True for every GET. */
    repeatable: boolean;
  }
}

/** What one request uses of the shared resources: `answer` and `body` in bytes; `bodyOwner` is the owner of the body. */
type Usage = {
  readonly request: FastifyRequest;
  readonly connection: Connection<Usage> | null;
  /** The request's owner, as far as it is known without the database; undefined until it is needed. */
  owner: number | string | undefined;
  answer: number;
  /** When the answer was ready (`performance.now()`). */
  answeredAt: number;
  body: number;
  bodyOwner: number | string;
  /** Whether its body is incomplete, so that no work on it has started. */
  isReceiving: boolean;
  /** Whether its answer is ready or a stream: it ends with its connection. Else it ends when its answer would be ready. */
  isAnswered: boolean;
  isOver: boolean;
};

/** The owner of a request, determined without the database; null if unknown. */
type OwnerOf = (request: FastifyRequest) => number | string | null;

/** The limits; tests choose lower ones. */
export type TrafficBounds = {
  readonly connections: number;
  readonly connectionsOfAddress: number;
  readonly underWay: number;
  readonly pipelined: number;
  readonly waitingBytes: number;
  readonly stalledAfterMs: number;
  readonly readingRate: number;
  readonly sweepMs: number;
};

const BOUNDS: TrafficBounds = {
  connections: REQUEST_LIMITS.connections.value,
  connectionsOfAddress: REQUEST_LIMITS.connectionsOfAddress.value,
  underWay: REQUEST_LIMITS.requestsUnderWay.value,
  pipelined: REQUEST_LIMITS.pipelined.value,
  waitingBytes: SHARED_LIMITS.waitingBytes.value,
  stalledAfterMs: REQUEST_LIMITS.stalledReader.value,
  readingRate: REQUEST_LIMITS.readingRate.value,
  sweepMs: 1_000,
};

/** Connections beyond the served ones, up to this factor, are refused with an answer; further ones are only closed. */
const ANSWERED_EXCESS = 1.1;
/** Refusing smaller answers saves nothing once they are built. */
const LARGE_ANSWER = 64 * 1024;
/** While half of what may wait waits, a reader has this part of the time. */
const TIME_WHEN_PRESSED = 1 / 10;
/** Monitoring must work when the process is overloaded. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);
const isProbe = ({ routeOptions }: FastifyRequest) => PROBES.has(routeOptions.url ?? '');

const cut = new Counter({
  name: 'lacre_http_stalled_readers_total',
  help: 'Connections that were closed because the caller did not read its answer.',
});
const refused = new Counter({
  name: 'lacre_http_requests_refused_total',
  help: 'Requests that were refused because the process is overloaded.',
  labelNames: ['reason'],
});
/** What a process holds too much of when it refuses a request. */
const REASONS = ['connections', 'requests', 'bodies', 'unread answers', 'pipelining'] as const;
for (const reason of REASONS) refused.inc({ reason }, 0);
function refusal(reason: (typeof REASONS)[number], detail: string): HttpError {
  refused.inc({ reason });
  return new HttpError('service_unavailable', detail);
}

const held = new Gauge({
  name: 'lacre_http_held',
  help: 'Connections, requests in progress, and unread bytes of answers.',
  labelNames: ['resource'],
});

/** What all callers of a process share: connections, requests in progress, and memory for bodies and unread answers. */
export class Traffic {
  readonly #connections: Connections<Usage>;
  /** Requests that have arrived on a connection and whose answers have not been sent. */
  readonly #ahead = new WeakMap<Socket, number>();
  /** Requests that keep their connection from being idle: they have arrived completely. */
  readonly #whole = new WeakSet<IncomingMessage>();
  /** Connections whose first request has not begun. */
  readonly #unused = new WeakSet<Socket>();
  readonly #bodies = new Map<number | string, number>();
  readonly #bounds: TrafficBounds;
  readonly #isTrusted: (address: string, hops: number) => boolean;
  readonly #log: Logger;
  readonly #loop: EventLoopScheduler;
  readonly #unread: UnreadAnswers;
  readonly #ownerOf: OwnerOf;
  /** Requests in progress: the body has arrived, and the answer is not ready. */
  readonly #underWay = new Set<Usage>();
  #bodyBytes = 0;

  constructor(
    { eventLoop, log, unread }: Pick<Services, 'eventLoop' | 'log' | 'unread'>,
    proxies: readonly string[],
    ownerOf: OwnerOf,
    bounds: Partial<TrafficBounds> = {},
  ) {
    this.#ownerOf = ownerOf;
    this.#log = log;
    this.#loop = eventLoop;
    this.#unread = unread;
    this.#isTrusted = proxyAddr.compile([...proxies]);
    this.#bounds = { ...BOUNDS, ...bounds };
    const { connections: all, connectionsOfAddress: ofAddress, waitingBytes } = this.#bounds;
    this.#connections = new Connections({ all, ofAddress });
    unread.most = waitingBytes;
  }

  /** Controls a server's connections until it closes. One sweep checks all of them; no request has a timer. */
  watch(server: FastifyInstance): void {
    server.server.maxConnections = Math.ceil(this.#bounds.connections * ANSWERED_EXCESS);
    server.server.on('connection', (socket) => this.#open(socket));
    server.server.timeout = this.#bounds.stalledAfterMs;
    server.server.on('timeout', (socket) => this.#timedOut(socket));
    // Many may arrive in one packet: they are counted before anything is created for them.
    const [answer] = server.server.listeners('request') as [RequestListener];
    server.server.removeListener('request', answer).on('request', (request, response) => {
      if (this.#admits(request, response)) answer(request, response);
    });
    const sweep = setInterval(() => this.#sweep(), this.#bounds.sweepMs).unref();
    server.addHook('onClose', async () => clearInterval(sweep));
    server.decorate('becomesStream', (request: FastifyRequest) => this.#becomesStream(request));
    server.decorateRequest('usage', null);
    server.decorateRequest('repeatable', false);
    server.addHook('onRequest', this.#awaitTurn);
    server.addHook('onRequest', this.#enter);
    server.addHook('preParsing', this.#reserveBody);
    server.addHook('preValidation', this.#received);
    server.addHook('onSend', this.#reserveAnswer);
    server.addHook('onResponse', (request, _reply, done) => {
      if (request.usage !== null) this.#release(request.usage, request.caller !== null);
      done();
    });
  }

  #open(socket: Socket): void {
    this.#unused.add(socket);
    this.#loop.accepted();
    const address = socket.remoteAddress ?? '';
    const { connection, evicted } = this.#connections.open(
      socket,
      this.#isProxy(address) ? null : networkOf(address),
    );
    for (const idle of evicted) idle.socket.destroy();
    socket.once('close', () => this.#close(connection));
  }

  #close(connection: Connection<Usage>): void {
    this.#connections.close(connection);
    // Work on the others continues although nobody waits for it, and uses what it has until it is over.
    for (const usage of connection.work) if (usage.isAnswered) this.#release(usage, false);
  }

  /** As Fastify decides about `trustProxy`. */
  #isProxy(address: string): boolean {
    return address !== '' && this.#isTrusted(address, 0);
  }

  /** Whether a request is processed. Too many pipelined requests close the connection. */
  #admits(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    if (socket.destroyed) return false;
    const ahead = this.#ahead.get(socket) ?? 0;
    // Its answer would wait behind the others, and occupy a place meanwhile.
    if (ahead >= this.#bounds.pipelined) {
      refused.inc({ reason: 'pipelining' });
      socket.destroy();
      return false;
    }
    this.#ahead.set(socket, ahead + 1);
    if (!hasBody(request)) this.#becomesWhole(request);
    response.once('close', () => {
      this.#ahead.set(socket, (this.#ahead.get(socket) ?? 1) - 1);
      const connection = this.#connections.of(socket);
      if (connection !== null && this.#whole.has(request)) this.#connections.answered(connection);
    });
    return true;
  }

  /** Its connection is not idle from here on. */
  #becomesWhole(request: IncomingMessage): void {
    const connection = this.#connections.of(request.socket);
    if (connection === null) return;
    this.#whole.add(request);
    this.#connections.received(connection);
  }

  /** The first request of a connection waits before it is counted: many that come at once are not too many for that. */
  readonly #awaitTurn: onRequestHookHandler = (request, _reply, done) => {
    if (isProbe(request) || !this.#unused.delete(request.raw.socket)) return done();
    void this.#loop.waitTurn(networkOf(request.ip)).then(() => done());
  };

  /** Counts a request, and refuses it if a limit is exceeded. */
  readonly #enter: onRequestHookHandler = (request, reply, done) => {
    const connection = this.#connections.of(request.raw.socket);
    const isReceiving = hasBody(request);
    const nothing = { answer: 0, answeredAt: 0, body: 0, bodyOwner: '', isAnswered: false, isOver: false };
    const usage: Usage = { request, connection, owner: undefined, isReceiving, ...nothing };
    request.usage = usage;
    request.repeatable = request.method === 'GET' || request.method === 'HEAD';
    connection?.work.add(usage);
    const hasPlace = this.#occupyPlace(usage);
    const body = largeBodyOf(request);
    let reason: (typeof REASONS)[number] | null = null;
    if (connection?.isExcess === true) reason = 'connections';
    else if (!hasPlace) reason = 'requests';
    else if (this.#unread.bytes > this.#bounds.waitingBytes) {
      // Answers to issuing are short, and those of reads are not: issuing continues.
      if (request.repeatable || request.routeOptions.url === '/graphql') reason = 'unread answers';
    } else if (body > 0 && !this.#mayTakeBody(request, body)) reason = 'bodies';
    if (reason === null || isProbe(request)) return done();
    if (reason === 'connections') reply.header('connection', 'close');
    done(refusal(reason, 'The service is overloaded.'));
  };

  /** Counts a request as in progress, once its body has arrived. False if there are too many, in total or for one owner. */
  #occupyPlace(usage: Usage): boolean {
    const { underWay } = this.#bounds;
    if (!usage.isReceiving) this.#underWay.add(usage);
    if (this.#underWay.size > underWay) return false;
    if (this.#underWay.size <= underWay / 2) return true;
    const owner = this.#ownerOfUsage(usage);
    let own = 0;
    for (const other of this.#underWay) if (this.#ownerOfUsage(other) === owner) own += 1;
    return own <= underWay / 2;
  }

  #ownerOfUsage(usage: Usage): number | string {
    usage.owner ??= this.#ownerOf(usage.request) ?? networkOf(usage.request.ip);
    return usage.owner;
  }

  /** The body of a request has arrived, which needs a place from here on. */
  readonly #received: preValidationHookHandler = ({ usage, raw }, _reply, done) => {
    if (usage === null || !usage.isReceiving) return done();
    usage.isReceiving = false;
    this.#becomesWhole(raw);
    if (this.#occupyPlace(usage)) return done();
    done(refusal('requests', 'The service is overloaded.'));
  };

  /**
   * Whether there is room for the body of a request, judged by its headers and without the database: the key of an owner that
   * already uses its half need not be looked up to refuse the request.
   */
  #mayTakeBody(request: FastifyRequest, bytes: number): boolean {
    const owner = this.#ownerOf(request);
    return owner === null || this.#hasRoom(owner, bytes);
  }

  /** One owner may use half, so that it cannot keep the bodies of others from being read. */
  #hasRoom(bodyOwner: number | string, bytes: number): boolean {
    const { value: max } = REQUEST_LIMITS.bodies;
    return this.#bodyBytes + bytes <= max && (this.#bodies.get(bodyOwner) ?? 0) + bytes <= max / 2;
  }

  readonly #reserveBody: preParsingHookHandler = (request, _reply, payload, done) => {
    // Fastify would wait for the rest of the body of a caller who has left.
    if (request.raw.destroyed && hasBody(request)) return done(new HttpError('invalid_request', 'No body.'));
    const { usage, caller } = request;
    const bytes = largeBodyOf(request);
    if (usage === null || bytes === 0) return done(null, payload);
    const bodyOwner = caller === null ? 'pages' : ownerOfCaller(request);
    if (!this.#hasRoom(bodyOwner, bytes))
      return done(refusal('bodies', 'The service is reading too many large bodies.'));
    usage.body = bytes;
    usage.bodyOwner = bodyOwner;
    this.#bodyBytes += bytes;
    this.#bodies.set(bodyOwner, (this.#bodies.get(bodyOwner) ?? 0) + bytes);
    done(null, payload);
  };

  readonly #reserveAnswer: onSendHookHandler = ({ usage, repeatable, raw }, _reply, payload, done) => {
    if (usage === null) return done(null, payload);
    if (raw.socket.destroyed) {
      this.#release(usage, false);
      return done(null, payload);
    }
    const bytes = waitingBytesOf(payload);
    const isTooMuch = bytes > LARGE_ANSWER && this.#unread.bytes + bytes > this.#bounds.waitingBytes;
    if (isTooMuch && repeatable)
      return done(refusal('unread answers', 'Too many answers are waiting to be read.'));
    // From here on it is limited by its bytes, and by how long it takes to read them.
    this.#underWay.delete(usage);
    usage.isAnswered = true;
    usage.answer += bytes;
    usage.answeredAt = performance.now();
    this.#unread.bytes += bytes;
    done(null, payload);
  };

  #release(usage: Usage, isKnown: boolean): void {
    const { connection } = usage;
    if (usage.isOver) return;
    usage.isOver = true;
    if (connection !== null) this.#connections.end(connection, usage, isKnown);
    this.#underWay.delete(usage);
    this.#unread.bytes -= usage.answer;
    this.#bodyBytes -= usage.body;
    if (usage.body > 0) subtract(this.#bodies, usage.bodyOwner, usage.body);
  }

  #becomesStream(request: FastifyRequest): void {
    const { usage } = request;
    if (usage === null || usage.isAnswered) return;
    usage.isAnswered = true;
    this.#underWay.delete(usage);
    if (request.raw.socket.destroyed) this.#release(usage, false);
  }

  /** Nothing has been sent or received for a time: Node leaves it to its listener to close a connection. */
  #timedOut(socket: Socket): void {
    const connection = this.#connections.of(socket);
    if (socket.writableLength > 0) this.#cut(socket);
    else if (connection === null || connection.unanswered + connection.work.size === 0) socket.destroy();
  }

  /** Closes the connections of readers that take longer for their answers than these may wait. */
  #sweep(): void {
    held.set({ resource: 'connections' }, this.#connections.size);
    held.set({ resource: 'requests' }, this.#underWay.size);
    held.set({ resource: 'unread bytes' }, this.#unread.bytes);
    const isPressed = this.#unread.bytes > this.#bounds.waitingBytes / 2;
    const now = performance.now();
    for (const { work, socket } of this.#connections) {
      if (socket.writableLength > 0 && [...work].some((usage) => this.#isLate(usage, now, isPressed)))
        this.#cut(socket);
    }
  }

  #isLate({ answer, answeredAt }: Usage, now: number, isPressed: boolean): boolean {
    const { stalledAfterMs, readingRate } = this.#bounds;
    const time = stalledAfterMs + (answer * 1_000) / readingRate;
    return answer > 0 && now - answeredAt > time * (isPressed ? TIME_WHEN_PRESSED : 1);
  }

  #cut(socket: Socket): void {
    cut.inc();
    this.#log.info(
      { unread: socket.writableLength },
      'connection closed: the caller did not read its answer',
    );
    socket.destroy();
  }
}

function subtract(counts: Map<number | string, number>, key: number | string, amount: number): void {
  const left = (counts.get(key) ?? 0) - amount;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}
