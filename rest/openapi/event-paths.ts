import { EVENT_TYPES, type EventType } from '../../src/ground/journal/entry.ts';
import { eventSchemaId } from '../event-schemas.ts';
import * as examples from './event-examples.ts';
import type { Json } from './parts.ts';
import { operation } from './parts.ts';
import { schemaOf } from './responses.ts';

const signed = (name: string, description: string): Json => ({
  ...{ name, in: 'header', required: true, description, schema: { type: 'string' } },
});

/** The requests to webhook endpoints: each type of event with its own payload. */
export function webhooks(): Json {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: delivery(type) }]));
}

function delivery(type: EventType): Json {
  const id = eventSchemaId(type);
  const example = examples.eventOf(type);
  return operation(
    `receive${id}`,
    'Webhooks',
    `Event ${type}`,
    `${WHAT_HAPPENED[type]} Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify \`webhook-signature\` over the received bytes. Answer within 15 seconds; delivery is at least once.`,
    {
      security: [],
      parameters: [
        signed('webhook-id', 'The id of the event, the same at every attempt.'),
        signed('webhook-timestamp', 'When it was sent, in seconds since 1970.'),
        signed('webhook-signature', '`v1,` and the signature; one for each valid secret.'),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(id), example } } },
      responses: {
        204: { description: 'Accepted.' },
        410: { description: 'The endpoint refuses further deliveries and is disabled.' },
      },
    },
  );
}

const WHAT_HAPPENED: Readonly<Record<EventType, string>> = {
  'invoice.issued': 'An invoice was issued.',
  'invoice.imported': 'An invoice of another system was imported.',
  'invoice.registered': 'The agency has registered the record.',
  'invoice.registered_with_errors': 'The agency has registered the record and found errors in it.',
  'invoice.rejected': 'The agency has rejected the record.',
  'invoice.amendment_rejected':
    'The agency has rejected the record of an amendment. What it had accepted of the invoice before stays.',
  'invoice.void_rejected': 'The agency has rejected the record that cancels the invoice.',
  'invoice.skipped': 'The record will not be sent.',
  'invoice.voided': 'The invoice was voided.',
  'invoice.amended': 'The invoice’s registration record was amended.',
  'invoice.document_ready': 'The PDF has been rendered.',
  'invoice.payment_recorded': 'A payment of the invoice was recorded.',
  'invoice.payment_removed': 'A payment recorded by mistake was removed.',
  'invoice.paid':
    'The invoice has become `paid`: by a payment, or by a credit note that left nothing more to pay.',
  'invoice.overdue': 'The invoice was not paid by its due date.',
  'invoice.recipient_paid': 'The recipient has reported that it paid the invoice.',
  'invoice.recipient_rejected': 'The recipient has reported that it rejects the invoice.',
  'invoice.recipient_status_withdrawn': 'A status that the recipient had reported was withdrawn.',
  'invoice.sent': 'The mail server has accepted an e-mail with the invoice for every recipient.',
  'invoice.email_failed': 'An e-mail with the invoice was refused, abandoned, or bounced.',
  'number_series.created': 'A number series was created.',
  'number_series.deleted': 'A number series was deleted.',
  'certificate.expiring': 'A client certificate of the company expires soon, or has expired.',
  'chain.held': 'Issuing is on hold until an operator acts.',
  'chain.released': 'Issuing continues.',
  'invoice_schedule.failed': 'An invoice of a schedule was refused: it was stored as a draft.',
  'webhook_endpoint.disabled': 'An endpoint was disabled.',
  ping: 'A ping of this endpoint was requested.',
};
