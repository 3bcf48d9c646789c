import type { Socket } from 'node:net';

/** A connection, and what it is doing. */
export type Connection<Work> = {
  readonly socket: Socket;
  /** Null for a trusted proxy: many come through it. */
  readonly network: string | null;
  /** Came when there was no room: it is told so. */
  readonly isExcess: boolean;
  /** Its requests under way. */
  readonly work: Set<Work>;
};

/** How many connections there may be: in all, and of one address. */
export type Room = { readonly all: number; readonly ofAddress: number };

/** Of each address so many that have asked with a key in force are kept when others have to go. */
const SPARED_OF_ADDRESS = 100;

type Idle<Work> = Set<Connection<Work>>;
/** The connections of an address: how many, and which of them wait for a request, longest first. */
type Address<Work> = { count: number; readonly unknown: Idle<Work>; readonly known: Idle<Work> };

/**
 * The open connections of a server. When there is no room for another, one without a request makes it: a caller that
 * holds connections which do nothing shall not keep out those who ask. Half of a request is no request yet.
 */
export class Connections<Work> {
  readonly #all = new Map<Socket, Connection<Work>>();
  readonly #addresses = new Map<string, Address<Work>>();
  /** Those that have asked with a key in force. */
  readonly #known = new WeakSet<Connection<Work>>();
  readonly #room: Room;

  constructor(room: Room) {
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

  /** Takes in a connection. Answers those that have to be closed for it, which are not counted any more. */
  open(
    socket: Socket,
    network: string | null,
  ): { connection: Connection<Work>; evicted: Connection<Work>[] } {
    const evicted: Connection<Work>[] = [];
    const own = network === null ? undefined : this.#addresses.get(network);
    if (own !== undefined && own.count >= this.#room.ofAddress) this.#evict(longestIdle(own), evicted);
    if (this.#all.size >= this.#room.all) this.#evict(this.#mostDispensable(), evicted);
    const isExcess = this.#all.size >= this.#room.all || (own?.count ?? 0) >= this.#room.ofAddress;
    const connection: Connection<Work> = { socket, network, isExcess, work: new Set() };
    this.#all.set(socket, connection);
    if (network !== null) {
      const address = this.#addresses.get(network) ?? { count: 0, unknown: new Set(), known: new Set() };
      this.#addresses.set(network, address);
      address.count += 1;
      address.unknown.add(connection);
    }
    return { connection, evicted };
  }

  /** Forgets a connection; false when it has been forgotten before. */
  close(connection: Connection<Work>): boolean {
    if (!this.#all.delete(connection.socket)) return false;
    const address = this.#addressOf(connection);
    if (address === undefined) return true;
    address.count -= 1;
    address.unknown.delete(connection);
    address.known.delete(connection);
    if (address.count === 0) this.#addresses.delete(connection.network!);
    return true;
  }

  /** A request has come; `isWhole`: and nothing of its body is missing. */
  begin(connection: Connection<Work>, work: Work, isWhole = true): void {
    connection.work.add(work);
    if (isWhole) this.received(connection);
  }

  /** A request of the connection is there as a whole. */
  received(connection: Connection<Work>): void {
    const address = this.#addressOf(connection);
    address?.unknown.delete(connection);
    address?.known.delete(connection);
  }

  /** Ends a request; `isKnown`: it came with a key in force. False when it had ended before. */
  end(connection: Connection<Work>, work: Work, isKnown: boolean): boolean {
    if (!connection.work.delete(work)) return false;
    if (isKnown) this.#known.add(connection);
    if (connection.work.size > 0 || !this.#all.has(connection.socket)) return true;
    const address = this.#addressOf(connection);
    const idle = this.#known.has(connection) ? address?.known : address?.unknown;
    idle?.add(connection);
    return true;
  }

  #addressOf({ network }: Connection<Work>): Address<Work> | undefined {
    return network === null ? undefined : this.#addresses.get(network);
  }

  /** Of the address that has most, whoever waits longest; connections known by a key come last. */
  #mostDispensable(): Connection<Work> | undefined {
    let most: Address<Work> | null = null;
    let last: Address<Work> | null = null;
    for (const address of this.#addresses.values()) {
      const isSpared = address.unknown.size === 0 && address.count <= SPARED_OF_ADDRESS;
      if (address.unknown.size + address.known.size === 0) continue;
      if (isSpared && address.count > (last?.count ?? 0)) last = address;
      if (!isSpared && address.count > (most?.count ?? 0)) most = address;
    }
    const from = most ?? last;
    return from === null ? undefined : longestIdle(from);
  }

  #evict(connection: Connection<Work> | undefined, evicted: Connection<Work>[]): void {
    if (connection === undefined) return;
    this.close(connection);
    evicted.push(connection);
  }
}

/** What an address can do without: a connection that nobody has asked on with a key, else the one unused for longest. */
function longestIdle<Work>({ unknown, known }: Address<Work>): Connection<Work> | undefined {
  for (const connection of unknown) return connection;
  for (const connection of known) return connection;
  return undefined;
}
