import { invalidField, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { Caller, Operator } from '../../subjects/accounts/entry/caller.ts';
import { environmentOf } from '../../subjects/accounts/store/read-companies.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { valueOrThrow } from './errors.ts';
import { EnvironmentEnum } from './schema/enums.ts';

type Named = {
  readonly companyId?: string | null | undefined;
  readonly environment?: 'test' | 'live' | null | undefined;
};

/** How an operator names an environment, where a merchant’s key implies it. */
export const environmentArguments = builder.args((t) => ({
  companyId: t.id({
    description: 'The company; required with an operator’s key, together with `environment`.',
  }),
  environment: t.field({ type: EnvironmentEnum }),
}));

/** What an environment has one of: its id for `node` and client caches is made of the environment's number. */
export type OfEnvironment<Value> = Value & { readonly environmentId: number };

/** The environment of the merchant's key, or the one that an operator names; `forbidden` or `invalid_request`. */
export async function environmentFromArguments(
  { caller, services }: Context & { readonly caller: Caller | Operator },
  environmentArgs: Named,
): Promise<number> {
  const { companyId, environment } = environmentArgs;
  if (caller.kind === 'merchant') {
    const isNamed = companyId != null || environment != null;
    const detail =
      '`companyId` and `environment` are for operator keys: the key says which environment it is for.';
    return valueOrThrow(isNamed ? new Refusal('forbidden', detail) : caller.environmentId);
  }
  if (companyId != null && environment != null) {
    return namedEnvironment({ services }, { companyId, environment });
  }
  const field = companyId == null ? 'companyId' : 'environment';
  return valueOrThrow<number>(invalidField(field, 'required', 'is required'));
}

export const OWN_COMPANY = 'The company; required with an operator’s key, default: the key’s own company.';

/**
 * The environment whose branding is meant: that of the merchant's key, which may name its own company and environment, or the
 * one that an operator names; `forbidden` or `invalid_request`. Null when there is no such company.
 */
export async function brandedEnvironment(
  context: Context & { readonly caller: Caller | Operator },
  { companyId, environment }: Named,
): Promise<number | null> {
  const { caller } = context;
  if (caller.kind === 'merchant') {
    const isForeign =
      (companyId ?? caller.companyId) !== caller.companyId ||
      (environment ?? caller.environment) !== caller.environment;
    const detail = 'The key is for another company or environment.';
    return valueOrThrow(isForeign ? new Refusal('forbidden', detail) : caller.environmentId);
  }
  if (companyId != null && environment != null) return findEnvironment(context, { companyId, environment });
  return environmentFromArguments(context, { companyId, environment });
}

/** The company of the merchant's key, or the one that an operator names; `forbidden` or `invalid_request`. */
export function namedCompany(
  { caller }: { readonly caller: Caller | Operator },
  { companyId }: Pick<Named, 'companyId'>,
): Outcome<string> {
  if (caller.kind !== 'merchant') return companyId ?? invalidField('companyId', 'required', 'is required');
  if ((companyId ?? caller.companyId) === caller.companyId) return caller.companyId;
  return new Refusal('forbidden', 'The key is for another company.');
}

/** The environment of a company, null when there is no such company. */
export function findEnvironment(
  { services }: { readonly services: Pick<Context['services'], 'db'> },
  { companyId, environment }: { readonly companyId: string; readonly environment: 'test' | 'live' },
): Promise<number | null> {
  return environmentOf(services.db.pool, companyId, environment);
}

/** The environment that an operator names; `invalid_request` when there is no such company. */
export async function namedEnvironment(
  context: Pick<Context, 'services'>,
  environmentArgs: { readonly companyId: string; readonly environment: 'test' | 'live' },
): Promise<number> {
  const environmentId = await findEnvironment(context, environmentArgs);
  return valueOrThrow(environmentId ?? invalidField('companyId', 'unknown', 'names no company'));
}
