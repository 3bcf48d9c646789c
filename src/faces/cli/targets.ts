import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { environmentOf, findCompany } from '../../subjects/accounts/companies.ts';
import { listEnvironments } from '../../subjects/accounts/environments.ts';
import {
  type Whereabouts,
  whereIs,
  whereIsChain,
  whereIsEnvironment,
} from '../../subjects/operations/whereabouts.ts';
import type { Change, Desk } from './command.ts';
import { may, need } from './options.ts';

/** What a change meets: in which environment it is, and whether that is live. */

/** How a command is told of an environment. */
export const ENVIRONMENT = {
  environment: need('number|test|live', 'the number of the environment; or test or live, with --company'),
  company: may('co_…', 'whose test or live environment it is'),
};

type Named = { readonly environment: string; readonly company: string | undefined };

/** The environment that is meant, or 400 `invalid_request`. */
export async function environmentMeant({ db }: Desk, named: Named): Promise<Outcome<number>> {
  const { environment, company } = named;
  if (company === undefined) {
    if (!/^[1-9]\d{0,8}$/.test(environment)) {
      return invalidField('environment', 'required', 'must be a number, or test or live with --company');
    }
    const found = await whereIsEnvironment(db.pool, Number(environment));
    return found?.environmentId ?? invalidField('environment', 'not_found', 'there is no such environment');
  }
  if (environment !== 'test' && environment !== 'live') {
    return invalidField('environment', 'invalid_value', 'must be test or live beside --company');
  }
  const id = await environmentOf(db.pool, company, environment);
  return id ?? invalidField('company', 'not_found', 'there is no such company');
}

/** A change within the environment that is named. */
export async function inEnvironment(desk: Desk, named: Named, would: string): Promise<Outcome<Change>> {
  const id = await environmentMeant(desk, named);
  if (isRefusal(id)) return id;
  return changeAt((await whereIsEnvironment(desk.db.pool, id))!, would);
}

/** A change of what has that id. */
export async function onThing({ db }: Desk, id: string, would: string): Promise<Outcome<Change>> {
  const place = await whereIs(db.pool, id);
  return place === null ? invalidField('id', 'not_found', `there is no ${id}`) : changeAt(place, would);
}

/** A change of a chain. */
export async function onChain({ db }: Desk, chainId: number, would: string): Promise<Outcome<Change>> {
  const place = await whereIsChain(db.pool, chainId);
  return place === null
    ? invalidField('chainId', 'not_found', 'there is no such chain')
    : changeAt(place, would);
}

/**
 * A change of a company as a whole. It is live once it has issued live, or has all but the subscription that issuing
 * live needs.
 */
export async function onCompany({ db }: Desk, id: string, would: string): Promise<Outcome<Change>> {
  const company = await findCompany(db.pool, id);
  if (company === null) return invalidField('company', 'not_found', 'there is no such company');
  const environments = await listEnvironments(db.pool, id);
  const issued = environments.some(({ kind, records }) => kind === 'live' && records > 0);
  const live = issued || (company.mandate && company.onboarding);
  return { live, would: `${would} of ${company.legalName}, which is live` };
}

/** A change that the service feels as a whole, or that is about live data alone. */
export async function always(would: string): Promise<Change> {
  return { live: true, would };
}

/** A change that touches no environment. */
export async function never(would: string): Promise<Change> {
  return { live: false, would };
}

function changeAt({ kind, environmentId, legalName }: Whereabouts, would: string): Change {
  return {
    live: kind === 'live',
    would: `${would} in the ${kind} environment ${environmentId} of ${legalName}`,
  };
}
