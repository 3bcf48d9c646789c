import type { Command } from 'commander';
import { invalidField } from '../../ground/errors/refusal.ts';
import { changeFlags, openCompany } from '../../subjects/accounts/administer.ts';
import { findCompany, listCompanies } from '../../subjects/accounts/companies.ts';
import { findEnvironment, listEnvironments } from '../../subjects/accounts/environments.ts';
import { changes, reads, subject, type World } from './command.ts';
import { count, may, need, numberOperand, operand, word } from './options.ts';
import { always, never } from './targets.ts';

const UP = ['on', 'off'] as const;

export function companies(program: Command, world: World): void {
  const group = subject(program, 'companies', 'issuers, and whether they may issue live');
  reads(group, world, {
    name: 'list',
    says: 'lists companies, the oldest first',
    takes: {
      text: may('text', 'only those with this in their name or NIF'),
      limit: count('how many at most', { most: 1_000, standard: 100 }),
      after: may('co_…', 'go on after this one'),
    },
    examples: [['All companies whose name or NIF holds a text', 'companies list --text talleres --json']],
    run: ({ db }, { text = null, limit, after = null }) =>
      listCompanies(db.pool, { first: limit, after, text }),
  });
  reads(group, world, {
    name: 'show',
    says: 'shows a company and its environments',
    takes: { company: operand('the id of the company') },
    examples: [['One company', 'companies show $COMPANY']],
    async run({ db }, { company }) {
      const found = await findCompany(db.pool, company);
      if (found === null) return invalidField('company', 'not_found', 'there is no such company');
      return { ...found, environments: await listEnvironments(db.pool, company) };
    },
  });
  changes(group, world, {
    name: 'create',
    says: 'creates a company with both environments, their series and chains',
    details:
      'Creates a company with both environments, their default series, chains and the tax catalog. Its flags are all down.',
    takes: {
      nif: need('NIF', 'its Spanish NIF'),
      legalName: need('text', 'its legal name'),
      line1: need('text', 'first line of its address'),
      line2: may('text', 'second line of its address'),
      postalCode: need('text', 'postal code'),
      city: need('text', 'city'),
      succeeds: may('co_…', 'the company of the same NIF whose place it takes'),
      account: may('acc_…', 'an existing account that pays; a new one without it'),
    },
    examples: [
      [
        'A company that can issue in its test environment at once',
        'companies create --nif B81939209 --legal-name "Talleres Norte SL" --line1 "Calle Mayor 1" --postal-code 28001 --city Madrid --reason "contract signed"',
      ],
    ],
    would: (_desk, { legalName }) => never(`create the company ${legalName}`),
    run: ({ db }, { account, succeeds, nif, legalName, line1, line2, postalCode, city }, by) =>
      openCompany(db, by, {
        ...{ accountId: account, succeeds, nif, legalName },
        address: { line1, line2, postalCode, city },
      }),
  });
  changes(group, world, {
    name: 'set-flags',
    says: 'says what is there of what a company needs to issue live',
    details:
      'Raises or lowers what must be up before a company may issue live. It counts from the next request on; the subscription is that of the account, and so of all its companies.',
    takes: {
      company: operand('the id of the company'),
      mandate: word(UP, 'the mandate to represent it before the agency'),
      onboarding: word(UP, 'its onboarding is finished'),
      subscription: word(UP, 'the subscription of its account'),
    },
    examples: [
      [
        'A company goes live',
        'companies set-flags $COMPANY --mandate on --onboarding on --subscription on --reason "signed on paper" --live',
      ],
    ],
    would: (_desk, { company }) => always(`change whether ${company} may issue live`),
    run: ({ db }, { company, mandate, onboarding, subscription }, by) =>
      changeFlags(db, by, company, {
        mandateApproved: mandate && mandate === 'on',
        onboardingFinished: onboarding && onboarding === 'on',
        subscriptionActive: subscription && subscription === 'on',
      }),
  });
}

export function environments(program: Command, world: World): void {
  const group = subject(program, 'environments', 'the test and live halves of companies');
  reads(group, world, {
    name: 'list',
    says: 'lists environments by their numbers',
    takes: { company: may('co_…', 'only those of this company') },
    examples: [['The two of a company', 'environments list --company $COMPANY']],
    run: ({ db }, { company = null }) => listEnvironments(db.pool, company),
  });
  reads(group, world, {
    name: 'show',
    says: 'shows an environment: its chain, its default series, its keys in force',
    takes: { environment: numberOperand('the number of the environment') },
    examples: [['One environment as JSON', 'environments show $ENVIRONMENT --json']],
    run: async ({ db }, { environment }) =>
      (await findEnvironment(db.pool, environment)) ??
      invalidField('environment', 'not_found', 'there is no such environment'),
  });
}
