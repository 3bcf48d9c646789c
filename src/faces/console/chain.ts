import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { companyScopeOf } from './company.ts';
import type { CompanyScope, OperatorContext } from './page.ts';
import { stored } from './query.ts';

/** What pages about a chain have in common. */

const ENDS = stored(
  'query ConsoleChainEnd($id: Int!) { chainRecords(chainId: $id, first: 1) { environmentId lastPosition } }',
);

const ENVIRONMENT = stored('query ConsoleEnvironment($id: ID!) { environment(id: $id) { kind companyId } }');

/** A whole number of Postgres' size, or null. */
export function wholeNumber(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/** Whose an environment is. */
export async function environmentOwner(
  context: OperatorContext,
  environmentId: number,
): Promise<Outcome<CompanyScope>> {
  const owner = await ENVIRONMENT(context, { id: String(environmentId) });
  if (isRefusal(owner)) return owner;
  if (owner.environment === null)
    return new Refusal('not_found', 'There is no environment with this number.');
  const companyScope = await companyScopeOf(context, owner.environment.companyId);
  return isRefusal(companyScope) ? companyScope : { ...companyScope, environment: owner.environment.kind };
}

type OwnedChain = {
  readonly chainId: number;
  readonly lastPosition: number;
  readonly companyScope: CompanyScope;
};

/** The chain that the page's path names as `:chainId`. */
export async function chainOwner(context: OperatorContext): Promise<Outcome<OwnedChain>> {
  const id = wholeNumber(context.param('chainId'));
  const missing = new Refusal('not_found', 'There is no chain with this number.');
  if (id === null) return missing;
  const ends = await ENDS(context, { id });
  if (isRefusal(ends)) return ends.code === 'invalid_request' ? missing : ends;
  const { environmentId, lastPosition } = ends.chainRecords;
  const companyScope = await environmentOwner(context, environmentId);
  return isRefusal(companyScope) ? companyScope : { chainId: id, lastPosition, companyScope };
}
