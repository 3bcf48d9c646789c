import { EVENT_TYPES } from '../../src/ground/journal/entry.ts';
import { EMAIL_TYPES, eventSchemaId, RECIPIENT_STATUS_TYPES } from '../event-schemas.ts';

type Descriptions = Readonly<Record<string, string>>;

const EVENT = {
  id: 'The same at every delivery.',
  type: 'The type of the event.',
  sequence: 'Consecutive in the environment, without gaps.',
  created_at: 'When it happened.',
  environment: 'The environment of the key.',
  data: 'The subject.',
};

const DATA = {
  object:
    'The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one.',
  email: 'The e-mail that was sent or has failed; only for these two types.',
  recipient_status: 'The status that the recipient reported; only for these three types.',
  previous: 'The previous values of the changed fields.',
};

/** The fields of events and webhooks, given those of an invoice: by schema and name. */
export function eventFields(invoice: Descriptions): Readonly<Record<string, Descriptions>> {
  const ofTypes = EVENT_TYPES.flatMap((type) => {
    const id = eventSchemaId(type);
    const { object, email, recipient_status, previous } = DATA;
    const additional = {
      ...(EMAIL_TYPES.includes(type) ? { email } : {}),
      ...(RECIPIENT_STATUS_TYPES.includes(type) ? { recipient_status } : {}),
    };
    const data: Descriptions = type.startsWith('invoice.') ? { object, ...additional, previous } : { object };
    return [[id, EVENT] as const, [`${id}Data`, data] as const];
  });
  return {
    ...OWN,
    ...Object.fromEntries<Descriptions>(ofTypes),
    EventInvoice: { ...invoice, pdf_url: 'Null: request a link when you need one.' },
  };
}

const OWN = {
  EventEmail: {
    id: 'Its id; the list of e-mails of the invoice has the details.',
    kind: 'Why it was sent.',
    reason: 'The reason for the failure; null if it has not failed.',
  },
  Event: EVENT,
  EventData: DATA,
  PreviousInvoice: {
    status: 'Present if it has changed.',
    verifactu: 'Present if its state has changed.',
    payment_status: 'Present if it has changed.',
    amount_paid: 'Present if it has changed.',
    amount_due: 'Present if it has changed.',
  },
  PreviousVerifactu: { status: 'As it was.', error: 'As it was.' },
  ExpiringCertificate: {
    id: 'An opaque id.',
    kind: 'The kind of the certificate.',
    holder_nif: 'The environment.',
    holder_name: 'The environment.',
    fingerprint: 'SHA-256 of the certificate.',
    valid_from: 'The start of its validity.',
    valid_to: 'Expiry date.',
  },
  ChainHold: {
    chain_id: 'The chain of records.',
    installation_number: 'The installation number of its records.',
    hold: 'Why the chain accepts no records; null once it does.',
  },
  DisabledWebhookEndpoint: {
    id: 'Id of the endpoint.',
    url: 'The URL that received events.',
    disabled_reason: 'Why it was disabled.',
  },
  FailedInvoiceSchedule: {
    id: 'Id of the schedule.',
    draft_id: 'The draft, which is to be corrected and issued.',
    period: 'The day for which it was created.',
    code: 'The code with which issuing was refused.',
    detail: 'The same as text.',
  },
  PingedWebhookEndpoint: {
    id: 'Id of the endpoint.',
    url: 'The URL that receives events.',
    disabled_reason: 'Null while it is active.',
  },
};
