import { createCompany, listCompanies, setCompanyFlags } from '../accounts/companies.ts';
import { inTransaction } from '../db/transaction.ts';
import { isRefusal } from '../errors/refusal.ts';
import { type Command, oneOf, readOptions, required } from './command.ts';

const FLAGS = ['mandate', 'onboarding', 'subscription'] as const;

export const companies: Record<string, Command> = {
  create: {
    usage:
      '--nif <NIF> --legal-name <text> --line1 <text> [--line2 <text>] --postal-code <text> --city <text> [--account <acc_…>]',
    async run(db, args) {
      const names = ['nif', 'legal-name', 'line1', 'line2', 'postal-code', 'city', 'account'] as const;
      const { options } = readOptions(args, names);
      const company = {
        accountId: options.account,
        nif: required(options.nif, '--nif'),
        legalName: required(options['legal-name'], '--legal-name'),
        address: {
          line1: required(options.line1, '--line1'),
          line2: options.line2,
          postalCode: required(options['postal-code'], '--postal-code'),
          city: required(options.city, '--city'),
        },
      };
      return inTransaction(db.pool, (client) => createCompany(client, company));
    },
  },
  list: {
    usage: '',
    async run(db, args) {
      readOptions(args, []);
      const found = await listCompanies(db.pool, { first: 500, after: null, text: null });
      return isRefusal(found) ? found : found.companies;
    },
  },
  'set-flags': {
    usage: '<co_…> [--mandate on|off] [--onboarding on|off] [--subscription on|off]',
    async run(db, args) {
      const { options, rest } = readOptions(args, FLAGS);
      const companyId = required(rest[0], 'the id of the company');
      const flag = (name: (typeof FLAGS)[number]) =>
        options[name] === undefined ? undefined : oneOf(options[name], `--${name}`, ['on', 'off']) === 'on';
      const found = await setCompanyFlags(db.pool, companyId, {
        mandateApproved: flag('mandate'),
        onboardingFinished: flag('onboarding'),
        subscriptionActive: flag('subscription'),
      });
      if (!found) throw new Error('no such company');
      return { companyId, ...options };
    },
  },
};
