import { expect, test } from 'vitest';
import { rehearsedText } from '../../src/ground/db/rehearsal.ts';

test('what begins and ends a transaction becomes a part of that of the rehearsal', () => {
  expect(rehearsedText('begin')).toBe('savepoint rehearsed;');
  expect(rehearsedText(' BEGIN;\n set local x = 1; select 1')).toBe(
    'savepoint rehearsed;\n set local x = 1; select 1',
  );
  expect(rehearsedText('commit')).toBe('release savepoint rehearsed;');
  expect(rehearsedText('rollback')).toBe('rollback to savepoint rehearsed;');
});

test('other statements stay as they are', () => {
  const text = "insert into invoice_metadata values ('commit; '), ($1) returning case when true then 1 end";
  expect(rehearsedText(text)).toBe(text);
});

test.each([
  'end',
  'abort',
  'commit and chain',
  'commit prepared $1',
  'begin isolation level serializable',
  'start transaction',
  'prepare transaction $1',
  'select 1; commit',
  'begin; select 1;\n COMMIT',
  'savepoint another',
])('a rehearsal refuses: %s', (text) => {
  expect(() => rehearsedText(text)).toThrow(/does not end/);
});
