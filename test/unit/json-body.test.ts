import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyBounds } from '../../rest/body-bounds.ts';
import { jsonRefusal } from '../../rest/json-body.ts';
import { REQUEST_LIMITS } from '../../rest/limits.ts';
import { BATCH_LIMITS } from '../../src/subjects/batches/limits.ts';
import { lineFields } from '../../src/subjects/issuing/line-request.ts';

const BOUNDS = bodyBounds('POST', '/v1/invoices');
const faultOf = (text: string, bounds = BOUNDS) => jsonRefusal(Buffer.from(text), bounds)?.detail ?? null;
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const { value: deepest } = REQUEST_LIMITS.bodyDepth;
const { value: most } = REQUEST_LIMITS.bodyValues;

test('a body is parsed up to the deepest level, and not beyond', () => {
  expect(faultOf(nested(deepest))).toBeNull();
  expect(faultOf(nested(deepest + 1))).toContain(`${deepest} levels`);
  expect(faultOf(`{"a":${nested(deepest)}}`)).toContain(`${deepest} levels`);
  expect(faultOf(`[${'[],'.repeat(deepest + 1)}[]]`)).toBeNull();
});

test('a body is parsed up to the most objects and lists, and not beyond', () => {
  const lists = (count: number) => `[${Array.from({ length: count - 1 }, () => '{}').join()}]`;
  expect(faultOf(lists(most))).toBeNull();
  expect(faultOf(lists(most + 1))).toContain(`${most} objects`);
});

const object = (fields: number) =>
  Object.fromEntries(Array.from({ length: fields }, (_, i) => [`:${i}`, ':']));

test('a body is parsed up to the most fields of one object, wherever it stands, and not beyond', () => {
  const { value: fields } = REQUEST_LIMITS.objectFields;
  expect(faultOf(JSON.stringify([object(fields), { a: object(fields), b: object(fields) }]))).toBeNull();
  expect(faultOf(JSON.stringify(object(fields + 1)))).toContain(`${fields} fields`);
  expect(faultOf(JSON.stringify([{ a: { b: 1 }, c: object(fields + 1) }]))).toContain(`${fields} fields`);
});

test('a body is parsed up to the most fields of all its objects, a batch up to more, and not beyond', () => {
  const objects = (fields: number) => JSON.stringify(Array.from({ length: fields / 200 }, () => object(200)));
  for (const [path, { value: fields }] of [
    ['/v1/invoices', REQUEST_LIMITS.bodyFields],
    ['/graphql', REQUEST_LIMITS.bodyFields],
    ['/v1/invoice_batches', BATCH_LIMITS.batchBodyFields],
  ] as const) {
    const bounds = bodyBounds('POST', path);
    expect(faultOf(objects(fields), bounds)).toBeNull();
    expect(faultOf(objects(fields + 200), bounds)).toBe(`The body has more than ${fields} fields.`);
  }
  expect(bodyBounds('GET', '/v1/invoice_batches')).toEqual(BOUNDS);
});

test('an invoice of the most lines with everything that they may have is parsed', () => {
  const line = Object.fromEntries(Object.keys(lineFields.shape).map((name) => [name, null]));
  const tax_items = Array.from({ length: 10 }, () => ({ type: 'vat', rate: 21 }));
  const line_items = Array.from({ length: 500 }, () => ({ ...line, tax_items }));
  expect(faultOf(JSON.stringify({ type: 'simplified', line_items }))).toBeNull();
});

test('of an invoice that has more than 500 lines only that is reported, wherever the lines are in it', () => {
  const lines = (count: number) => Array.from({ length: count }, () => ({ tax_items: [{}] }));
  const fault = jsonRefusal(
    Buffer.from(JSON.stringify({ notes: 'x', line_items: lines(501), type: '' })),
    BOUNDS,
  );
  expect({ detail: fault?.detail, errors: fault?.errors }).toEqual({
    detail: 'line_items must have at most 500 elements.',
    errors: [{ field: 'line_items', code: 'too_big', message: 'must have at most 500 elements' }],
  });
  expect(faultOf(JSON.stringify({ line_items: lines(500) }))).toBeNull();
  for (const other of [
    { lines: lines(501) },
    { line_items: lines(500), lines: lines(501) },
    { line_items: Object.fromEntries(lines(501).entries()) },
    { line_items: [{ tax_items: lines(501) }] },
    { within: { line_items: lines(501) } },
  ]) {
    expect(faultOf(JSON.stringify(other))).toBeNull();
  }
});

test('brackets in strings are no levels, with any escapes before their quotes', () => {
  const brackets = '['.repeat(deepest + 1);
  for (const text of [brackets, `\\${brackets}`, `"${brackets}`, `\\"${brackets}\\`, `${brackets}\\\\`]) {
    expect(faultOf(JSON.stringify({ [text]: text, after: [text] }))).toBeNull();
  }
  expect(faultOf(`"unended ${brackets}`)).toBeNull();
  expect(faultOf(`["\\"", ${nested(deepest)}]`)).toContain('levels');
});

test('of any JSON the depth is computed', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const inside = '['.repeat(deepest - 2) + JSON.stringify(value) + ']'.repeat(deepest - 2);
      expect(faultOf(inside) === null).toBe(depthOf(value) <= 2);
    }),
  );
});
