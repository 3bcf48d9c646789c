import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { environmentOf, findCompany } from '../../subjects/accounts/store/read-companies.ts';
import { listEnvironments } from '../../subjects/accounts/store/read-environments.ts';
import { createInvoiceReader } from '../../subjects/invoices/reader.ts';
import {
  type EnvironmentLocation,
  locateChain,
  locateEnvironment,
  locateResource,
} from '../../subjects/operations/store/read-location.ts';
import type { CommandContext } from './command.ts';
import type { Change } from './database-command.ts';
import { optionalOption, requiredOption } from './options.ts';

/** What a change affects: in which environment it is, and whether that is live. */

export const ENVIRONMENT_MEANING = 'the number of the environment; or test or live, with --company';

/** The options that name an environment. */
export const ENVIRONMENT = {
  environment: requiredOption('number|test|live', ENVIRONMENT_MEANING),
  company: optionalOption('co_…', 'whose test or live environment it is'),
};

type Named = { readonly environment: string; readonly company: string | undefined };

/** The environment that the options name, or 400 `invalid_request`. */
export async function resolveEnvironment({ db }: CommandContext, target: Named): Promise<Outcome<number>> {
  const { environment, company } = target;
  if (company === undefined) {
    if (!/^[1-9]\d{0,8}$/.test(environment)) {
      return invalidField('environment', 'required', 'must be a number, or test or live with --company');
    }
    const found = await locateEnvironment(db.pool, Number(environment));
    return found?.environmentId ?? invalidField('environment', 'not_found', 'there is no such environment');
  }
  if (environment !== 'test' && environment !== 'live') {
    return invalidField('environment', 'invalid_value', 'must be test or live with --company');
  }
  const id = await environmentOf(db.pool, company, environment);
  return id ?? invalidField('company', 'not_found', 'there is no such company');
}

/** A change within the environment that is named. */
export async function environmentChange(
  context: CommandContext,
  target: Named,
  effect: string,
): Promise<Outcome<Change>> {
  const id = await resolveEnvironment(context, target);
  if (isRefusal(id)) return id;
  return changeAt((await locateEnvironment(context.db.pool, id))!, effect);
}

/** Where an invoice is, or 404 `invoice_not_found`. */
export async function locateInvoice(
  { db }: Pick<CommandContext, 'db'>,
  id: string,
): Promise<Outcome<EnvironmentLocation>> {
  const location = await locateResource(db.pool, id);
  return location ?? unknownInvoice();
}

/** An invoice and where it is, or 404 `invoice_not_found`. */
export async function readInvoice({ db }: Pick<CommandContext, 'db'>, id: string) {
  const location = await locateInvoice({ db }, id);
  if (isRefusal(location)) return location;
  const invoice = await createInvoiceReader(db)(location.environmentId, id);
  return invoice === null ? unknownInvoice() : { place: location, invoice };
}

const unknownInvoice = () => new Refusal('invoice_not_found', 'There is no invoice with this id.');

/** A change of the resource with that id. */
export async function resourceChange(
  { db }: CommandContext,
  id: string,
  effect: string,
): Promise<Outcome<Change>> {
  const location = await locateResource(db.pool, id);
  return location === null
    ? invalidField('id', 'not_found', `there is no ${id}`)
    : changeAt(location, effect);
}

/** A change of a chain. */
export async function chainChange(
  { db }: CommandContext,
  chainId: number,
  effect: string,
): Promise<Outcome<Change>> {
  const location = await locateChain(db.pool, chainId);
  return location === null
    ? invalidField('chainId', 'not_found', 'there is no such chain')
    : changeAt(location, effect);
}

/**
 * A change of a company as a whole. It is live once it has issued live, or has all but the subscription that issuing
 * live needs.
 */
export async function companyChange(
  { db }: CommandContext,
  id: string,
  effect: string,
): Promise<Outcome<Change>> {
  const company = await findCompany(db, id);
  if (company === null) return invalidField('company', 'not_found', 'there is no such company');
  const environments = await listEnvironments(db.pool, id);
  const issued = environments.some(({ kind, records }) => kind === 'live' && records > 0);
  const live = issued || (company.mandateApprovedAt !== null && company.onboardingFinishedAt !== null);
  return { live, effect: `${effect} of ${company.legalName}, which is live` };
}

/** A change of the whole service, or of live data alone. */
export async function liveChange(effect: string): Promise<Change> {
  return { live: true, effect: effect };
}

/** A change that affects no environment. */
export async function nonLiveChange(effect: string): Promise<Change> {
  return { live: false, effect: effect };
}

function changeAt({ kind, environmentId, legalName }: EnvironmentLocation, effect: string): Change {
  return {
    live: kind === 'live',
    effect: `${effect} in the ${kind} environment ${environmentId} of ${legalName}`,
  };
}
