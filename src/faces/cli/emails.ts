import type { Command } from 'commander';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal } from '../../ground/errors/refusal.ts';
import { changeEmailSettings, emailSettingsOf } from '../../subjects/emails/settings.ts';
import { emailSettingsChange } from '../../subjects/emails/settings-request.ts';
import type { EmailSettings } from '../../subjects/emails/shapes.ts';
import { DOCUMENT_LANGUAGES } from '../../subjects/invoices/types.ts';
import { type CliRuntime, changeCommand, commandGroup, queryCommand } from './command.ts';
import { choiceOption, optionalOption } from './options.ts';
import { ENVIRONMENT, environmentChange, resolveEnvironment } from './targets.ts';

/** Instead of a value: back to the default. */
const NONE = 'none';

export function emails(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(
    program,
    'emails',
    'how environments send e-mail, and remind of overdue invoices',
  );
  queryCommand(group, runtime, {
    name: 'settings',
    description: 'shows as whom an environment sends, and when it reminds of overdue invoices',
    parameters: ENVIRONMENT,
    examples: [['Of a company’s test environment', 'emails settings --company $COMPANY --environment test']],
    async run(context, given) {
      const environmentId = await resolveEnvironment(context, given);
      if (isRefusal(environmentId)) return environmentId;
      return shown(await emailSettingsOf(context.db, environmentId));
    },
  });
  changeCommand(group, runtime, {
    name: 'set',
    description: 'sets as whom an environment sends, and when it reminds of overdue invoices',
    details:
      'Sets as whom an environment sends, and when it reminds of overdue invoices; what is left out stays as it is, and none goes back to the default. Days of reminders that are past are not made up for.',
    parameters: {
      ...ENVIRONMENT,
      senderName: optionalOption(
        'text',
        'the name beside the sender’s address; none for the company’s legal name',
      ),
      replyTo: optionalOption('address', 'where answers go; none for nowhere'),
      reminderDays: optionalOption(
        'days',
        'how many days after the due day, with commas between them; none for no reminders',
      ),
      reminderLanguage: choiceOption(
        [...DOCUMENT_LANGUAGES, NONE],
        'of reminders; none for that of the invoice',
      ),
      reminderMessage: optionalOption('text', 'the company’s own words in reminders; none for no words'),
    },
    examples: [
      [
        'Three reminders',
        'emails set --company $COMPANY --environment test --reminder-days 3,10,30 --reason "their wish"',
      ],
    ],
    preview: (context, given) => environmentChange(context, given, 'change how e-mail is sent'),
    async run(context, given, { actor, reason }) {
      const days = daysOf(given.reminderDays);
      if (isRefusal(days)) return days;
      const request = parseRequest(emailSettingsChange, {
        ...{ senderName: orDefault(given.senderName), replyTo: orDefault(given.replyTo), reminderDays: days },
        reminderLanguage: orDefault(given.reminderLanguage),
        reminderMessage: orDefault(given.reminderMessage),
      });
      if (isRefusal(request)) return request;
      const environmentId = await resolveEnvironment(context, given);
      if (isRefusal(environmentId)) return environmentId;
      return shown(await changeEmailSettings(context.db, { actor, reason }, environmentId, request));
    },
  });
}

function orDefault<T extends string>(value: T | undefined): T | null | undefined {
  return value === NONE ? null : value;
}

function daysOf(given: string | undefined) {
  if (given === undefined || given === NONE) return orDefault(given) as null | undefined;
  const days = given.split(',').map((day) => day.trim());
  if (days.every((day) => /^\d{1,9}$/.test(day))) return days.map(Number);
  return invalidField('reminderDays', 'invalid_format', 'must be whole numbers with commas between them');
}

function shown({ remindersSince: _since, ...settings }: EmailSettings): object {
  return settings;
}
