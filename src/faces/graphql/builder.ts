import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { Kind } from 'graphql';
import type PrismaTypes from '../../../generated/pothos.ts';
import { getDatamodel } from '../../../generated/pothos.ts';
import { dayOfColumn, isStorableInstant } from '../../ground/lib/calendar.ts';
import type { Context } from './context.ts';
import { refusedError } from './errors.ts';
import { type AuthContexts, type AuthScopes, authScopesOf, missing, permissionOf } from './permissions.ts';

export const builder = new SchemaBuilder<{
  Context: Context;
  AuthScopes: AuthScopes;
  AuthContexts: AuthContexts;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    SafeInt: { Input: number; Output: number };
    DateTime: { Input: Date; Output: Date };
    Date: { Input: string; Output: string | Date };
    Decimal: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
  };
}>({
  // Who may ask is looked at first.
  plugins: [ScopeAuthPlugin, ComplexityPlugin, RelayPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.services.db.prisma,
    dmmf: getDatamodel(),
    filterConnectionTotalCount: true,
  },
  relay: {
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    // The field of the connection counts the items already.
    edgesFieldOptions: { complexity: { multiplier: 1 } },
  },
  scopeAuth: {
    authScopes: authScopesOf,
    // Who subscribes is asked once, and looked at again while it lasts (rest/live.ts).
    authorizeOnSubscribe: true,
    unauthorizedError: (_parent, { caller }, { parentType, fieldName }) =>
      refusedError(missing(caller, permissionOf(parentType.getFields()[fieldName]!) ?? {})),
  },
  complexity: {
    // Bounded before anything is executed (`bounds.ts`), so that a refused document has no data at all.
    disabled: true,
    defaultComplexity: 1,
    defaultListMultiplier: 5,
  },
});

builder.queryType({});
builder.mutationType({});
builder.subscriptionType({
  description:
    'Changes as they happen, over server-sent events at this address (docs/guides/live-updates.md).',
});

/** What a value of a scalar must be, as a refusal states it; thrown by its parser as well. */
const MUST_BE = {
  SafeInt: 'must be an integer between -(2^53 - 1) and 2^53 - 1',
  DateTime: 'must be RFC 3339, such as 2026-01-31T10:00:00Z',
  Date: 'must be a string, YYYY-MM-DD',
  Decimal: 'must be a string of plain digits, such as "1210.5"',
};

function unfit(scalar: keyof typeof MUST_BE): never {
  throw new TypeError(`${scalar} ${MUST_BE[scalar]}`);
}

function safeInteger(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : unfit('SafeInt');
}

builder.scalarType('SafeInt', {
  description: 'A whole number up to 2^53 - 1, in either direction: amounts are whole cents.',
  extensions: { mustBe: MUST_BE.SafeInt },
  serialize: (value) => safeInteger(typeof value === 'bigint' ? Number(value) : value),
  parseValue: safeInteger,
  parseLiteral: (node) => safeInteger(node.kind === Kind.INT ? Number(node.value) : undefined),
});

builder.scalarType('DateTime', {
  description: 'An instant, RFC 3339 in UTC.',
  extensions: { mustBe: MUST_BE.DateTime },
  serialize: (value) => (value as Date).toISOString(),
  parseValue: (value) => {
    const instant = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) ? new Date(value) : null;
    return instant !== null && isStorableInstant(instant) ? instant : unfit('DateTime');
  },
});

builder.scalarType('Date', {
  description: 'A calendar day, YYYY-MM-DD.',
  extensions: { mustBe: MUST_BE.Date },
  serialize: (value) => (value instanceof Date ? dayOfColumn(value) : (value as string)),
  parseValue: (value) => (typeof value === 'string' ? value : unfit('Date')),
});

builder.scalarType('Decimal', {
  description:
    'An exact decimal number in plain digits, as a string: "1210.5". JSON numbers are refused because they may lose digits.',
  extensions: { mustBe: MUST_BE.Decimal },
  serialize: (value) => value as string,
  parseValue: (value) => (typeof value === 'string' ? value : unfit('Decimal')),
});
