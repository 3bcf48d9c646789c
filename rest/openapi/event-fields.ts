import { EVENT_TYPES } from '../../src/ground/journal/entry.ts';
import { eventSchemaId } from '../event-schemas.ts';

type Words = Readonly<Record<string, string>>;

/** Of all lists. */
export const pageFields = {
  data: 'The newest first.',
  has_more: 'Whether there are further ones.',
  next_cursor: 'For `starting_after`; null on the last page.',
  next_url: 'Path of the next page with the same filters; null on the last one.',
};

const endpointRequest = {
  url: 'Where events are posted to: https, no user name, a public address.',
  event_types: 'The types that it hears of, or `*` for all.',
  description: 'What you call it.',
};

const endpoint = {
  id: 'Of the endpoint.',
  url: 'Where events are posted to.',
  event_types: 'The types that it hears of; `*` is all.',
  description: 'What you call it.',
  status: '`disabled` after five days without a success, after an answer 410, or by hand.',
  disabled_reason: 'Null while it is active.',
  created_at: 'It hears of what has happened since.',
};

const EVENT = {
  id: 'The same at every delivery.',
  type: 'What has happened.',
  sequence: 'Counts without gaps in the environment.',
  created_at: 'When it happened.',
  environment: 'Of the key.',
  data: 'What it is about.',
};

const DATA = {
  object: 'What has changed, as REST showed it then. `pdf_url` is null: ask for a link when you want one.',
  email: 'Which e-mail was sent or has failed; only of those two types.',
  previous: 'Of what the change has moved, how it was before.',
};

/** The fields of events and webhooks, given those of an invoice: by schema and name. */
export function eventFields(invoice: Words): Readonly<Record<string, Words>> {
  const ofTypes = EVENT_TYPES.flatMap((type) => {
    const id = eventSchemaId(type);
    const { object, email, previous } = DATA;
    const told = type === 'invoice.sent' || type === 'invoice.email_failed' ? { email } : {};
    const data: Words = type.startsWith('invoice.') ? { object, ...told, previous } : { object };
    return [[id, EVENT] as const, [`${id}Data`, data] as const];
  });
  return {
    ...OWN,
    ...Object.fromEntries<Words>(ofTypes),
    EventInvoice: { ...invoice, pdf_url: 'Null: ask for a link when you want one.' },
  };
}

const OWN = {
  EventEmail: {
    id: 'Its id; the e-mails of the invoice tell the rest.',
    kind: 'Why it was sent.',
    reason: 'Why it has failed; null when it has not.',
  },
  Event: EVENT,
  EventData: DATA,
  PreviousInvoice: {
    status: 'There when it was another one.',
    verifactu: 'There when its state was another one.',
    payment_status: 'There when it was another one.',
    amount_paid: 'There when it was another one.',
    amount_due: 'There when it was another one.',
  },
  PreviousVerifactu: { status: 'As it was.', error: 'As it was.' },
  ExpiringCertificate: {
    id: 'Opaque.',
    kind: 'What kind of certificate it is.',
    holder_nif: 'Whose it is.',
    holder_name: 'Whose it is.',
    fingerprint: 'SHA-256 of the certificate.',
    valid_from: 'When it began.',
    valid_to: 'When it runs out.',
  },
  ChainHold: {
    chain_id: 'The chain of records.',
    installation_number: 'The installation number of its records.',
    hold: 'Why it takes no records; null when it does again.',
  },
  DisabledWebhookEndpoint: {
    ...endpoint,
    url: 'Where events were posted to.',
    disabled_reason: 'Why it was disabled.',
  },
  FailedInvoiceSchedule: {
    id: 'Of the schedule.',
    draft_id: 'The draft that waits to be mended and issued.',
    period: 'The day that it was made for.',
    code: 'The code that issuing was refused with.',
    detail: 'The same in words.',
  },
  PingedWebhookEndpoint: endpoint,
  EventPage: { ...pageFields, data: 'In the order that was asked for.' },
  WebhookEndpointRequest: endpointRequest,
  WebhookEndpointChange: {
    ...endpointRequest,
    status: '`active` enables it again, `disabled` switches it off.',
  },
  WebhookEndpoint: endpoint,
  WebhookEndpointWithSecret: { ...endpoint, secret: 'What signs the deliveries; shown this once.' },
  WebhookEndpointPage: pageFields,
  WebhookSecretRotation: {
    grace_hours: 'For how long the secret before still signs: 24 when not said, at most 168.',
  },
  WebhookReplayRequest: { from_sequence: 'The first sequence.', from: 'Or the time from which on.' },
  WebhookDelivery: {
    id: 'For `redeliver`.',
    endpoint_id: 'Where to.',
    event_id: 'The event, and the header `webhook-id`.',
    event_type: 'Of the event.',
    sequence: 'Of the event.',
    status: '`pending` is tried again at `next_attempt_at`; `failed` was given up.',
    attempts: 'The oldest first; the last twenty.',
    next_attempt_at: 'Null when it is not tried again.',
    created_at: 'When it was tried first.',
  },
  WebhookAttempt: {
    at: 'When it was begun.',
    milliseconds: 'How long it took.',
    http_status: 'Null when no answer came.',
    error: 'Why no answer came.',
    response: 'The beginning of the answer’s body, 1 KiB at most.',
  },
  WebhookDeliveryPage: { ...pageFields, data: 'The latest event first.' },
};
