import {
  type GraphQLField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/faces/graphql/schema.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { type TestService, testService } from '../support/http/http-service.ts';

let service: TestService;
let operator: string;
beforeAll(async () => {
  service = await testService();
  operator = (await createOperatorKey(service.db.pool, 'Ada')).key;
});
afterAll(() => service.close());

const NUL = 'a\u0000b';

/** What fits a type: every text in it is NUL, but for a company that there is. */
function filled(type: GraphQLInputType, name: string): unknown {
  if (isNonNullType(type)) return filled(type.ofType, name);
  if (isListType(type)) return [filled(type.ofType, name)];
  if (isEnumType(type)) return type.getValues()[0]!.name;
  if (isInputObjectType(type)) return filledEach(Object.values(type.getFields()));
  switch (type.name) {
    case 'Boolean':
      return true;
    case 'Int':
    case 'SafeInt':
    case 'Float':
      return 1;
    case 'Date':
      return '2026-01-31';
    case 'DateTime':
      return '2026-01-31T10:00:00Z';
    default:
      return FAIR[name]?.() ?? NUL;
  }
}

const FAIR: Readonly<Record<string, () => string>> = {
  companyId: () => service.company.companyId,
  reason: () => 'a test',
};

function filledEach(takes: readonly { readonly name: string; readonly type: GraphQLInputType }[]) {
  return Object.fromEntries(takes.map(({ name, type }) => [name, filled(type, name)]));
}

/** The variables with NUL for one text after the other. */
function* withNul(variables: Record<string, unknown>): Generator<Record<string, unknown>> {
  for (const [name, value] of Object.entries(variables)) {
    if (typeof value === 'string' && value !== NUL) yield { ...variables, [name]: NUL };
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const inside of withNul(value as Record<string, unknown>)) yield { ...variables, [name]: inside };
    }
  }
}

const operations = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
  Object.values(type!.getFields())
    .filter(({ args }) => args.length > 0)
    .map((field) => [`${type!.name.toLowerCase()} ${field.name}`, type!.name.toLowerCase(), field] as const),
);

function source(
  kind: string,
  { name, args, type }: GraphQLField<unknown, unknown>,
  given: readonly string[],
) {
  const named = args.filter((argument) => given.includes(argument.name));
  const takes = named.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(', ');
  const gives = named.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
  const bare = isNonNullType(type) ? type.ofType : type;
  const selection = isObjectType(bare) || isListType(bare) ? '{ __typename }' : '';
  const query = (given.length > 0 ? `(${gives})` : '') + selection;
  return `${kind} ${given.length > 0 ? `(${takes})` : ''} { ${name}${query} }`;
}

test.each(operations)(
  'NUL, which Postgres cannot hold, is a fault of who sends it: %s',
  async (_what, kind, field) => {
    const required = filledEach(field.args.filter(({ type }) => isNonNullType(type)));
    const { last: _last, before: _before, ...all } = filledEach(field.args);
    const { after: _after, ...first } = all;
    const sent = [required, all, first]
      .flatMap((base) => [base, ...withNul(base)])
      .map((each) => JSON.stringify(each));
    const hostile = [...new Set(sent)].filter((each) => each.includes(JSON.stringify(NUL)));
    const requests = hostile.flatMap((each) => [
      [each, operator] as const,
      ...(each.includes('companyId') ? [] : [[each, service.company.test.key] as const]),
    ]);
    const codes = requests.map(async ([each, key]) => {
      const variables = JSON.parse(each) as Record<string, unknown>;
      const { body } = await service.graphql(source(kind, field, Object.keys(variables)), variables, { key });
      return [each, body.errors?.[0].extensions.code];
    });
    expect(await Promise.all(codes)).not.toContainEqual([expect.anything(), 'internal_error']);
  },
);
