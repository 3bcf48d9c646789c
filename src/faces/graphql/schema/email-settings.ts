import { parseRequest } from '../../../ground/errors/issues.ts';
import { EMAIL_LIMITS } from '../../../subjects/emails/limits.ts';
import { changeEmailSettings, emailSettingsOf } from '../../../subjects/emails/settings.ts';
import { emailSettingsChange } from '../../../subjects/emails/settings-request.ts';
import type { EmailSettings } from '../../../subjects/emails/shapes.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { environmentArguments, environmentFromArguments, type OfEnvironment } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { inputType } from '../input-type.ts';
import { refusalFor } from '../permissions.ts';
import { DocumentLanguageEnum } from './enums.ts';
import { Node } from './node-interface.ts';
import { actingCaller } from './operator-actions.ts';

/** Who receives a copy of every message reads what is sent. */
const COPIED = { scope: ['manage', 'read'], role: 'operator' } as const;

export const EmailSettingsType = builder.objectRef<OfEnvironment<EmailSettings>>('EmailSettings').implement({
  interfaces: [Node],
  description: 'The sender of an environment’s e-mails, and the schedule of its payment reminders.',
  fields: (t) => ({
    id: t.id({
      description: 'The id: `ems_` and the number of the environment.',
      resolve: ({ environmentId }) => `ems_${environmentId}`,
    }),
    senderName: t.exposeString('senderName', {
      nullable: true,
      description: 'The name beside the sender’s address; null for the company’s legal name.',
    }),
    replyTo: t.exposeString('replyTo', {
      nullable: true,
      description: 'The reply address; null if the message states that replies are not read.',
    }),
    copyTo: t.exposeString('copyTo', {
      nullable: true,
      description: 'The address that receives a blind copy of each message; null for none.',
    }),
    reminderDays: t.exposeIntList('reminderDays', {
      complexity: EMAIL_LIMITS.remindersOfInvoice.value,
      description:
        'Days after the due date on which reminders for unpaid invoices are sent, in ascending order; empty for none.',
    }),
    reminderLanguage: t.expose('reminderLanguage', {
      type: DocumentLanguageEnum,
      nullable: true,
      description: 'The language of reminders; null for the language of the invoice.',
    }),
    reminderMessage: t.exposeString('reminderMessage', {
      nullable: true,
      description: 'The company’s text in reminders; null without one.',
    }),
  }),
});

/** The settings as they are. */
export async function shownEmailSettings(
  { services }: Pick<Context, 'services'>,
  environmentId: number,
): Promise<OfEnvironment<EmailSettings>> {
  return { ...(await emailSettingsOf(services.db, environmentId)), environmentId };
}

builder.queryField('emailSettings', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: EmailSettingsType,
    description: 'The sender of the environment’s e-mails, and the schedule of its payment reminders.',
    args: { ...environmentArguments },
    resolve: async (_root, args, context) =>
      shownEmailSettings(context, await environmentFromArguments(context, args)),
  }),
);

const SetEmailSettingsInput = inputType(emailSettingsChange, 'SetEmailSettingsInput');

builder.mutationField('setEmailSettings', (t) =>
  t.withAuth({ scope: 'manage', role: 'operator' }).field({
    type: EmailSettingsType,
    description:
      'Sets the sender of the environment’s future e-mails and the schedule of its payment reminders. Reminder days that have passed are skipped.',
    args: {
      input: t.arg({ type: SetEmailSettingsInput, required: true }),
      ...environmentArguments,
      reason: t.arg.string({
        description: 'The reason; kept in the audit log. Required with an operator’s key.',
      }),
    },
    resolve: async (_root, { input, reason, ...args }, context) => {
      const change = valueOrThrow(parseRequest(emailSettingsChange, input));
      const by = actingCaller(context, reason);
      const environmentId = await environmentFromArguments(context, args);
      if (change.copyTo != null) valueOrThrow(refusalFor(context, COPIED));
      return {
        ...(await changeEmailSettings(context.services.db, by, environmentId, change)),
        environmentId,
      };
    },
  }),
);
