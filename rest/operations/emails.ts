import { stored } from '../../src/faces/graphql/stored.ts';

/** The fields of an e-mail. */
const EMAIL_FIELDS = `fragment EmailFields on InvoiceEmail {
  id
  invoice_id: invoiceId
  kind
  reminder_days: reminderDays
  status
  reason
  to
  message
  language
  formats
  deliveries {
    address
    status
    response
    status_code: statusCode
    copy
  }
  attempts
  last_error: lastError
  requested_by: requestedBy
  created_at: createdAt
  next_attempt_at: nextAttemptAt
  settled_at: settledAt
}`;

const SETTINGS_FIELDS = `fragment EmailSettingsFields on EmailSettings {
  sender_name: senderName
  reply_to: replyTo
  copy_to: copyTo
  reminder_days: reminderDays
  reminder_language: reminderLanguage
  reminder_message: reminderMessage
}`;

/** The stored queries of the endpoints of e-mail. */
export const emailOperations = {
  send: stored(
    `mutation SendInvoice($input: SendInvoiceInput!, $idempotencyKey: String) {
  answer: sendInvoice(input: $input, idempotencyKey: $idempotencyKey) {
    ...EmailFields
  }
}`,
    [EMAIL_FIELDS],
  ),
  list: stored(
    `query ListInvoiceEmails($id: ID!, $first: Int, $after: String) {
  answer: invoice(id: $id) {
    emails(first: $first, after: $after) {
      edges {
        node {
          ...EmailFields
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}`,
    [EMAIL_FIELDS],
  ),
  settings: stored(
    `query GetEmailSettings {
  answer: emailSettings {
    ...EmailSettingsFields
  }
}`,
    [SETTINGS_FIELDS],
  ),
  change: stored(
    `mutation UpdateEmailSettings($input: SetEmailSettingsInput!) {
  answer: setEmailSettings(input: $input) {
    ...EmailSettingsFields
  }
}`,
    [SETTINGS_FIELDS],
  ),
};
