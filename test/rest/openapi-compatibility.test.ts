import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { printedOpenApi, RELEASED_FILE } from '../../rest/openapi/printed.ts';
import { OPENAPI_FILE } from '../../rest/openapi/printed-file.ts';
import { breakingChanges, type Document } from './breaking-changes.ts';

const read = (file: URL): string => readFileSync(file, 'utf8');
const docs = new URL('../../docs/', import.meta.url);

const current = JSON.parse(printedOpenApi()) as Document;
/** The document as callers were last promised it: that of the last release, written by `npm run openapi -- released`. */
const released = JSON.parse(read(RELEASED_FILE)) as Document;

test('docs/openapi.json is what the service serves: `npm run openapi` writes it', () => {
  expect(read(OPENAPI_FILE) === printedOpenApi(), 'run `npm run openapi` and look at what it changes').toBe(
    true,
  );
});

test('nothing is removed from the contract unless the changelog of the API lists it', () => {
  const [, changelog = ''] = read(new URL('guides/versioning.md', docs)).split('## Changes');
  const unannounced = breakingChanges(released, current).filter((change) => !changelog.includes(change));
  expect(unannounced).toEqual([]);
});

// biome-ignore lint/suspicious/noExplicitAny: a document is changed at any place
type Change = (document: any) => void;
const invoices = (document: Parameters<Change>[0]) => document.paths['/v1/invoices'];
const schemas = (document: Parameters<Change>[0]) => document.components.schemas;
const of = (changes: Change): string[] => {
  const changed = structuredClone(current);
  changes(changed);
  return breakingChanges(current, changed);
};

test.each<[what: string, change: Change, message: string]>([
  ['a path that is gone', (it) => delete it.paths['/v1/events/{id}'], 'GET /v1/events/{id}: is gone'],
  ['a method that is gone', (it) => delete invoices(it).get, 'GET /v1/invoices: is gone'],
  ['another name', (it) => (invoices(it).post.operationId = 'x'), 'POST /v1/invoices: is called x'],
  ['a parameter that is gone', (it) => invoices(it).get.parameters.shift(), 'query limit is gone'],
  [
    'a new required parameter',
    (it) => invoices(it).get.parameters.push({ name: 'x', in: 'query', required: true, schema: {} }),
    'query x is required now',
  ],
  [
    'a parameter with less room',
    (it) => (invoices(it).get.parameters[0].schema.maximum = 50),
    'query limit has another maximum: 50',
  ],
  [
    'a field of a request that is gone',
    (it) => delete schemas(it).InvoiceRequest.properties.notes,
    'body (application/json).notes is gone',
  ],
  [
    'a field of a request that must be sent',
    (it) => schemas(it).InvoiceRequest.required.push('notes'),
    'body (application/json).notes is required now',
  ],
  [
    'a value that is not taken any more',
    (it) => schemas(it).TaxTypeInput.enum.splice(1, 1),
    'tax_items[].type takes igic no more',
  ],
  [
    'a field of an answer that is gone',
    (it) => delete schemas(it).Invoice.properties.number,
    '201 (application/json).number is gone',
  ],
  [
    'a field of an answer that may be missing',
    (it) => schemas(it).Invoice.required.shift(),
    '201 (application/json).id may be missing now',
  ],
  [
    'a field of an answer that may be null',
    (it) => (schemas(it).Invoice.properties.number = { anyOf: [{ type: 'string' }, { type: 'null' }] }),
    '201 (application/json).number its type is null or string, not string',
  ],
  [
    'a value that a closed enumeration never had',
    (it) => schemas(it).Environment.enum.push('x'),
    'environment may be x now',
  ],
  [
    'a payload of a webhook without a field',
    (it) => delete schemas(it).Event.properties.sequence,
    '.sequence is gone',
  ],
])('%s is seen', (_what, change, message) => {
  expect(of(change)).toEqual(expect.arrayContaining([expect.stringContaining(message)]));
});

test.each<[what: string, change: Change]>([
  ['a new path', (it) => (it.paths['/v1/x'] = { get: { operationId: 'x', responses: {} } })],
  [
    'a new optional field of a request',
    (it) => (schemas(it).InvoiceRequest.properties.x = { type: 'string' }),
  ],
  ['a new field of an answer', (it) => (schemas(it).Invoice.properties.x = { type: 'string' })],
  ['a new value of an open enumeration', (it) => schemas(it).InvoiceStatusInput.enum.push('x')],
  ['a new code', (it) => schemas(it).ErrorCode.anyOf[0].enum.push('x')],
  ['more room', (it) => (invoices(it).get.parameters[0].schema.maximum = 500)],
  ['another description', (it) => (invoices(it).get.description = 'x')],
])('%s breaks nothing', (_what, change) => {
  expect(of(change)).toEqual([]);
});
