import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builder } from '../../src/faces/graphql/builder.ts';
import { permissionOf, withPermissions } from '../../src/faces/graphql/permissions.ts';
import { printedSchema, schema } from '../../src/faces/graphql/schema.ts';
import { KEY_SCOPES, type KeyScope, OPERATOR_ROLES } from '../../src/subjects/accounts/entry/permissions.ts';
import { Shares } from '../../src/subjects/accounts/entry/shares.ts';
import { createApiKey, createOperatorKey, revokeKey } from '../../src/subjects/accounts/keys.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationOf } from '../support/http/openapi.ts';
import { MUTATIONS, QUERIES, ROUTES, SUBSCRIPTIONS } from './permissions-expected.ts';

const MUCH = { perSecond: 100_000, saved: 100_000 };

/** What a key is, as the tables speak of it: its scopes, its role and those before it; null for none in force. */
type Kind = { readonly name: string; readonly key: string | null; readonly may: readonly string[] | null };

let service: TestService;
let kinds: Kind[];
beforeAll(async () => {
  const shares = new Shares({ reading: MUCH, issuing: MUCH });
  service = await testService({ VALIDATIONS_PER_MINUTE: '10000', TRUSTED_PROXIES: '127.0.0.1' }, { shares });
  const { pool } = service.db;
  const past = new Date('2026-01-01T00:00:00Z');
  const { environmentId } = service.company.test;
  const merchant = async (scopes: readonly KeyScope[], expiresAt?: Date) =>
    createApiKey(pool, { environmentId, environment: 'test', name: 'x', scopes, expiresAt });
  const [revoked, revokedOperator] = [await merchant(KEY_SCOPES), await createOperatorKey(pool, 'x')];
  await revokeKey(pool, revoked.id);
  await revokeKey(pool, revokedOperator.id);
  kinds = [
    { name: 'no key', key: null, may: null },
    { name: 'a revoked key', key: revoked.key, may: null },
    { name: 'a revoked operator key', key: revokedOperator.key, may: null },
    { name: 'an expired key', key: (await merchant(KEY_SCOPES, past)).key, may: null },
    {
      name: 'an expired operator key',
      key: (await createOperatorKey(pool, 'x', { expiresAt: past })).key,
      may: null,
    },
    { name: 'a key with all scopes', key: (await merchant(KEY_SCOPES)).key, may: ['ownKey', ...KEY_SCOPES] },
  ];
  for (const scope of KEY_SCOPES) {
    kinds.push({ name: `a key with ${scope}`, key: (await merchant([scope])).key, may: ['ownKey', scope] });
  }
  const tokenOf = async (scopes: readonly KeyScope[], of: { readonly key: string }): Promise<string> =>
    (await service.call('POST', '/v1/access_tokens', { key: of.key, body: { scopes } })).body.token;
  const toBeRevoked = await merchant(KEY_SCOPES);
  const orphan = await tokenOf(KEY_SCOPES, toBeRevoked);
  await revokeKey(pool, toBeRevoked.id);
  const whole = await merchant(KEY_SCOPES);
  kinds.push(
    { name: 'an access token of a revoked key', key: orphan, may: null },
    { name: 'an access token with read', key: await tokenOf(['read'], whole), may: ['read'] },
    { name: 'an access token with all scopes', key: await tokenOf(KEY_SCOPES, whole), may: KEY_SCOPES },
  );
  for (const [index, role] of OPERATOR_ROLES.entries()) {
    const { key } = await createOperatorKey(pool, 'x', { role });
    kinds.push({ name: `an operator key with ${role}`, key, may: OPERATOR_ROLES.slice(0, index + 1) });
  }
});
afterAll(() => service.close());

const printed = buildSchema(printedSchema());

/** A value of the type, of no meaning: what is looked at is whether the resolver is reached at all. */
function someValue(type: GraphQLInputType): string {
  if (isNonNullType(type)) return someValue(type.ofType);
  if (isListType(type)) return '[]';
  if (isEnumType(type)) return type.getValues()[0]!.name;
  if (isInputObjectType(type)) return `{ ${someArguments(Object.values(type.getFields()))} }`;
  if (type.name === 'Boolean') return 'false';
  return type.name === 'Int' || type.name === 'SafeInt' ? '1' : '"x"';
}

function someArguments(all: readonly Pick<GraphQLArgument, 'name' | 'type'>[]): string {
  const required = all.filter(({ type }) => isNonNullType(type));
  return required.map(({ name, type }) => `${name}: ${someValue(type)}`).join(', ');
}

function kindOf(root: GraphQLObjectType): 'query' | 'mutation' | 'subscription' {
  if (root === printed.getSubscriptionType()) return 'subscription';
  return root === printed.getMutationType() ? 'mutation' : 'query';
}

function questionFor(root: GraphQLObjectType, name: string): string {
  const { args, type } = root.getFields()[name]!;
  const given = someArguments(args);
  const of = isLeafType(getNamedType(type)) ? '' : ' { __typename }';
  return `${kindOf(root)} { ${name}${given && `(${given})`}${of} }`;
}

/** Every request comes from an address of its own: nobody is held up for what others tried. */
let addresses = 0;
const fromElsewhere = () => {
  addresses += 1;
  return { 'x-forwarded-for': `10.${addresses >> 16}.${(addresses >> 8) % 256}.${addresses % 256}` };
};

/** What is no scope and no role. */
const OTHERS = ['everybody', 'known', 'ownKey'];

const ROOTS = ['Query', 'Mutation', 'Subscription'];

const REFUSALS = ['unauthorized', 'forbidden', 'rate_limited'];

/** What the caller is told of its permission: null when it may. */
function verdictFor({ may }: Kind, needed: string): string | null {
  if (needed === 'everybody') return null;
  if (may === null) return 'unauthorized';
  return needed === 'known' ||
    needed.split(' ').some((one) => one.split('+').every((each) => may.includes(each)))
    ? null
    : 'forbidden';
}

describe('every root field answers those who are permitted, and no others', () => {
  const tables = [
    [printed.getQueryType()!, QUERIES],
    [printed.getMutationType()!, MUTATIONS],
    [printed.getSubscriptionType()!, SUBSCRIPTIONS],
  ] as const;

  test('and none is missing in the tables', () => {
    for (const [root, table] of tables)
      expect(Object.keys(table).sort()).toEqual(Object.keys(root.getFields()).sort());
  });

  for (const [root, table] of tables) {
    test.each(Object.entries(table))(`${root.name}.%s: %s`, async (name, needed) => {
      const question = questionFor(root, name);
      const verdicts = kinds.map(async (kind) => {
        const { body } = await service.call('POST', '/graphql', {
          key: kind.key,
          body: { query: question },
          // A stream would be opened for who may: not to take one is another refusal.
          headers: { ...fromElsewhere(), accept: 'application/json' },
        });
        const { code, status } = body.errors?.[0]?.extensions ?? {};
        if (code === 'forbidden') expect([status, body.data?.[name] ?? null]).toEqual([403, null]);
        return [kind.name, REFUSALS.includes(code) ? code : null];
      });
      expect(await Promise.all(verdicts)).toEqual(kinds.map((kind) => [kind.name, verdictFor(kind, needed)]));
    });
  }

  test('and its description states what it needs', () => {
    for (const [root, table] of tables) {
      for (const [name, needed] of Object.entries(table)) {
        const { description } = root.getFields()[name]!;
        for (const one of needed.split(/[ +]/).filter((word) => !OTHERS.includes(word))) {
          expect({ name, description }).toEqual({ name, description: expect.stringContaining(`\`${one}\``) });
        }
        const isOperators = OPERATOR_ROLES.some((role) => needed === role);
        expect({ name, marked: description?.includes('For operators:') }).toEqual({
          name,
          marked: isOperators,
        });
      }
    }
  });
});

test('a field below the root that needs more than its object states it in its description', () => {
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !ROOTS.includes(type.name)
      ? Object.values(type.getFields()).flatMap((field) => {
          const needed = permissionOf(field);
          return needed === null ? [] : [{ name: `${type.name}.${field.name}`, field, needed }];
        })
      : [],
  );
  expect(fields.map(({ name }) => name)).toEqual(['Company.environments']);
  for (const { field, needed } of fields)
    expect(field.description).toContain(
      `For operators: needs an operator key with the role \`${needed.role}\``,
    );
});

describe('every route under /v1 does the same', () => {
  test.each(Object.entries(ROUTES))('%s: %s', async (route, needed) => {
    const [method = '', path = ''] = route.split(' ');
    const verdicts = kinds.map(async (kind) => {
      const body = method === 'POST' ? { body: {} } : {};
      const { body: answer } = await service.call(method, path, {
        key: kind.key,
        headers: fromElsewhere(),
        ...body,
      });
      return [kind.name, REFUSALS.includes(answer.code) ? answer.code : null];
    });
    expect(await Promise.all(verdicts)).toEqual(kinds.map((kind) => [kind.name, verdictFor(kind, needed)]));
  });
});

test('the OpenAPI document states for each operation which scope it needs', () => {
  for (const [route, needed] of Object.entries(ROUTES)) {
    const { description, responses } = operationOf(...(route.split(' ') as [string, string]))!;
    const scopes = needed.split('+').flatMap((scope) => (scope === 'ownKey' ? [] : [`\`${scope}\``]));
    const named =
      needed === 'ownKey'
        ? 'Needs the key itself'
        : `Needs the scope${scopes.length > 1 ? 's' : ''} ${scopes.join(' and ')}`;
    expect({ route, description }).toEqual({ route, description: expect.stringContaining(named) });
    expect(responses['403']?.description).toContain('`forbidden`');
  }
});

describe('what is missing is named', () => {
  const detailFor = async (kind: string, query: string): Promise<string> => {
    const { key } = kinds.find(({ name }) => name === kind)!;
    return (await service.graphql(query, {}, { key })).body.errors[0].message;
  };

  test.each([
    [
      'a key with read',
      'mutation { voidInvoice(invoiceId: "x", reason: "x") { id } }',
      'This needs the scope `correct`; the key has `read`.',
    ],
    [
      'a key with all scopes',
      '{ companies { edges { cursor } } }',
      'This is for operators: it needs an operator key, not the key of an environment.',
    ],
    [
      'an operator key with admin',
      '{ invoiceDownload(id: "x") { downloadUrl } }',
      'This needs the API key of an environment, not an operator key.',
    ],
    [
      'an operator key with viewer',
      'mutation { revokeKey(id: "x", reason: "x") { id } }',
      'This needs an operator key with the role `admin`; this one has `viewer`.',
    ],
  ])('%s requires %s', async (kind, query, detail) => {
    expect(await detailFor(kind, query)).toBe(detail);
  });

  test('over REST too, before the body is read', async () => {
    const { key } = kinds.find(({ name }) => name === 'a key with read')!;
    const answer = await service.call('POST', '/v1/invoices', { key, body: '{"type":' });
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: 'This needs the scope `issue`; the key has `read`.' },
    });
  });
});

test('a schema with a root field that declares nothing is not built', () => {
  builder.queryField('undeclared', (t) => t.boolean({ resolve: () => true }));
  expect(() => withPermissions(builder.toSchema())).toThrow(
    'Query.undeclared does not declare who may ask for it',
  );
});
