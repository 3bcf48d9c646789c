import type { Socket } from 'node:net';

/** A connection and its state. */
export type Connection<Work> = {
  readonly socket: Socket;
  /** Null for a trusted proxy, through which many callers come. */
  readonly network: string | null;
  /** Of its network; null for a trusted proxy. */
  readonly address: Address<Work> | null;
  /** It arrived when there was no room: it is refused with an answer. */
  readonly isExcess: boolean;
  /** Its requests in progress. */
  readonly work: Set<Work>;
  /** Its requests that have arrived completely and are not answered. */
  unanswered: number;
};

/** The maximum number of connections: in total, and of one address. */
export type ConnectionLimits = { readonly all: number; readonly ofAddress: number };

/** Of each address, this many connections that have sent a valid key are kept when others have to be closed. */
const SPARED_OF_ADDRESS = 100;

type Idle<Work> = Set<Connection<Work>>;
/** The connections of an address: their number, and those without a request, longest idle first. */
type Address<Work> = { count: number; readonly unknown: Idle<Work>; readonly known: Idle<Work> };

/**
 * The open connections of a server. If there is no room for another, an idle one is closed: a caller that holds idle
 * connections must not keep out active ones. An incomplete request does not count as one.
 */
export class Connections<Work> {
  readonly #all = new Map<Socket, Connection<Work>>();
  readonly #addresses = new Map<string, Address<Work>>();
  /** Those that have sent a valid key. */
  readonly #known = new WeakSet<Connection<Work>>();
  readonly #room: ConnectionLimits;

  constructor(room: ConnectionLimits) {
    this.#room = room;
  }

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): IterableIterator<Connection<Work>> {
    return this.#all.values();
  }

  of(socket: Socket): Connection<Work> | null {
    return this.#all.get(socket) ?? null;
  }

  /** Registers a connection. Returns those that have to be closed for it, which no longer count. */
  open(
    socket: Socket,
    network: string | null,
  ): { connection: Connection<Work>; evicted: Connection<Work>[] } {
    const evicted: Connection<Work>[] = [];
    const own = network === null ? undefined : this.#addresses.get(network);
    if (own !== undefined && own.count >= this.#room.ofAddress) this.#evict(longestIdle(own), evicted);
    if (this.#all.size >= this.#room.all) this.#evict(this.#mostDispensable(), evicted);
    const isExcess = this.#all.size >= this.#room.all || (own?.count ?? 0) >= this.#room.ofAddress;
    const address = network === null ? null : this.#addressOf(network);
    const state = { isExcess, work: new Set<Work>(), unanswered: 0 };
    const connection: Connection<Work> = { socket, network, address, ...state };
    this.#all.set(socket, connection);
    if (address !== null) {
      address.count += 1;
      address.unknown.add(connection);
    }
    return { connection, evicted };
  }

  #addressOf(network: string): Address<Work> {
    const address = this.#addresses.get(network) ?? { count: 0, unknown: new Set(), known: new Set() };
    this.#addresses.set(network, address);
    return address;
  }

  /** Removes a connection; false if it was removed before. */
  close(connection: Connection<Work>): boolean {
    if (!this.#all.delete(connection.socket)) return false;
    const { address } = connection;
    if (address === null) return true;
    address.count -= 1;
    address.unknown.delete(connection);
    address.known.delete(connection);
    if (address.count === 0) this.#addresses.delete(connection.network!);
    return true;
  }

  /** A request of the connection has arrived completely: the connection is not idle until `answered`. */
  received(connection: Connection<Work>): void {
    connection.unanswered += 1;
    connection.address?.unknown.delete(connection);
    connection.address?.known.delete(connection);
  }

  /** A request that was `received` is answered. */
  answered(connection: Connection<Work>): void {
    connection.unanswered -= 1;
    if (connection.unanswered > 0 || !this.#all.has(connection.socket)) return;
    const { address } = connection;
    const idle = this.#known.has(connection) ? address?.known : address?.unknown;
    idle?.add(connection);
  }

  /** Ends a request of the connection's `work`; `isKnown`: it had a valid key. */
  end(connection: Connection<Work>, work: Work, isKnown: boolean): void {
    connection.work.delete(work);
    if (isKnown) this.#known.add(connection);
  }

  /** Of the address with most connections, the one idle for longest; connections known by a key come last. */
  #mostDispensable(): Connection<Work> | undefined {
    let busiest: Address<Work> | null = null;
    let last: Address<Work> | null = null;
    for (const address of this.#addresses.values()) {
      const isSpared = address.unknown.size === 0 && address.count <= SPARED_OF_ADDRESS;
      if (address.unknown.size + address.known.size === 0) continue;
      if (isSpared && address.count > (last?.count ?? 0)) last = address;
      if (!isSpared && address.count > (busiest?.count ?? 0)) busiest = address;
    }
    const from = busiest ?? last;
    return from === null ? undefined : longestIdle(from);
  }

  #evict(connection: Connection<Work> | undefined, evicted: Connection<Work>[]): void {
    if (connection === undefined) return;
    this.close(connection);
    evicted.push(connection);
  }
}

/** The most expendable connection of an address: one without a valid key so far, else the least recently used. */
function longestIdle<Work>({ unknown, known }: Address<Work>): Connection<Work> | undefined {
  for (const connection of unknown) return connection;
  for (const connection of known) return connection;
  return undefined;
}
