import { z } from 'zod';
import { EVENT_TYPES, type EventType } from '../src/ground/journal/entry.ts';
import { EMAIL_FAULTS, EMAIL_KINDS } from '../src/subjects/emails/types.ts';
import { numberSeries } from './contract/number-series.ts';
import { recipientStatus } from './contract/payments.ts';
import { webhookEndpoint } from './contract/webhooks.ts';
import { invoice, verifactuError } from './response-schemas.ts';
import { instant, nullableText, oneOf, text } from './schema-parts.ts';

/** Events as they are read and delivered: any of them, and each type separately. */

/** The values of an invoice's fields before the change, for fields that a change can affect. */
const invoicePrevious = z
  .strictObject({
    status: oneOf(['issued', 'voided']).optional(),
    verifactu: z
      .strictObject({
        status: oneOf(['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped']),
        error: verifactuError.nullable(),
      })
      .meta({ id: 'PreviousVerifactu' })
      .optional(),
    ...{ payment_status: invoice.shape.payment_status, amount_paid: invoice.shape.amount_paid },
    amount_due: invoice.shape.amount_due,
  })
  .meta({ id: 'PreviousInvoice' });

const eventInvoice = z
  .strictObject({ ...invoice.shape, pdf_url: z.null() })
  .omit({ notes: true, rectification: true, exchange: true, records: true, payments: true })
  .meta({ id: 'EventInvoice' });

const expiringCertificate = z
  .strictObject({
    id: text,
    kind: text,
    holder_nif: nullableText,
    holder_name: nullableText,
    fingerprint: text,
    valid_from: instant,
    valid_to: instant,
  })
  .meta({ id: 'ExpiringCertificate' });

const chain = z
  .strictObject({ chain_id: z.int(), installation_number: text, hold: nullableText })
  .meta({ id: 'ChainHold' });

/** Missing for an endpoint that was recorded in the journal before all its fields were. */
const laterEndpointFields = webhookEndpoint
  .pick({ event_types: true, description: true, status: true, created_at: true })
  .partial().shape;

const disabledEndpoint = z
  .strictObject({ id: text, url: z.url(), ...laterEndpointFields, disabled_reason: text })
  .meta({ id: 'DisabledWebhookEndpoint' });

const pingedEndpoint = z
  .strictObject({ id: text, url: z.url(), ...laterEndpointFields, disabled_reason: nullableText.optional() })
  .meta({ id: 'PingedWebhookEndpoint' });

const eventEmail = z
  .strictObject({ id: text, kind: oneOf(EMAIL_KINDS), reason: oneOf(EMAIL_FAULTS).nullable() })
  .meta({ id: 'EventEmail' });
const eventRecipientStatus = recipientStatus.omit({ created_at: true }).meta({ id: 'EventRecipientStatus' });
const failedSchedule = z
  .strictObject({ id: text, draft_id: text, period: z.iso.date(), code: text, detail: text })
  .meta({ id: 'FailedInvoiceSchedule' });

const eventData = z
  .strictObject({
    object: z.union([
      eventInvoice,
      numberSeries,
      expiringCertificate,
      chain,
      failedSchedule,
      disabledEndpoint,
      pingedEndpoint,
    ]),
    email: eventEmail.optional(),
    recipient_status: eventRecipientStatus.optional(),
    previous: invoicePrevious.optional(),
  })
  .meta({ id: 'EventData' });

export const event = z
  .strictObject({
    id: text,
    type: oneOf(EVENT_TYPES),
    sequence: z.int(),
    created_at: instant,
    environment: z.enum(['test', 'live']),
    data: eventData,
  })
  .meta({ id: 'Event' });

/** The schema of `data.object`, by the part of an event's type before its first dot. */
const EVENT_OBJECTS: Readonly<Record<string, z.ZodType>> = {
  invoice: eventInvoice,
  number_series: numberSeries,
  certificate: expiringCertificate,
  chain,
  invoice_schedule: failedSchedule,
  webhook_endpoint: disabledEndpoint,
  ping: pingedEndpoint,
};

/** The name of an event's schema: `InvoiceDocumentReadyEvent`. */
export function eventSchemaId(type: string): string {
  const parts = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${parts.join('')}Event`;
}

/** The types that contain an e-mail in addition to the invoice. */
export const EMAIL_TYPES: readonly string[] = ['invoice.sent', 'invoice.email_failed'];

/** The types that contain a status reported by the recipient. */
export const RECIPIENT_STATUS_TYPES: readonly string[] = EVENT_TYPES.filter((type) =>
  type.startsWith('invoice.recipient_'),
);

function eventSchema(type: EventType) {
  const [of = ''] = type.split('.');
  const object = EVENT_OBJECTS[of]!;
  const id = eventSchemaId(type);
  const previous = of === 'invoice' ? { previous: invoicePrevious.optional() } : {};
  const email = EMAIL_TYPES.includes(type) ? { email: eventEmail } : {};
  const recipient = RECIPIENT_STATUS_TYPES.includes(type) ? { recipient_status: eventRecipientStatus } : {};
  const data = z.strictObject({ object, ...email, ...recipient, ...previous }).meta({ id: `${id}Data` });
  return z
    .strictObject({
      id: text,
      type: z.literal(type),
      sequence: z.int(),
      created_at: instant,
      environment: z.enum(['test', 'live']),
      data,
    })
    .meta({ id });
}

/** Each type of event as it is delivered. */
export const eventsByType = new Map<string, z.ZodType>(EVENT_TYPES.map((type) => [type, eventSchema(type)]));
