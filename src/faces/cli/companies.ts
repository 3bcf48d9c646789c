import type { Command } from 'commander';
import { firstOf } from '../../ground/db/listed.ts';
import { invalidField, isRefusal } from '../../ground/errors/refusal.ts';
import { TIME_ZONES } from '../../ground/lib/calendar.ts';
import { changeFlags, openCompany } from '../../subjects/accounts/administer.ts';
import { findCompany, readCompanies, searchCompanies } from '../../subjects/accounts/store/read-companies.ts';
import { findEnvironment, listEnvironments } from '../../subjects/accounts/store/read-environments.ts';
import { type CliRuntime, changeCommand, commandGroup, queryCommand } from './command.ts';
import {
  choiceOption,
  integerOption,
  numberOperand,
  operand,
  optionalOption,
  requiredOption,
} from './options.ts';
import { liveChange, nonLiveChange } from './targets.ts';

const UP = ['on', 'off'] as const;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of commands
export function companies(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'companies', 'issuers, and whether they may issue live');
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists companies, oldest first',
    parameters: {
      text: optionalOption('text', 'only those whose name or NIF contains this'),
      limit: integerOption('the maximum number', { max: 1_000, standard: 100 }),
      after: optionalOption('co_…', 'continue after this one'),
    },
    examples: [['All companies whose name or NIF contains a text', 'companies list --text talleres --json']],
    async run({ db }, { text = null, limit, after = null }) {
      const page = await searchCompanies(db.pool, text).page(firstOf(limit, after));
      if (isRefusal(page)) return page;
      const ids = page.rows.map(({ id }) => id);
      return { companies: (await readCompanies(db, ids)).map(shown), hasMore: page.hasMore };
    },
  });
  queryCommand(group, runtime, {
    name: 'show',
    description: 'shows a company and its environments',
    parameters: { company: operand('the id of the company') },
    examples: [['One company', 'companies show $COMPANY']],
    async run({ db }, { company }) {
      const found = await findCompany(db, company);
      if (found === null) return invalidField('company', 'not_found', 'there is no such company');
      return { ...shown(found), environments: await listEnvironments(db.pool, company) };
    },
  });
  changeCommand(group, runtime, {
    name: 'create',
    description: 'creates a company with both environments, their series and chains',
    details:
      'Creates a company with both environments, their default series, chains and the tax catalog. All its flags are off.',
    parameters: {
      nif: requiredOption('NIF', 'its Spanish NIF'),
      legalName: requiredOption('text', 'its legal name'),
      line1: requiredOption('text', 'first line of its address'),
      line2: optionalOption('text', 'second line of its address'),
      postalCode: requiredOption('text', 'postal code'),
      city: requiredOption('text', 'city'),
      timeZone: choiceOption(TIME_ZONES, 'where its days begin; by default by its postal code'),
      succeeds: optionalOption(
        'co_…',
        'the company with the same NIF that it replaces, which issues nothing from then on',
      ),
      standardPrefix: optionalOption('text', 'the prefix of its ordinary invoices; by default F'),
      rectifyingPrefix: optionalOption('text', 'the prefix of its rectificativas; by default R'),
      account: optionalOption('acc_…', 'an existing account that pays; by default a new one'),
    },
    examples: [
      [
        'A company that can issue in its test environment at once',
        'companies create --nif B81939209 --legal-name "Talleres Norte SL" --line1 "Calle Mayor 1" --postal-code 28001 --city Madrid --reason "contract signed"',
      ],
    ],
    preview: (_context, { legalName }) => nonLiveChange(`create the company ${legalName}`),
    run: (
      { db },
      { account, succeeds, standardPrefix, rectifyingPrefix, nif, legalName, timeZone, ...address },
      by,
    ) => {
      const series = seriesOf(standardPrefix, rectifyingPrefix);
      if (isRefusal(series)) return Promise.resolve(series);
      return openCompany(db, by, {
        ...{ accountId: account, succeeds, series, nif, legalName, address, timeZone },
      });
    },
  });
  changeCommand(group, runtime, {
    name: 'set-flags',
    description: 'sets the conditions under which a company may issue live',
    details:
      'Switches on or off the conditions for issuing live. Changes apply from the next request on; the subscription is that of the account, and therefore of all its companies.',
    parameters: {
      company: operand('the id of the company'),
      mandate: choiceOption(UP, 'the mandate to represent it before the agency'),
      onboarding: choiceOption(UP, 'whether its onboarding is finished'),
      subscription: choiceOption(UP, 'the subscription of its account'),
    },
    examples: [
      [
        'A company goes live',
        'companies set-flags $COMPANY --mandate on --onboarding on --subscription on --reason "signed on paper" --live',
      ],
    ],
    preview: (_context, { company }) => liveChange(`change whether ${company} may issue live`),
    async run({ db }, { company, mandate, onboarding, subscription }, by) {
      const changed = await changeFlags(db, by, company, {
        mandateApproved: mandate && mandate === 'on',
        onboardingFinished: onboarding && onboarding === 'on',
        subscriptionActive: subscription && subscription === 'on',
      });
      return isRefusal(changed) ? changed : shown((await findCompany(db, company))!);
    },
  });
}

/** A company with whether it may issue live. */
function shown(company: NonNullable<Awaited<ReturnType<typeof findCompany>>>) {
  const { id, nif, legalName, accountId, account, environments, createdAt, succeedsId } = company;
  return {
    ...{ id, nif, legalName, accountId },
    mandate: company.mandateApprovedAt !== null,
    onboarding: company.onboardingFinishedAt !== null,
    subscription: account.subscriptionActive,
    timeZone: environments[0]!.timeZone,
    ...{ createdAt, succeedsId },
  };
}

/** The default series of a new company: both prefixes, or none. */
function seriesOf(standard: string | undefined, rectifying: string | undefined) {
  if (standard !== undefined && rectifying !== undefined) return { standard, rectifying };
  if (standard === undefined && rectifying === undefined) return undefined;
  return invalidField(
    standard === undefined ? 'standardPrefix' : 'rectifyingPrefix',
    'required',
    'is required beside the other prefix',
  );
}

export function environments(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'environments', 'the test and live halves of companies');
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists environments by their numbers',
    parameters: { company: optionalOption('co_…', 'only those of this company') },
    examples: [['The two of a company', 'environments list --company $COMPANY']],
    run: ({ db }, { company = null }) => listEnvironments(db.pool, company),
  });
  queryCommand(group, runtime, {
    name: 'show',
    description: 'shows an environment: its chain, its default series, its keys in force',
    parameters: { environment: numberOperand('the number of the environment') },
    examples: [['One environment as JSON', 'environments show $ENVIRONMENT --json']],
    run: async ({ db }, { environment }) =>
      (await findEnvironment(db.pool, environment)) ??
      invalidField('environment', 'not_found', 'there is no such environment'),
  });
}
