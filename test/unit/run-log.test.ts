import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger, withLogFields } from '../../src/ground/lib/logger.ts';
import { findLeaks, report } from '../support/processes/log-leaks.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lacre-leaks-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is found in a log of one line that says `text`, with the values noted before. */
function searched(text: string, ...values: (readonly [kind: string, value: string])[]) {
  const lines: string[] = [];
  createLogger('info', { write: (line) => lines.push(line) }).info({ reason: text }, 'something happened');
  writeFileSync(join(folder, 'log-1'), `not of the log: ${text}\n${lines.join('')}`);
  writeFileSync(join(folder, 'values-1'), values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  return findLeaks(folder);
}

describe('the search of a run’s logs finds', () => {
  test.each([
    ['a key', `op_${'a'.repeat(43)}`, 'key'],
    ['a header', 'Authorization: Bearer abcdefghijkl', 'Authorization header'],
    ['a private key', '-----BEGIN ENCRYPTED PRIVATE KEY-----', 'private key or certificate'],
    ['the password of a database', 'postgres://lacre:s3cret@db/lacre', 'password in an address'],
    ['a link to a document', 'GET /v1/invoices/inv_1/file?token=AQBqk0wAAAAA', 'signed link'],
    ['a customer’s link', `/portal/${'x'.repeat(43)}`, 'customer’s link'],
    ['a cookie', 'lacre_portal=abc', 'cookie'],
    ['an address of e-mail', 'no mailbox ana@example.org', 'e-mail address'],
    ['somebody’s NIF', 'Key (nif)=(12345678Z) already exists', 'NIF'],
  ])('%s by its form', (_what, text, kind) => {
    expect(searched(text).leaks).toMatchObject([{ file: 'log-1', line: 2, kind }]);
  });

  test.each([
    ['a name', 'refused for María "Pilar" Ñíguez', 'María "Pilar" Ñíguez'],
    ['an address', 'at Calle Mayor 1, Madrid', 'Calle Mayor 1'],
    ['a passphrase', 'opened with tr0ub4dor', 'tr0ub4dor'],
  ])('%s that was noted, and tells where', (_what, text, value) => {
    const found = searched(text, ['personal', value], ['personal', 'Calle Mayor 2']);
    expect(found).toMatchObject({ lines: 1, values: 2, leaks: [{ kind: 'personal', line: 2 }] });
    expect(report(found)).toContain('log-1:2 personal');
  });

  test('nothing in harmless text: ids, numbers, words, and parts of longer words', () => {
    const text = 'inv_01JD2Z chain 12 answered 201 in 12345678901Z ms; Calle Mayor 12';
    expect(searched(text, ['personal', 'answered'], ['personal', 'Calle Mayor 1']).leaks).toEqual([]);
  });
});

describe('an error in the log', () => {
  const logged = (error: unknown) => {
    const lines: string[] = [];
    createLogger('info', { write: (line) => lines.push(line) }).error({ err: error }, 'failed');
    return { line: lines.join(''), err: JSON.parse(lines.join('')).err };
  };

  test('has its kind, message, position and cause', () => {
    const { err } = logged(new TypeError('no such thing', { cause: new Error('because') }));
    expect(err).toMatchObject({ type: 'TypeError', message: 'no such thing', cause: { message: 'because' } });
    expect(err.stack).toMatch(/^ +at .*run-log\.test\.ts/);
  });

  test('of Postgres names the constraint, and quotes no row and no value', () => {
    const duplicate = Object.assign(
      new Error('duplicate key value violates unique constraint "company_nif_key"'),
      {
        code: '23505',
        detail: 'Key (nif)=(12345678Z) already exists.',
        constraint: 'company_nif_key',
        table: 'company',
        parameters: ['Ana García'],
      },
    );
    expect(logged(duplicate).line).not.toMatch(/12345678Z|Ana/);
    expect(logged(duplicate).err).toMatchObject({
      code: '23505',
      constraint: 'company_nif_key',
      table: 'company',
    });
    const unreadable = Object.assign(new Error('invalid input syntax for type integer: "Ana García"'), {
      code: '22P02',
    });
    expect(logged(unreadable).line).not.toContain('Ana');
  });

  test('of Prisma does not repeat the arguments, one of a parser not the text', () => {
    const message =
      'Invalid `prisma.customer.create()` invocation:\n{ data: { name: "Ana García" } }\n\nArgument `id` is missing.';
    const invalid = Object.assign(new Error(message), { name: 'PrismaClientValidationError' });
    expect(logged(invalid).err.message).toBe('Argument `id` is missing.');
    let broken: unknown;
    try {
      JSON.parse('{"name": Ana García}');
    } catch (error) {
      broken = error;
    }
    expect(String(broken)).toContain('Ana');
    expect(logged(broken).line).not.toContain('Ana');
  });

  test('that is none is not repeated', () => {
    expect(logged('Ana García').line).not.toContain('Ana');
  });
});

test('a log line names its request, however deep and late it is written', async () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => lines.push(line) });
  await withLogFields({ requestId: 'req_1', environment: 'live' }, async () => {
    await new Promise((later) => setImmediate(later));
    log.info({ chainId: 7 }, 'deep inside');
  });
  log.info('outside');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { requestId: 'req_1', environment: 'live', chainId: 7, msg: 'deep inside' },
    { msg: 'outside' },
  ]);
  expect(JSON.parse(lines[1]!)).not.toHaveProperty('requestId');
});
