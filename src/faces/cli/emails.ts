import type { Command } from 'commander';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal } from '../../ground/errors/refusal.ts';
import { createLogger } from '../../ground/lib/logger.ts';
import { EMAIL_LIMITS } from '../../subjects/emails/limits.ts';
import { processBounce } from '../../subjects/emails/process-bounce.ts';
import { changeEmailSettings, emailSettingsOf } from '../../subjects/emails/settings.ts';
import { emailSettingsChange } from '../../subjects/emails/settings-request.ts';
import type { EmailSettings } from '../../subjects/emails/shapes.ts';
import { DOCUMENT_LANGUAGES } from '../../subjects/extensions/types.ts';
import { type CliRuntime, commandGroup, standaloneCommand } from './command.ts';
import { changeCommand, queryCommand } from './database-command.ts';
import { choiceOption, optionalOption } from './options.ts';
import type { Streams } from './output.ts';
import { ENVIRONMENT, environmentChange, resolveEnvironment } from './targets.ts';

/** Instead of a value: back to the default. */
const NONE = 'none';

export function emails(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(
    program,
    'emails',
    'e-mail settings of environments, and reminders of overdue invoices',
  );
  queryCommand(group, runtime, {
    name: 'settings',
    description: 'shows the sender of an environment, and its schedule of reminders',
    parameters: ENVIRONMENT,
    examples: [['Of a company’s test environment', 'emails settings --company $COMPANY --environment test']],
    async run(context, values) {
      const environmentId = await resolveEnvironment(context, values);
      if (isRefusal(environmentId)) return environmentId;
      return shown(await emailSettingsOf(context.db, environmentId));
    },
  });
  changeCommand(group, runtime, {
    name: 'set',
    description: 'sets the sender of an environment, and its schedule of reminders',
    details:
      'Sets the sender of an environment, and its schedule of reminders of overdue invoices; omitted options remain unchanged, and none restores the default. Reminders whose day has passed are not sent.',
    parameters: {
      ...ENVIRONMENT,
      senderName: optionalOption('text', 'the sender’s name; none for the company’s legal name'),
      replyTo: optionalOption('address', 'the address for replies; none for no address'),
      copyTo: optionalOption('address', 'the address for copies of each message; none for no copies'),
      reminderDays: optionalOption(
        'days',
        'numbers of days after the due date, separated by commas; none for no reminders',
      ),
      reminderLanguage: choiceOption(
        [...DOCUMENT_LANGUAGES, NONE],
        'the language of reminders; none for that of the invoice',
      ),
      reminderMessage: optionalOption('text', 'the company’s text in reminders; none for no text'),
    },
    examples: [
      [
        'Three reminders',
        'emails set --company $COMPANY --environment test --reminder-days 3,10,30 --reason "their wish"',
      ],
    ],
    preview: (context, values) => environmentChange(context, values, 'change how e-mail is sent'),
    async run(context, values, { actor, reason }) {
      const days = daysOf(values.reminderDays);
      if (isRefusal(days)) return days;
      const request = parseRequest(emailSettingsChange, {
        ...{
          senderName: orDefault(values.senderName),
          replyTo: orDefault(values.replyTo),
          reminderDays: days,
        },
        copyTo: orDefault(values.copyTo),
        reminderLanguage: orDefault(values.reminderLanguage),
        reminderMessage: orDefault(values.reminderMessage),
      });
      if (isRefusal(request)) return request;
      const environmentId = await resolveEnvironment(context, values);
      if (isRefusal(environmentId)) return environmentId;
      return shown(await changeEmailSettings(context.db, { actor, reason }, environmentId, request));
    },
  });
  bounces(group, runtime);
}

/** Called by the mail server for each message to the return path; not an operator's action, so no reason is required. */
function bounces(group: Command, runtime: CliRuntime): void {
  standaloneCommand(group, runtime, {
    name: 'read-bounce',
    description: 'reads a bounce message, and records the failed delivery',
    details:
      'Reads one message from standard input, as a mail server received it for the return path of e-mails, and records the failed deliveries that it reports. Other messages, and reports on e-mails of other systems, change nothing and are not errors. A mail server can run it for each message; the guide on sending shows how.',
    parameters: {},
    examples: [['The message on standard input', 'emails read-bounce']],
    async run({ stdin, local }) {
      const message = await firstBytes(stdin, EMAIL_LIMITS.bounceBytes.value);
      const { db } = await local();
      const result = await processBounce({ db, log: createLogger('error') }, message);
      if (isRefusal(result)) return result;
      const { outcome, email } = result;
      const { id = null, invoiceId = null, status = null, deliveries = [] } = email ?? {};
      return { outcome, email: id, invoice: invoiceId, status, deliveries };
    },
  });
}

/** All is taken, so that who writes does not find the pipe closed; the beginning is kept. */
async function firstBytes(input: Streams['stdin'], max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    if (length >= max) continue;
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    length += bytes.length;
  }
  return Buffer.concat(chunks).subarray(0, max);
}

function orDefault<T extends string>(value: T | undefined): T | null | undefined {
  return value === NONE ? null : value;
}

function daysOf(text: string | undefined) {
  if (text === undefined || text === NONE) return orDefault(text) as null | undefined;
  const days = text.split(',').map((day) => day.trim());
  if (days.every((day) => /^\d{1,9}$/.test(day))) return days.map(Number);
  return invalidField('reminderDays', 'invalid_format', 'must be whole numbers separated by commas');
}

function shown({ remindersSince: _since, ...settings }: EmailSettings): object {
  return settings;
}
