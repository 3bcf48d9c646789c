import { stored } from './query.ts';

/** How an environment sends e-mail. */
export const EMAIL_SETTINGS =
  stored(`query ConsoleEmailSettings($companyId: ID!, $environment: Environment!) {
  emailSettings(companyId: $companyId, environment: $environment) {
    senderName replyTo copyTo reminderDays reminderLanguage reminderMessage
  }
}`);
