import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { GRAPHQL_LIMITS } from '../../src/faces/graphql/limits.ts';
import { KEPT_TEXTS } from '../../src/faces/graphql/trusted.ts';
import { ACCOUNT_LIMITS } from '../../src/subjects/accounts/limits.ts';
import { statementsOf } from '../support/database/statements.ts';
import { readStream } from '../support/http/event-stream.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { type CommandLine, commandLineOn } from '../support/processes/command-line.ts';
import { excessive, permitted } from './excessive-documents.ts';

let service: TestService;
let lacre: CommandLine;
let token: string;
const folder = mkdtempSync(join(tmpdir(), 'lacre-documents-'));

const none = (): never => {
  throw new Error('neither settings nor a database are wanted');
};

beforeAll(async () => {
  service = await testService();
  lacre = commandLineOn({ config: none, database: none, profiles: join(folder, 'profiles.json') });
  const key = `${service.company.test.key}\n`;
  await lacre(['login', '--profile', 'shop', '--url', service.url, '--key-file', '-'], key);
  const made = await service.call('POST', '/v1/access_tokens', { body: { scopes: ['read'] } });
  token = made.body.token;
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => only(false));

const PUBLISH = 'mutation ($documents: [String!]!) { publishDocuments(documents: $documents) { count } }';
const publish = async (documents: readonly string[], key?: string) =>
  (await service.graphql(PUBLISH, { documents }, key === undefined ? {} : { key })).body;

async function only(is: boolean): Promise<void> {
  const query = 'mutation ($is: Boolean!) { requireTrustedDocuments(only: $is) { only } }';
  expect((await service.graphql(query, { is })).body.data.requireTrustedDocuments.only).toBe(is);
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** What a browser sends, and what it is told: the data, or the code of the refusal with its status. */
async function execute(body: object, key: string | null = token) {
  const { body: answer } = await service.call('POST', '/graphql', { key, body });
  const [error] = answer.errors ?? [];
  return error === undefined ? answer.data : `${error.extensions.status} ${error.extensions.code}`;
}

const WHO = 'query Who { viewer { kind } }';
const isPage = { viewer: { kind: 'access_token' } };
const MERCHANT_VIEWER = { viewer: { kind: 'merchant' } };

describe('a document that was published', () => {
  beforeAll(async () => {
    expect((await publish([WHO])).data.publishDocuments.count).toBeGreaterThan(0);
  });

  test.each([
    ['as GraphQL over HTTP has it', { documentId: `sha256:${hashOf(WHO)}` }],
    ['without a prefix', { documentId: hashOf(WHO) }],
    ['as Relay sends it', { doc_id: hashOf(WHO) }],
    [
      'as Apollo’s and urql’s clients do',
      { extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(WHO) } } },
    ],
  ])('is asked by its hash, %s', async (_what, body) => {
    expect(await execute(body)).toEqual(isPage);
    expect(await execute(body, service.company.test.key)).toEqual(MERCHANT_VIEWER);
  });

  test('is sent with variables, and by GET', async () => {
    const text = 'query ($first: Int) { invoices(first: $first) { edges { node { id } } } }';
    await publish([text]);
    expect(await execute({ documentId: hashOf(text), variables: { first: 1 } })).toEqual({
      invoices: { edges: [] },
    });
    const persisted = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hashOf(WHO) } });
    const { body } = await service.call('GET', `/graphql?extensions=${encodeURIComponent(persisted)}`, {
      key: token,
    });
    expect(body.data).toEqual(isPage);
  });

  test('is read by GET, under the name that GraphQL over HTTP has too, but changes nothing that way', async () => {
    const text = 'query ($first: Int) { invoices(first: $first) { pageInfo { hasNextPage } } }';
    const change = 'mutation { setAllowedOrigins(origins: []) { origins } }';
    await publish([text, change]);
    const get = (parameters: Record<string, string>) =>
      service.call('GET', `/graphql?${new URLSearchParams(parameters)}`);
    for (const name of ['documentId', 'doc_id']) {
      const { body } = await get({ [name]: `sha256:${hashOf(text)}`, variables: '{"first":1}' });
      expect(body.data).toEqual({ invoices: { pageInfo: { hasNextPage: false } } });
    }
    const { status, body } = await get({ documentId: hashOf(change) });
    expect([status, body.errors[0].extensions.code]).toEqual([405, 'method_not_allowed']);
    expect(await execute({ documentId: hashOf(change) }, service.company.test.key)).toHaveProperty(
      'setAllowedOrigins',
    );
  });

  test('may be a subscription', async () => {
    const text = 'subscription Live { event { type } }';
    await publish([text]);
    await only(true);
    const stream = await readStream(`${service.url}/graphql`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${token}`, accept: 'text/event-stream' },
        'content-type': 'application/json',
      },
      body: JSON.stringify({ documentId: hashOf(text) }),
    });
    onTestFinished(() => stream.close());
    expect(stream.status).toBe(200);
    await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
    const [first] = await stream.received(1);
    expect(first).toEqual({ data: { event: { type: 'invoice.issued' } } });
  });

  test('is executed by its text where a hash is sent beside one', async () => {
    const body = { query: '{ viewer { scopes } }', documentId: hashOf(WHO) };
    expect(await execute(body)).toEqual({ viewer: { scopes: ['read'] } });
  });

  test('is not visible from another environment, nor without a key', async () => {
    expect(await execute({ documentId: hashOf(WHO) }, service.company.live.key)).toBe('400 invalid_request');
    expect(await execute({ documentId: hashOf(WHO) }, null)).toBe('401 unauthorized');
  });

  test('may do no more than its caller', async () => {
    const text = 'mutation { setAllowedOrigins(origins: []) { origins } }';
    await publish([text]);
    expect(await execute({ documentId: hashOf(text) })).toBe('403 forbidden');
  });
});

test('as many texts are kept in memory as there is room for, and others are read again', async () => {
  const text = (at: number) => `query { viewer { kind } } # ${at} ${'x'.repeat(1_000)}`;
  const most = vi.spyOn(KEPT_TEXTS, 'bytes', 'get').mockReturnValue(5_000);
  onTestFinished(() => most.mockRestore());
  const other = await testService({}, { beside: service });
  onTestFinished(() => other.close());
  await publish([text(1), text(2), text(3)]);
  const reads = async (at: number) => {
    const request = { body: { documentId: hashOf(text(at)) } };
    const texts = await statementsOf(async () => {
      expect((await other.call('POST', '/graphql', request)).body.data).toEqual(MERCHANT_VIEWER);
    });
    return texts.filter((statement) => statement.includes('trusted_document')).length;
  };
  // A character takes two bytes: two of the texts fit.
  const found = [];
  for (const at of [1, 2, 1, 2, 3, 1]) found.push(await reads(at));
  expect(found).toEqual([1, 1, 0, 0, 1, 1]);
});

test.each([
  ['was not published', '0'.repeat(64)],
  ['is none', 'x'],
])('a hash that %s is refused, with the reason', async (_what, hash) => {
  const persistedQuery = { version: 1, sha256Hash: hash };
  for (const body of [
    { documentId: hash },
    { doc_id: hash },
    { query: '', documentId: hash },
    { extensions: { persistedQuery } },
  ]) {
    const { body: answer } = await service.call('POST', '/graphql', { key: token, body });
    expect(answer.errors[0].extensions).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'documentId', code: 'unknown_document' }],
    });
  }
});

describe('where published documents are the only ones', () => {
  test('pages may send no other documents, not even for the schema; keys may send any', async () => {
    await publish([WHO]);
    const other = '{ viewer { kind scopes } }';
    expect(await execute({ query: other })).toMatchObject({ viewer: {} });
    const introspection = { query: '{ __schema { queryType { name } } }' };
    expect(await execute(introspection)).toHaveProperty('__schema');
    await only(true);
    expect(await execute({ query: other })).toBe('403 forbidden');
    expect(await execute(introspection)).toBe('403 forbidden');
    expect(await execute({ query: 'subscription { event { id } }' })).toBe('403 forbidden');
    expect(await execute({ documentId: hashOf(WHO) })).toEqual(isPage);
    // With its text, as a client does that does not know whether it was published.
    expect(await execute({ query: WHO })).toEqual(isPage);
    expect(await execute({ query: other }, service.company.test.key)).toMatchObject(MERCHANT_VIEWER);
    await only(false);
    expect(await execute({ query: other })).toMatchObject({ viewer: {} });
  });

  test('a document is not accepted under the hash of another', async () => {
    await publish([WHO]);
    await only(true);
    expect(await execute({ query: '{ viewer { scopes } }', documentId: hashOf(WHO) })).toBe('403 forbidden');
  });
});

describe('publishing', () => {
  test.each([
    ['nothing that can be read', 'query {', 'must be a GraphQL document'],
    ['a field that there is not', '{ nothing }', 'must be valid'],
    ['two operations', 'query A { viewer { kind } } query B { viewer { kind } }', 'one operation'],
    ['a fragment alone', 'fragment F on Viewer { kind }', 'one operation'],
    ['too long a text', `# ${'x'.repeat(GRAPHQL_LIMITS.queryText.value)}\n${WHO}`, 'bytes'],
  ])('is refused of %s, which is named', async (_what, text, message) => {
    const { errors } = await publish([WHO, text]);
    expect(errors[0].extensions).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'documents[1]', message: expect.stringContaining(message) }],
    });
  });

  test.each(excessive)('is refused of a document with too many %s', async (_what, text, message) => {
    const { errors } = await publish([WHO, text]);
    expect(errors[0].extensions).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'documents[1]', code: 'invalid_format', message: expect.stringMatching(message) }],
    });
    // What is refused would be refused of every page as well.
    const input = { type: 'simplified', lineItems: [] };
    expect(await execute({ query: text, variables: { input } }, service.company.test.key)).toMatch(/^400/);
  });

  test.each(permitted)('takes %s as may be asked for', async (_what, text) => {
    expect(await publish([text])).toHaveProperty('data.publishDocuments.count');
  });

  test('names a document of a manifest by its hash on the command line', async () => {
    const many = Array.from({ length: ACCOUNT_LIMITS.publishedAtOnce.value }, (_, at) => `${WHO} # ${at}`);
    const deep = excessive.find(([what]) => what === 'levels')![1];
    const file = join(folder, 'deep.json');
    writeFileSync(
      file,
      JSON.stringify(Object.fromEntries([...many, deep].map((text) => [hashOf(text), text]))),
    );
    const { exit, stderr } = await lacre(['documents', 'publish', file]);
    expect(exit).toBe(3);
    expect(stderr).toContain(hashOf(deep));
    expect(stderr).toContain('depth: 14, max: 12');
    expect(stderr).toContain('query Deep');
  });

  test('is limited to those permitted, and to a bounded number at once', async () => {
    expect((await publish([WHO], token)).errors[0].extensions.code).toBe('forbidden');
    const many = Array.from({ length: ACCOUNT_LIMITS.publishedAtOnce.value + 1 }, () => WHO);
    expect((await publish(many)).errors[0].extensions.code).toBe('invalid_request');
  });

  test('keeps up to the limit: the oldest are dropped', async () => {
    const { environmentId } = service.company.test;
    const most = ACCOUNT_LIMITS.trustedDocuments.value;
    const filler = (at: number) => `query { viewer { kind } } # filler ${at}`;
    await service.db.pool.query(
      `insert into trusted_document (environment_id, hash, text, published_at)
       select $1, encode(sha256(convert_to(made.text, 'UTF8')), 'hex'), made.text, now() - make_interval(days => made.at)
         from (select at, 'query { viewer { kind } } # filler ' || at as text from generate_series(1, $2::int) at) made`,
      [environmentId, most],
    );
    expect((await publish([WHO])).data.publishDocuments.count).toBe(most);
    expect(await execute({ documentId: hashOf(filler(1)) })).toEqual(isPage);
    expect(await execute({ documentId: hashOf(filler(most)) })).toBe('400 invalid_request');
  });

  test('again counts once, and as the newest', async () => {
    const { environmentId } = service.company.test;
    const number = async () => (await publish([WHO, WHO])).data.publishDocuments.count;
    const before = await number();
    const since = 'update trusted_document set published_at = $2 where environment_id = $1 and hash = $3';
    const old = new Date('2001-01-01');
    await service.owner.query(since, [environmentId, old, hashOf(WHO)]);
    expect(await number()).toBe(before);
    const { rows } = await service.owner.query<{ at: Date }>(
      'select published_at as at from trusted_document where environment_id = $1 and hash = $2',
      [environmentId, hashOf(WHO)],
    );
    expect(rows[0]!.at.getTime()).toBeGreaterThan(old.getTime());
  });

  test('is of one environment, with its limit and its restriction', async () => {
    const text = 'query Both { viewer { kind } }';
    const { key } = service.company.live;
    await publish([text]);
    const most = vi.spyOn(ACCOUNT_LIMITS.trustedDocuments, 'value', 'get').mockReturnValue(1 as never);
    onTestFinished(() => most.mockRestore());
    expect((await publish([WHO, text], key)).data.publishDocuments.count).toBe(1);
    most.mockRestore();
    expect(await execute({ documentId: hashOf(text) })).toEqual(isPage);
    await only(true);
    const made = await service.call('POST', '/v1/access_tokens', { key, body: { scopes: ['read'] } });
    expect(await execute({ query: '{ viewer { scopes } }' }, made.body.token)).toHaveProperty('viewer');
  });

  test('a constraint checks that a text has its hash', async () => {
    const insert = `insert into trusted_document (environment_id, hash, text, published_at)
       values ($1, $2, 'query { x }', now())`;
    const values = [service.company.test.environmentId, 'a'.repeat(64)];
    await expect(service.db.pool.query(insert, values)).rejects.toThrow(/trusted_document_hash/);
  });

  test.each([
    [
      'Apollo’s',
      (texts: string[]) => ({
        format: 'apollo-persisted-query-manifest',
        version: 1,
        operations: texts.map((body) => ({ id: hashOf(body), name: 'X', type: 'query', body })),
      }),
    ],
    ['Relay’s', (texts: string[]) => Object.fromEntries(texts.map((text) => [hashOf(text), text]))],
    [
      'gql.tada’s',
      (texts: string[]) => Object.fromEntries(texts.map((text) => [`sha256:${hashOf(text)}`, text])),
    ],
  ])('takes %s manifest from the command line, in as many requests as it needs', async (name, manifest) => {
    const texts = Array.from(
      { length: ACCOUNT_LIMITS.publishedAtOnce.value + 5 },
      (_, at) => `${WHO} # ${name} ${at}`,
    );
    const file = join(folder, 'manifest.json');
    writeFileSync(file, JSON.stringify(manifest(texts)));
    expect((await lacre(['documents', 'publish', file, '--json'])).json()).toMatchObject({
      published: texts.length,
    });
    expect(await execute({ documentId: hashOf(texts.at(-1)!) })).toEqual(isPage);
  });

  test('is refused of a manifest with other hashes', async () => {
    const file = join(folder, 'md5.json');
    writeFileSync(file, JSON.stringify({ [createHash('md5').update(WHO).digest('hex')]: WHO }));
    const { exit, stderr } = await lacre(['documents', 'publish', file]);
    expect({ exit, stderr }).toMatchObject({ exit: 3, stderr: expect.stringContaining('SHA-256') });
  });

  test('is shown, and required, from the command line', async () => {
    await lacre(['documents', 'require', 'on']);
    expect((await lacre(['documents', 'show', '--json'])).json()).toMatchObject({ only: true });
    await lacre(['documents', 'require', 'off']);
    expect((await lacre(['documents', 'show', '--json'])).json()).toMatchObject({ only: false });
  });
});
