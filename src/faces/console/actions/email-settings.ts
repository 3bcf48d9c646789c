import { isRefusal } from '../../../ground/errors/refusal.ts';
import { LANGUAGES } from '../branding.ts';
import { companyScopeOf, environmentNamed } from '../company.ts';
import { EMAIL_SETTINGS } from '../email-settings.ts';
import type { Action, ActionField } from '../page.ts';
import { stored } from '../query.ts';

const SET = stored(`mutation ConsoleSetEmailSettings($input: SetEmailSettingsInput!, $companyId: ID!,
    $environment: Environment!, $reason: String) {
  setEmailSettings(input: $input, companyId: $companyId, environment: $environment, reason: $reason) { senderName }
}`);

/** An additional choice for reminders: the language of each invoice. */
const REMINDER_LANGUAGES = [['', 'The language of the invoice'], ...LANGUAGES] as const;

type Settings = NonNullable<
  Exclude<Awaited<ReturnType<typeof EMAIL_SETTINGS>>, { code: string }>['emailSettings']
>;

const fieldsOf = (settings: Settings): ActionField[] => [
  {
    ...({
      name: 'senderName',
      label: 'Name of the sender',
      value: settings.senderName ?? '',
      max: 100,
    } as const),
    ...({ optional: true, hint: 'If empty, the company’s legal name.' } as const),
  },
  {
    ...({ name: 'replyTo', label: 'Reply address', value: settings.replyTo ?? '', max: 254 } as const),
    ...({ optional: true, hint: 'If empty, messages state that replies are not read.' } as const),
  },
  {
    ...({ name: 'copyTo', label: 'Address for copies', value: settings.copyTo ?? '', max: 254 } as const),
    ...({
      optional: true,
      hint: 'An address of the company that receives a blind copy of each message. If empty, no copies are sent.',
    } as const),
  },
  {
    ...({
      name: 'reminderDays',
      label: 'Reminders of overdue invoices',
      value: settings.reminderDays.join(', '),
    } as const),
    ...{ max: 60, optional: true },
    hint: 'Numbers of days after the due date, such as 3, 10, 30. If empty, no reminders are sent. Days that have passed are skipped.',
  },
  {
    ...({ name: 'reminderLanguage', label: 'Language of reminders', choices: REMINDER_LANGUAGES } as const),
    value: settings.reminderLanguage ?? '',
  },
  {
    ...({
      name: 'reminderMessage',
      label: 'The company’s text in reminders',
      kind: 'text',
      max: 2_000,
    } as const),
    ...{ value: settings.reminderMessage ?? '', optional: true },
  },
];

/** Changes how an environment sends e-mail. */
export const changeEmailSettings: Action = {
  async prepare(context) {
    const companyScope = await companyScopeOf(context);
    if (isRefusal(companyScope)) return companyScope;
    const environment = environmentNamed(context);
    const found = await EMAIL_SETTINGS(context, { companyId: companyScope.companyId, environment });
    if (isRefusal(found)) return found;
    return {
      title: 'Change e-mail settings',
      companyScope: { ...companyScope, environment },
      lead: 'Applies to messages sent from now on.',
      fields: fieldsOf(found.emailSettings!),
      submit: 'Change it',
      back: `/companies/${companyScope.companyId}/email?environment=${environment}`,
    };
  },
  async perform(context, entries) {
    const days = entries('reminderDays')
      .split(/[\s,;]+/)
      .filter(Boolean);
    const input = {
      senderName: entries('senderName') || null,
      replyTo: entries('replyTo') || null,
      copyTo: entries('copyTo') || null,
      // What is no number is refused like one that is too large.
      reminderDays: days.map((day) => (/^-?\d{1,9}$/.test(day) ? Number(day) : 0)),
      reminderLanguage: LANGUAGES.find(([code]) => code === entries('reminderLanguage'))?.[0] ?? null,
      reminderMessage: entries('reminderMessage') || null,
    };
    const environment = environmentNamed(context);
    const meant = { companyId: context.param('companyId'), environment, reason: entries('reason') };
    const done = await SET(context, { input, ...meant });
    return isRefusal(done) ? done : { flash: 'New messages use these settings.' };
  },
};
