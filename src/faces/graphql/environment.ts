import { invalidField } from '../../ground/errors/refusal.ts';
import { environmentOf } from '../../subjects/accounts/companies.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { merchantOf, operatorOf, orRefuse } from './errors.ts';
import { EnvironmentEnum } from './schema/enums.ts';

type Named = {
  readonly companyId?: string | null | undefined;
  readonly environment?: 'test' | 'live' | null | undefined;
};

/** How an operator says which environment is meant, where a merchant's key says it by itself. */
export const environmentArguments = builder.args((t) => ({
  companyId: t.id({ description: "For an operator's key, with `environment`." }),
  environment: t.field({ type: EnvironmentEnum }),
}));

/** The environment of the merchant's key, or the one that an operator names; `unauthorized` or `invalid_request`. */
export async function environmentMeant(context: Context, named: Named): Promise<number> {
  const { companyId, environment } = named;
  if (companyId == null && environment == null) return merchantOf(context).environmentId;
  operatorOf(context);
  if (companyId != null && environment != null) {
    return namedEnvironment(context, { companyId, environment });
  }
  const field = companyId == null ? 'companyId' : 'environment';
  return orRefuse<number>(invalidField(field, 'required', 'is required'));
}

/** The environment that an operator names; `invalid_request` when there is no such company. */
export async function namedEnvironment(
  context: Context,
  { companyId, environment }: { readonly companyId: string; readonly environment: 'test' | 'live' },
): Promise<number> {
  const environmentId = await environmentOf(context.services.db.pool, companyId, environment);
  return orRefuse(environmentId ?? invalidField('companyId', 'unknown', 'names no company'));
}
