import type { Command } from 'commander';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { findCompany } from '../../subjects/accounts/store/read-companies.ts';
import { closeCompany } from '../../subjects/leaving/close-company.ts';
import { eraseCustomer, eraseDrafts } from '../../subjects/leaving/erase.ts';
import { exportCompany, noteExport } from '../../subjects/leaving/export-company.ts';
import { KEPT } from '../../subjects/leaving/kept.ts';
import type { CliRuntime } from './command.ts';
import { changeCommand } from './database-command.ts';
import { choiceOption, operand, optionalOption, requiredOption } from './options.ts';
import { liveChange, nonLiveChange } from './targets.ts';
import { withServices } from './with-services.ts';
import { writeWhole } from './write-whole.ts';

/** A company leaves: commands of `companies`. */
export function leavingCompanies(group: Command, runtime: CliRuntime): void {
  changeCommand(group, runtime, {
    name: 'export',
    description: 'writes everything of a company into one ZIP file',
    details:
      'Writes an archive with the invoices, sealed records, documents, journal, customers, payments, events and settings of both environments, a README and checksums. Secrets are not in it. Memory use does not grow with the number of invoices, and the file appears under its name only when it is complete.',
    parameters: {
      company: operand('the id of the company'),
      out: requiredOption('path', 'the file to write'),
    },
    examples: [
      ['Before a company is closed', 'companies export $COMPANY --out company.zip --reason "contract ended"'],
    ],
    preview: (_context, { company, out }) => nonLiveChange(`write everything of ${company} to ${out}`),
    async run(context, { company, out }, by) {
      const noted = await noteExport(context.db, by, company);
      if (isRefusal(noted)) return noted;
      const bar = context.progress('documents');
      try {
        return await withServices(context, async (services) => {
          const archive = await exportCompany(services, company, {
            onProgress: (done) => bar.show(done, done),
          });
          if (isRefusal(archive)) return archive;
          const failed = await writeWhole(archive, out);
          return failed ?? { company, file: out };
        });
      } finally {
        bar.end();
      }
    },
  });
  changeCommand(group, runtime, {
    name: 'close',
    description: 'closes a company for good',
    details:
      'Nothing is issued any more, keys are revoked, links to customers’ pages and webhook endpoints are deleted, schedules and reminders end. What was issued is still registered, and operators read, void and amend it. It cannot be opened again: another company of the NIF can succeed it.',
    parameters: { company: operand('the id of the company') },
    examples: [['A company that leaves', 'companies close $COMPANY --reason "contract ended" --live']],
    preview: (_context, { company }) => liveChange(`close ${company} for good`),
    async run({ db }, { company }, by) {
      const closed = await closeCompany(db, by, company);
      if (isRefusal(closed)) return closed;
      const { id, closedAt } = (await findCompany(db, company))!;
      return { id, closedAt };
    },
  });
  changeCommand(group, runtime, {
    name: 'erase-drafts',
    description: 'deletes the drafts of an environment, and what issued ones say of people',
    details:
      'Deletes drafts that were not issued, and takes out of issued ones and of ended schedules what they say of people. Says what stays, how long, and by which law.',
    parameters: {
      company: operand('the id of the company'),
      environment: choiceOption(['live', 'test'], 'the environment; live by default'),
    },
    examples: [
      ['After a company was closed', 'companies erase-drafts $COMPANY --reason "contract ended" --live'],
    ],
    preview: (_context, { company, environment = 'live' }) =>
      liveOr(environment, `erase the drafts of ${company} (${environment})`),
    async run({ db }, { company, environment = 'live' }, by) {
      const erased = await eraseDrafts(db, by, { companyId: company, environment });
      return isRefusal(erased) ? erased : { ...erased, kept: KEPT };
    },
  });
}

/** A person asks to be forgotten: a command of `customers`. */
export function erasedCustomer(group: Command, runtime: CliRuntime): void {
  changeCommand(group, runtime, {
    name: 'erase',
    description: 'erases a customer and their drafts; invoices stay',
    details:
      'Deletes what is kept of a customer, the links to their page and their drafts, and takes out of issued drafts and ended schedules what they say of them. Says what stays, how long, and by which law. Schedules that name them must have ended.',
    parameters: {
      customer: operand('the id of the customer in the integration'),
      company: requiredOption('co_…', 'whose customer'),
      environment: choiceOption(['live', 'test'], 'the environment; live by default'),
      integration: optionalOption('text', 'the integration; required if there are several'),
    },
    examples: [
      [
        'A person who asks to be forgotten',
        'customers erase c-1001 --company $COMPANY --environment test --integration $INTEGRATION --reason "request of 3 May"',
      ],
    ],
    preview: (_context, { customer, environment = 'live' }) =>
      liveOr(environment, `erase the customer ${customer} (${environment})`),
    async run({ db }, { customer, company, environment = 'live', integration }, by) {
      const erased = await eraseCustomer(db, by, {
        ...{ companyId: company, environment, externalCustomerId: customer, integrationId: integration },
      });
      return isRefusal(erased) ? erased : { ...erased, kept: KEPT };
    },
  });
}

const liveOr = (environment: 'live' | 'test', what: string) =>
  environment === 'live' ? liveChange(what) : nonLiveChange(what);
