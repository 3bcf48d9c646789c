import type { GraphQLField, GraphQLSchema } from 'graphql';
import { Refusal } from '../../ground/errors/refusal.ts';
import type { Caller, Operator } from '../../subjects/accounts/entry/caller.ts';
import {
  includesRole,
  KEY_SCOPES,
  type KeyScope,
  type OperatorRole,
} from '../../subjects/accounts/entry/permissions.ts';
import type { Context } from './context.ts';

type Scopes = KeyScope | readonly KeyScope[];

/** What a field of the schema's root needs; of several needs one is enough. */
export type Permission = {
  /** A merchant's key with the scope, or with each of them. */
  readonly scope?: Scopes;
  /** An operator's key with the role, or one that may do more. */
  readonly role?: OperatorRole;
  /** A merchant's key itself, not an access token of it. */
  readonly ownKey?: true;
  /** The same with a scope. */
  readonly ownScope?: KeyScope;
  /** Any key in force. */
  readonly known?: true;
  /** No key: the argument itself is the authorization, such as a signed link. */
  readonly everybody?: true;
};

const scopesOf = (needed: Scopes): readonly KeyScope[] => (typeof needed === 'string' ? [needed] : needed);

/** What can be asked of a caller, by the names of the plugin (`@pothos/plugin-scope-auth`). */
export type AuthScopes = {
  scope: Scopes;
  role: OperatorRole;
  ownKey: true;
  ownScope: KeyScope;
  known: true;
  everybody: true;
};

type With<CallerKind extends Context['caller']> = Context & { readonly caller: CallerKind };

/** Who it is that a resolver is called for, by what its field needs. */
export type AuthContexts = {
  scope: With<Caller>;
  role: With<Operator>;
  ownKey: With<Caller>;
  ownScope: With<Caller>;
  known: With<Caller | Operator>;
  everybody: Context;
};

function hasScopes(caller: Context['caller'], needed: Scopes): boolean {
  if (caller?.kind !== 'merchant') return false;
  return typeof needed === 'string'
    ? caller.scopes.has(needed)
    : needed.every((scope) => caller.scopes.has(scope));
}

/** What a caller may do, asked of by the plugin before a resolver is called. */
export function authScopesOf({ caller }: Pick<Context, 'caller'>) {
  return {
    scope: (needed: Scopes) => hasScopes(caller, needed),
    role: (needed: OperatorRole) => caller?.kind === 'operator' && includesRole(caller.role, needed),
    ownKey: caller?.kind === 'merchant' && caller.accessToken === null,
    ownScope: (needed: KeyScope) =>
      caller?.kind === 'merchant' && caller.accessToken === null && caller.scopes.has(needed),
    known: caller !== null,
    everybody: true,
  };
}

/** What is missing: `unauthorized` (401) without a key in force, `forbidden` (403) with one that may not. */
export function missing(caller: Context['caller'], permission: Permission): Refusal {
  if (caller === null) {
    return new Refusal('unauthorized', 'The API key is missing, malformed, expired or revoked.');
  }
  const detail =
    caller.kind === 'merchant'
      ? missingOfMerchant(caller, permission)
      : missingOfOperator(caller, permission);
  return new Refusal('forbidden', detail);
}

function missingOfMerchant({ scopes, accessToken }: Caller, permission: Permission): string {
  const { ownKey, ownScope } = permission;
  const scope = permission.scope ?? ownScope;
  if (ownScope !== undefined && accessToken !== null)
    return 'This needs the API key itself: an access token may not manage keys.';
  if (ownKey) return 'This needs the API key itself: an access token makes no others.';
  if (scope === undefined) {
    return 'This is for operators: it needs an operator key, not the key of an environment.';
  }
  const own = KEY_SCOPES.filter((one) => scopes.has(one)).map((one) => `\`${one}\``);
  const holder = accessToken === null ? 'key' : 'access token';
  const lacking = scopesOf(scope).filter((one) => !scopes.has(one));
  return `This needs ${scopeText(lacking)}; the ${holder} has ${own.join(', ')}.`;
}

const scopeText = (scopes: readonly KeyScope[]): string =>
  `the scope${scopes.length === 1 ? '' : 's'} ${scopes.map((scope) => `\`${scope}\``).join(' and ')}`;

function missingOfOperator(operator: Operator, { role }: Permission): string {
  return role === undefined
    ? 'This needs the API key of an environment, not an operator key.'
    : `This needs an operator key with the role \`${role}\`; this one has \`${operator.role}\`.`;
}

/** Whether the caller may do what needs the permission: null, or `missing`. */
export function refusalFor(context: Pick<Context, 'caller'>, permission: Permission): Refusal | null {
  const { scope, role, ownKey, ownScope, known, everybody } = permission;
  if (scope !== undefined && hasScopes(context.caller, scope)) return null;
  const may = authScopesOf(context);
  const allowed =
    (role !== undefined && may.role(role)) ||
    (ownKey === true && may.ownKey) ||
    (ownScope !== undefined && may.ownScope(ownScope)) ||
    (known === true && may.known) ||
    everybody === true;
  return allowed ? null : missing(context.caller, permission);
}

/** What a field of the schema's root declares that it needs; null when it declares nothing. */
export function permissionOf(field: GraphQLField<unknown, unknown>): Permission | null {
  const { pothosOptions } = field.extensions as {
    pothosOptions?: { authScopes?: Permission | (() => unknown) };
  };
  const declared = pothosOptions?.authScopes;
  return declared === undefined || typeof declared === 'function' ? null : declared;
}

/** Every root field of a schema, with the name of its type. */
export function rootFields(schema: GraphQLSchema): [type: string, field: GraphQLField<unknown, unknown>][] {
  return [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
    type ? Object.values(type.getFields()).map((field): [string, typeof field] => [type.name, field]) : [],
  );
}

/**
 * The schema, when each of its root fields declares what it needs; else it throws. What a field needs is stated at the
 * end of its description.
 */
export function withPermissions(schema: GraphQLSchema): GraphQLSchema {
  for (const [type, field] of rootFields(schema)) {
    const permission = permissionOf(field);
    if (permission === null) throw new Error(`${type}.${field.name} does not declare who may ask for it`);
    field.description = [field.description, requirementOf(permission)].filter(Boolean).join(' ');
  }
  return schema;
}

function requirementOf({ scope, role, ownKey, ownScope, known }: Permission): string {
  const own = scope === undefined ? [] : [scopeText(scopesOf(scope))];
  const operators = role === undefined ? [] : [`an operator key with the role \`${role}\` or above`];
  const others = [
    ...(ownKey ? ['the API key itself, not an access token'] : []),
    ...(ownScope === undefined
      ? []
      : [`the API key itself with ${scopeText([ownScope])}, not an access token`]),
    ...(known ? ['any key in force'] : []),
  ];
  const needs = [...own, ...operators, ...others];
  if (needs.length === 0) return 'Needs no key.';
  return `${own.length === 0 && role !== undefined ? 'For operators: needs' : 'Needs'} ${needs.join(', or ')}.`;
}
