import type { Command } from 'commander';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal } from '../../ground/errors/refusal.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import { createLogger } from '../../ground/lib/logger.ts';
import { changeEmailSettings, emailSettingsOf } from '../../subjects/emails/settings.ts';
import { emailSettingsChange } from '../../subjects/emails/settings-request.ts';
import type { EmailSettings } from '../../subjects/emails/shapes.ts';
import { takeBounce } from '../../subjects/emails/take-bounce.ts';
import { DOCUMENT_LANGUAGES } from '../../subjects/invoices/types.ts';
import { type CliRuntime, changeCommand, commandGroup, queryCommand, standaloneCommand } from './command.ts';
import { choiceOption, optionalOption } from './options.ts';
import type { Streams } from './output.ts';
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
      copyTo: optionalOption('address', 'who gets a copy of each message; none for nobody'),
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
        copyTo: orDefault(given.copyTo),
        reminderLanguage: orDefault(given.reminderLanguage),
        reminderMessage: orDefault(given.reminderMessage),
      });
      if (isRefusal(request)) return request;
      const environmentId = await resolveEnvironment(context, given);
      if (isRefusal(environmentId)) return environmentId;
      return shown(await changeEmailSettings(context.db, { actor, reason }, environmentId, request));
    },
  });
  bounces(group, runtime);
}

/** For the mail server, at each message that comes to the return path: no act of a person, so it wants no reason. */
function bounces(group: Command, runtime: CliRuntime): void {
  standaloneCommand(group, runtime, {
    name: 'read-bounce',
    description: 'reads a message that came back, and notes for whom an e-mail did not arrive',
    details:
      'Reads one message from standard input, as a mail server got it for the return path of e-mails, and notes what it reports not to have arrived. What is no such report, or tells of no e-mail of this service, changes nothing and is no error. A mail server can run it for each message; the guide on sending shows how.',
    parameters: {},
    examples: [['The message on standard input', 'emails read-bounce']],
    async run({ stdin, local }) {
      const message = await firstBytes(stdin, LIMITS.bounceBytes.value);
      const { db } = await local();
      const taken = await takeBounce({ db, log: createLogger('error') }, message);
      if (isRefusal(taken)) return taken;
      const { outcome, email } = taken;
      const { id = null, invoiceId = null, status = null, deliveries = [] } = email ?? {};
      return { outcome, email: id, invoice: invoiceId, status, deliveries };
    },
  });
}

/** All is taken, so that who writes does not find the pipe closed; the beginning is kept. */
async function firstBytes(input: Streams['stdin'], most: number): Promise<Buffer> {
  const kept: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    if (length >= most) continue;
    const bytes = Buffer.from(chunk);
    kept.push(bytes);
    length += bytes.length;
  }
  return Buffer.concat(kept).subarray(0, most);
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
