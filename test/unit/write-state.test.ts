import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WriteState } from '../../src/ground/db/condition/write-state.ts';
import { testLog } from '../support/processes/run-log.ts';

/** What a process believes of a database that takes no writes, and what it logs: once for each change. */

let logged: string[];
let writes: WriteState;
/** What the server reports on the connections of this process. */
let reports: EventEmitter;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const notices: string[] = [];
  logged = notices;
  writes = new WriteState(testLog((line) => notices.push(JSON.parse(line).msg), 'warn'));
  reports = new EventEmitter();
  writes.listenTo({ connection: reports } as unknown as pg.ClientBase);
});
afterEach(() => {
  vi.useRealTimers();
});

const refuse = (code: '53100' | '25006') => reports.emit('errorMessage', { code });
const REFUSED = {
  disk_full: 'THE DATABASE ACCEPTS NO WRITES: ITS DISK IS FULL; reads continue',
  read_only: 'THE DATABASE ACCEPTS NO WRITES: IT IS READ-ONLY; reads continue',
};
const AGAIN = 'the database accepts writes again';

test.each([
  ['53100', 'disk_full'],
  ['25006', 'read_only'],
] as const)('a statement that is refused with %s is believed for a quarter of a minute', (code, refused) => {
  refuse(code);
  refuse(code);
  expect(writes.refused).toBe(refused);
  vi.advanceTimersByTime(14_000);
  expect(writes.refused).toBe(refused);
  vi.advanceTimersByTime(1_100);
  expect(writes.refused).toBeNull();
  expect(logged).toEqual([REFUSED[refused], AGAIN]);
});

test('the time begins anew with each refusal, and that is not logged', () => {
  for (let refusals = 0; refusals < 5; refusals += 1) {
    refuse('25006');
    vi.advanceTimersByTime(10_000);
    expect(writes.refused).toBe('read_only');
  }
  vi.advanceTimersByTime(5_100);
  expect(writes.refused).toBeNull();
  expect(logged).toEqual([REFUSED.read_only, AGAIN]);
});

test('of two causes the latest is told, and logged no further time', () => {
  refuse('25006');
  refuse('53100');
  expect(writes.refused).toBe('disk_full');
  vi.advanceTimersByTime(15_100);
  expect(logged).toEqual([REFUSED.read_only, AGAIN]);
});

test('other errors mean nothing', () => {
  reports.emit('errorMessage', { code: '23505' });
  reports.emit('errorMessage', {});
  expect(writes.refused).toBeNull();
});

test('a disk that is watched is full until the watch says otherwise, however long that takes', () => {
  writes.setFull(true, {});
  // As sessions are made read-only then, this is what they are told.
  refuse('25006');
  vi.advanceTimersByTime(3_600_000);
  expect(writes.refused).toBe('disk_full');
  writes.setFull(false, {});
  expect(writes.refused).toBeNull();
  expect(logged).toEqual([REFUSED.disk_full, AGAIN]);
});

test('what was refused before there was room is not believed after, for a moment', () => {
  writes.setFull(true, {});
  writes.setFull(false, {});
  refuse('25006');
  refuse('53100');
  expect(writes.refused).toBeNull();
  vi.advanceTimersByTime(2_100);
  refuse('25006');
  expect(writes.refused).toBe('read_only');
});

test('a server that took over takes writes, whatever the one before has said; a full disk is another matter', () => {
  refuse('25006');
  writes.serverReplaced();
  expect(writes.refused).toBeNull();
  refuse('25006');
  expect(writes.refused).toBeNull();
  refuse('53100');
  writes.serverReplaced();
  expect(writes.refused).toBe('disk_full');
});
