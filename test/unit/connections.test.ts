import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type Connection, Connections } from '../../rest/connections.ts';

type Work = { readonly name: string };
const room = (all: number, ofAddress = all) => new Connections<Work>({ all, ofAddress });

/** Opens `count` connections from an address, expecting room for them. */
function opened(connections: Connections<Work>, network: string | null, count = 1): Connection<Work>[] {
  return Array.from({ length: count }, () => {
    const { connection, evicted } = connections.open(new Socket(), network);
    expect(evicted).toEqual([]);
    return connection;
  });
}

/** Begins a request and ends it. */
function answerRequest(connections: Connections<Work>, connection: Connection<Work>, isKnown: boolean): void {
  const work = { name: 'request' };
  connections.received(connection);
  connection.work.add(work);
  connections.end(connection, work, isKnown);
  connections.answered(connection);
}

describe('when there is no room for another connection', () => {
  test('the oldest without a request of the address that has most is closed', () => {
    const connections = room(5);
    opened(connections, 'neighbour', 2);
    const [oldest] = opened(connections, 'attacker', 3);
    const { connection, evicted } = connections.open(new Socket(), 'other');
    expect(evicted).toEqual([oldest]);
    expect(connection.isExcess).toBe(false);
    expect(connections.size).toBe(5);
  });

  test('one with a request that waits or is in progress is not closed', () => {
    const connections = room(2);
    const [busy, idle] = opened(connections, 'attacker', 2);
    connections.received(busy!);
    expect(connections.open(new Socket(), 'other').evicted).toEqual([idle]);
  });

  test('one with several requests is idle only after the last answer', () => {
    const connections = room(1);
    const [busy] = opened(connections, 'merchant');
    for (let sent = 0; sent < 2; sent += 1) connections.received(busy!);
    connections.answered(busy!);
    const excess = connections.open(new Socket(), 'other');
    expect(excess).toMatchObject({ evicted: [], connection: { isExcess: true } });
    connections.close(excess.connection);
    connections.answered(busy!);
    expect(connections.open(new Socket(), 'other').evicted).toEqual([busy]);
  });

  test('an incomplete request does not keep its connection', () => {
    const connections = room(1);
    const [incomplete] = opened(connections, 'attacker');
    answerRequest(connections, incomplete!, false);
    incomplete!.work.add({ name: 'request' });
    expect(connections.open(new Socket(), 'other').evicted).toEqual([incomplete]);
  });

  test('one that has sent a valid key is closed after all that have not, of any address', () => {
    const connections = room(3);
    const [first, second] = opened(connections, 'merchant', 2);
    answerRequest(connections, first!, true);
    answerRequest(connections, second!, true);
    const [stranger] = opened(connections, 'attacker');
    expect(connections.open(new Socket(), 'other').evicted).toEqual([stranger]);
  });

  test('a request without a valid key gives no protection', () => {
    const connections = room(3);
    const [stranger] = opened(connections, 'attacker');
    answerRequest(connections, stranger!, false);
    const [merchant, further] = opened(connections, 'merchant', 2);
    answerRequest(connections, merchant!, true);
    answerRequest(connections, further!, true);
    expect(connections.open(new Socket(), 'other').evicted).toEqual([stranger]);
  });

  test('a valid key protects a hundred connections of an address, and no more', () => {
    const connections = room(103);
    const [stranger] = opened(connections, 'stranger');
    const own = opened(connections, 'holder', 102);
    for (const connection of own) answerRequest(connections, connection, true);
    const first = connections.open(new Socket(), 'other');
    const second = connections.open(new Socket(), 'other');
    expect([...first.evicted, ...second.evicted]).toEqual([own[0], own[1]]);
    // Now it has a hundred, and those who have shown no key go first.
    expect(connections.open(new Socket(), 'further').evicted[0]?.network).toBe('other');
    expect(connections.of(stranger!.socket)).toBe(stranger);
  });

  test('when all are busy, or a trusted proxy’s, the newcomer is one too many', () => {
    const connections = room(2);
    const [busy] = opened(connections, 'merchant');
    connections.received(busy!);
    opened(connections, null);
    const { connection, evicted } = connections.open(new Socket(), 'other');
    expect(evicted).toEqual([]);
    expect(connection.isExcess).toBe(true);
  });

  test('of one address: its own make room, and others stay', () => {
    const connections = room(10, 2);
    opened(connections, 'neighbour', 2);
    const [oldest] = opened(connections, 'attacker', 2);
    expect(connections.open(new Socket(), 'attacker').evicted).toEqual([oldest]);
  });
});
