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
const REMINDER_LANGUAGES = [['', 'That of the invoice'], ...LANGUAGES] as const;

type Settings = NonNullable<
  Exclude<Awaited<ReturnType<typeof EMAIL_SETTINGS>>, { code: string }>['emailSettings']
>;

const fieldsOf = (settings: Settings): ActionField[] => [
  {
    ...{ name: 'senderName', label: 'Name of the sender', value: settings.senderName ?? '', max: 100 },
    ...{ optional: true, hint: 'Empty, it is the company’s legal name.' },
  },
  {
    ...{ name: 'replyTo', label: 'Reply address', value: settings.replyTo ?? '', max: 254 },
    ...{ optional: true, hint: 'Empty, messages say that nobody reads answers.' },
  },
  {
    ...{ name: 'copyTo', label: 'Who gets a copy of each message', value: settings.copyTo ?? '', max: 254 },
    ...{
      optional: true,
      hint: 'An address of the company’s own, which recipients do not see. Empty, there are no copies.',
    },
  },
  {
    ...{
      name: 'reminderDays',
      label: 'Reminders of overdue invoices',
      value: settings.reminderDays.join(', '),
    },
    ...{ max: 60, optional: true },
    hint: 'So many days after the due day, such as 3, 10, 30. Empty, there are none. Days that are past are not made up for.',
  },
  {
    ...{ name: 'reminderLanguage', label: 'Language of reminders', choices: REMINDER_LANGUAGES },
    value: settings.reminderLanguage ?? '',
  },
  {
    ...{ name: 'reminderMessage', label: 'The company’s own words in reminders', kind: 'text', max: 2_000 },
    ...{ value: settings.reminderMessage ?? '', optional: true },
  },
];

/** Changes how an environment sends e-mail. */
export const changeEmailSettings: Action = {
  async prepare(visit) {
    const companyScope = await companyScopeOf(visit);
    if (isRefusal(companyScope)) return companyScope;
    const environment = environmentNamed(visit);
    const found = await EMAIL_SETTINGS(visit, { companyId: companyScope.companyId, environment });
    if (isRefusal(found)) return found;
    return {
      title: 'Change how e-mail is sent',
      companyScope: { ...companyScope, environment },
      lead: 'It counts for messages that are handed over from now on.',
      fields: fieldsOf(found.emailSettings!),
      submit: 'Change it',
      back: `/companies/${companyScope.companyId}/email?environment=${environment}`,
    };
  },
  async perform(visit, entries) {
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
    const environment = environmentNamed(visit);
    const meant = { companyId: visit.param('companyId'), environment, reason: entries('reason') };
    const done = await SET(visit, { input, ...meant });
    return isRefusal(done) ? done : { flash: 'Messages come so from now on.' };
  },
};
