import type { Command } from 'commander';
import { firstOf } from '../../ground/db/listed.ts';
import { invalidField, isRefusal } from '../../ground/errors/refusal.ts';
import { dayOfColumn, TIME_ZONES } from '../../ground/lib/calendar.ts';
import { changeFlags, openCompany } from '../../subjects/accounts/administer.ts';
import type { AsksCensus } from '../../subjects/accounts/census.ts';
import { endVerifactu } from '../../subjects/accounts/end-verifactu.ts';
import { findCompany, readCompanies, searchCompanies } from '../../subjects/accounts/store/read-companies.ts';
import { findEnvironment, listEnvironments } from '../../subjects/accounts/store/read-environments.ts';
import { updateCompany } from '../../subjects/accounts/update-company.ts';
import { issuerCensus } from '../../subjects/recipients/registers/issuer-census.ts';
import { type CliRuntime, type CommandContext, commandGroup } from './command.ts';
import { changeCommand, queryCommand } from './database-command.ts';
import { leavingCompanies } from './leaving.ts';
import {
  choiceOption,
  flagOption,
  integerOption,
  numberOperand,
  operand,
  optionalOption,
  requiredDay,
  requiredOption,
} from './options.ts';
import { liveChange, nonLiveChange } from './targets.ts';
import { withServices } from './with-services.ts';

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
      givenName: optionalOption('text', 'the given name of a natural person'),
      surnames: optionalOption('text', 'the surnames of a natural person'),
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
      withoutCensus: flagOption(NO_CENSUS),
    },
    examples: [
      [
        'A company that can issue in its test environment at once',
        'companies create --nif B81939209 --legal-name "Talleres Norte SL" --line1 "Calle Mayor 1" --postal-code 28001 --city Madrid --reason "contract signed"',
      ],
    ],
    preview: (_context, { legalName }) => nonLiveChange(`create the company ${legalName}`),
    run: (
      context,
      { account, standardPrefix, rectifyingPrefix, line1, line2, postalCode, city, ...given },
      by,
    ) => {
      const series = seriesOf(standardPrefix, rectifyingPrefix);
      if (isRefusal(series)) return Promise.resolve(series);
      const address = { line1, line2, postalCode, city };
      // The options of every command are among what was given.
      const { nif, succeeds, withoutCensus } = given;
      return withCensus(context, withoutCensus, (services) =>
        openCompany(services, by, {
          ...{ accountId: account, nif, succeeds, series, address, withoutCensus, ...namesOf(given) },
        }),
      );
    },
  });
  changeCommand(group, runtime, {
    name: 'update',
    description: 'changes the name, the address or the time zone of a company',
    details:
      'Changes the data with which a company issues from then on; what was issued keeps its own. The census is asked for a new name. An address is replaced as a whole. The time zone can change from the day after that of the last invoice on.',
    parameters: {
      company: operand('the id of the company'),
      legalName: optionalOption('text', 'its new legal name'),
      givenName: optionalOption('text', 'the given name of a natural person'),
      surnames: optionalOption('text', 'the surnames of a natural person'),
      line1: optionalOption('text', 'first line of its new address'),
      line2: optionalOption('text', 'second line of its new address'),
      postalCode: optionalOption('text', 'postal code of its new address'),
      city: optionalOption('text', 'city of its new address'),
      timeZone: choiceOption(TIME_ZONES, 'where its days begin'),
      withoutCensus: flagOption(NO_CENSUS),
    },
    examples: [
      [
        'A company that was renamed',
        'companies update $COMPANY --legal-name "Talleres del Norte SL" --reason "deed of 3 May" --live',
      ],
    ],
    preview: (_context, { company }) => liveChange(`change with which data ${company} issues`),
    async run(context, { company, line1, line2, postalCode, city, ...given }, by) {
      const address = addressOf({ line1, line2, postalCode, city });
      if (isRefusal(address)) return address;
      const changed = await withCensus(context, given.withoutCensus, (services) =>
        updateCompany(services, by, company, {
          ...{ ...namesOf(given), address, withoutCensus: given.withoutCensus },
        }),
      );
      return isRefusal(changed) ? changed : shown((await findCompany(context.db, company))!);
    },
  });
  changeCommand(group, runtime, {
    name: 'end-verifactu',
    description: 'gives up VERI*FACTU for a company with the end of the year',
    details:
      'Until the end of the year every message to the agency says that the company gives up VERI*FACTU; one must go out before it ends, and `lacre doctor` warns from 15 December while none was answered. Afterwards nothing is issued live, and what is due is still sent.',
    parameters: {
      company: operand('the id of the company'),
      lastDay: requiredDay('31 December of the current year'),
    },
    examples: [
      [
        'A company that will issue with other software',
        'companies end-verifactu $COMPANY --last-day 2026-12-31 --reason "letter of 3 May" --live',
      ],
    ],
    preview: (_context, { company, lastDay }) => liveChange(`end VERI*FACTU of ${company} with ${lastDay}`),
    async run({ db }, { company, lastDay }, by) {
      const ended = await endVerifactu(db, by, company, lastDay);
      return isRefusal(ended) ? ended : shown((await findCompany(db, company))!);
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
    async run({ db, config }, { company, mandate, onboarding, subscription }, by) {
      const changed = await changeFlags({ db, config }, by, company, {
        mandateApproved: mandate && mandate === 'on',
        onboardingFinished: onboarding && onboarding === 'on',
        subscriptionActive: subscription && subscription === 'on',
      });
      return isRefusal(changed) ? changed : shown((await findCompany(db, company))!);
    },
  });
  leavingCompanies(group, runtime);
}

const NO_CENSUS = 'do not ask the census whether the NIF has this name; the audit log says so';

/** Asks the census as a process of the service would, unless it is not to be asked. */
function withCensus<T>(
  context: CommandContext,
  without: boolean | undefined,
  work: (services: { readonly db: CommandContext['db']; readonly askCensus: AsksCensus }) => Promise<T>,
): Promise<T> {
  const { db } = context;
  if (without) return work({ db, askCensus: async () => null });
  return withServices(context, ({ registers }) => work({ db, askCensus: issuerCensus(registers.live) }));
}

const namesOf = <Legal extends string | undefined, Zone>({
  legalName,
  givenName,
  surnames,
  timeZone,
}: {
  readonly legalName: Legal;
  readonly givenName: string | undefined;
  readonly surnames: string | undefined;
  readonly timeZone: Zone;
}) => ({ legalName, givenName, surnames, timeZone });

type Address = Readonly<Record<'line1' | 'line2' | 'postalCode' | 'city', string | undefined>>;

/** A whole address, or none. */
function addressOf({ line1, line2, postalCode, city }: Address) {
  if ([line1, line2, postalCode, city].every((part) => part === undefined)) return undefined;
  if (line1 !== undefined && postalCode !== undefined && city !== undefined)
    return { line1, line2, postalCode, city };
  const missing = line1 === undefined ? 'line1' : postalCode === undefined ? 'postalCode' : 'city';
  return invalidField(missing, 'required', 'is required beside the other parts of an address');
}

/** A company with whether it may issue live. */
function shown(company: NonNullable<Awaited<ReturnType<typeof findCompany>>>) {
  const { id, nif, legalName, givenName, surnames, accountId, account, environments, ...rest } = company;
  const { createdAt, succeedsId } = rest;
  return {
    ...{ id, nif, legalName, givenName, surnames, accountId },
    mandate: company.mandateApprovedAt !== null,
    onboarding: company.onboardingFinishedAt !== null,
    subscription: account.subscriptionActive,
    timeZone: environments[0]!.timeZone,
    verifactuEndsOn: company.verifactuEndsOn && dayOfColumn(company.verifactuEndsOn),
    verifactuEndToldAt: company.verifactuEndToldAt,
    ...{ createdAt, succeedsId },
    closedAt: company.closedAt,
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
